/**
 * A turn that is drawn while it is near what is in view. One that is far keeps its place and its height, and nothing else, so
 * that a conversation of thousands of messages weighs no more than what is looked at.
 *
 * Invariants (tests/islands/long_browser_test.ts pins each)
 * 1. Nothing on the page moves when a turn is put away or drawn again.
 * 2. A turn that runs, that holds the focus or a selection, or in which something was unfolded stays.
 * 3. What is printed is the whole.
 *
 * @module
 */
import { Component, type ComponentChildren, type VNode } from "preact";
import { hasReader } from "./reading.ts";

export interface NearTurnProps {
  readonly n: number;
  /** Whether it may be put away. */
  readonly ended: boolean;
  readonly nearness: Nearness;
  /** The turn: one element. */
  readonly children: ComponentChildren;
}

/** How far from what is in view a turn is still drawn, in pixels: some screens. */
const NEAR_PX = 4000;

/** Tells turns whether they are near; one for a page, because an observer for each turn would not be light. */
export class Nearness {
  readonly #told = new Map<Element, (isNear: boolean) => void>();
  readonly #observer = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) this.#told.get(target)?.(isIntersecting);
    },
    { rootMargin: `${NEAR_PX}px 0px` },
  );

  watch(element: Element, tell: (isNear: boolean) => void): void {
    this.#told.set(element, tell);
    this.#observer?.observe(element);
  }

  leave(element: Element): void {
    this.#told.delete(element);
    this.#observer?.unobserve(element);
  }
}

interface NearTurnState {
  /** The height it had, in pixels, while it is away. */
  readonly away: number | null;
}

export class NearTurn extends Component<NearTurnProps, NearTurnState> {
  override state: NearTurnState = { away: null };
  #watched: Element | null = null;
  readonly #print = () => this.setState({ away: null });

  override componentDidMount(): void {
    this.#follow();
    addEventListener("beforeprint", this.#print);
  }

  override componentDidUpdate(): void {
    this.#follow();
  }

  override componentWillUnmount(): void {
    if (this.#watched) this.props.nearness.leave(this.#watched);
    removeEventListener("beforeprint", this.#print);
  }

  render({ n, children }: NearTurnProps, { away }: NearTurnState): ComponentChildren {
    return away === null ? children : <Away n={n} height={away} />;
  }

  /** Its element is another one once it was put away or drawn again. */
  #follow(): void {
    const element = this.base as Element | null;
    if (element === this.#watched) return;
    if (this.#watched) this.props.nearness.leave(this.#watched);
    this.#watched = element;
    if (element) this.props.nearness.watch(element, (isNear) => this.#tell(element, isNear));
  }

  #tell(element: Element, isNear: boolean): void {
    if (isNear && this.state.away !== null) this.setState({ away: null });
    if (!isNear && this.state.away === null && this.props.ended && !isInUse(element)) {
      this.setState({ away: element.getBoundingClientRect().height });
    }
  }
}

/** The place of a turn that is away: found by the same address, and as high. */
function Away({ n, height }: { n: number; height: number }): VNode {
  return (
    <article
      class="turn away"
      id={`turn-${n}`}
      aria-label={`Turn ${n}`}
      ref={(element) => {
        if (element) element.style.height = `${height}px`;
      }}
    />
  );
}

function isInUse(element: Element): boolean {
  return hasReader(element) || element.querySelector("details[open]") !== null;
}
