/**
 * Scrolling that never fights the reader.
 *
 * Invariants (tests/islands/reading_browser_test.ts pins each)
 * 1. Text is followed only while the reader is at its end, or has just sent something; the smallest scroll upwards ends that,
 *    and coming back to within 64 px of the end begins it again.
 * 2. While it is not followed, what comes below moves nothing.
 * 3. What comes above, and another version of a turn, leave the message that is being read or used where it was.
 *
 * @module
 */
import { Component, type ComponentChildren } from "preact";
import type { Transcript } from "../../core/log/folds/transcript.ts";
import type { Page } from "../state/page.ts";
import { openAround } from "./reading.ts";
import { type Anchor, distanceToEnd, findAnchor, restoreAnchor, toEnd } from "./scrolling.ts";

/** Pixels from the end within which the text is followed, and where the jump button comes and goes. */
const NEAR = 64;
const BELOW = { shows: 200, hides: 60 } as const;

export interface FollowingProps {
  readonly page: Page;
  readonly transcript: Transcript;
  /** How many messages of this browser are drawn below the transcript. */
  readonly sent: number;
  readonly children: ComponentChildren;
}

/** Put around what is drawn of the transcript. */
export class Following extends Component<FollowingProps> {
  #near = true;
  #top = 0;

  override componentDidMount(): void {
    const { page } = this.props;
    const marked = document.querySelector<HTMLElement>("[data-at]");
    if (marked) showMarked(marked);
    else if (page.live.conversation.value && location.hash === "" && !isPaged()) toEnd();
    this.#near = marked === null && distanceToEnd() <= NEAR;
    this.#top = document.documentElement.scrollTop;
    this.#tell();
    addEventListener("scroll", this.#onScroll, { passive: true });
    addEventListener("resize", this.#onResize, { passive: true });
  }

  override componentWillUnmount(): void {
    removeEventListener("scroll", this.#onScroll);
    removeEventListener("resize", this.#onResize);
  }

  override getSnapshotBeforeUpdate({ transcript }: FollowingProps): Anchor | null {
    return isRearranged(transcript, this.props.transcript) ? findAnchor() : null;
  }

  override componentDidUpdate(before: FollowingProps, _state: unknown, anchor: Anchor | null): void {
    const { page, sent, transcript } = this.props;
    if (sent > before.sent) this.#follow();
    else if (anchor) {
      restoreAnchor(anchor);
      this.#near = this.#near && distanceToEnd() <= NEAR;
      this.#top = document.documentElement.scrollTop;
      this.#tell();
    } else if (transcript !== before.transcript) {
      if (this.#near && page.live.conversation.peek() && page.live.history.newer.peek() === null) this.#follow();
      else this.#tell();
    }
  }

  render({ children }: FollowingProps) {
    return <>{children}</>;
  }

  #follow(): void {
    toEnd();
    this.#near = true;
    this.#top = document.documentElement.scrollTop;
    this.#tell();
  }

  readonly #onScroll = () => {
    const { scrollTop } = document.documentElement;
    const left = distanceToEnd();
    if (left <= 1) this.#near = true;
    else if (scrollTop < this.#top) this.#near = false;
    else if (scrollTop > this.#top) this.#near = left <= NEAR;
    this.#top = scrollTop;
    this.#tell();
  };

  /** The phone's keyboard, a turned screen: who was at the end stays there. */
  readonly #onResize = () => {
    if (this.#near && this.props.page.live.conversation.peek()) this.#follow();
    else this.#tell();
  };

  #tell(): void {
    const { below, live } = this.props.page;
    const left = distanceToEnd();
    if (left > BELOW.shows || live.history.newer.peek() !== null) below.value = true;
    else if (left < BELOW.hides) below.value = false;
  }
}

/** Whether anything but the end changed: turns above, or other versions of turns. */
function isRearranged(before: Transcript, after: Transcript): boolean {
  if (before === after || before.conversation !== after.conversation || before.turns.length === 0) return false;
  const shown = (transcript: Transcript) => transcript.turns.find((view) => view.entries.length > 0);
  const old = shown(before);
  if (!old) return false;
  if (shown(after)?.entries[0]?.seq !== old.entries[0]?.seq) return true;
  const last = before.turns.at(-1)!.turn;
  const there = after.turns.findLast((view) => view.turn.n <= last.n)?.turn;
  return there?.id !== last.id;
}

/** Whether the address asks for a certain part of the conversation. */
function isPaged(): boolean {
  return /[?&](?:before|after|at)=/.test(location.search);
}

/** Opens what folds around it and brings it into view, a little above the middle. */
function showMarked(marked: HTMLElement): void {
  openAround(marked);
  const own = marked.querySelector<HTMLDetailsElement>(":scope > details");
  if (own) own.open = true;
  const { top, height } = marked.getBoundingClientRect();
  scrollBy({ top: top - Math.max(innerHeight / 3 - height / 2, 96) });
}
