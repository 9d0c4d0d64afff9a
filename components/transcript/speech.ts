/**
 * What is said aloud: whole sentences as they end, never single words, and then that the answer is finished.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import type { Entry } from "../../core/log/entry.ts";
import type { Transcript, TurnView } from "../../core/log/folds/transcript.ts";
import { duration, spokenFrom } from "../words.ts";

interface Heard {
  turn: string;
  running: boolean;
  /** How much of each text entry has been said, by `seq`. */
  upto: Map<number, number>;
}

/** Speaks the turn that runs through the live region `#spoken`. */
export function useSpeech(transcript: Transcript): void {
  const heard = useRef<Heard | null>(null);
  useEffect(() => {
    const view = transcript.turns.at(-1);
    if (!view) return;
    const running = view.turn.status === "running";
    if (heard.current?.turn !== view.turn.id) heard.current = { turn: view.turn.id, running, upto: lengths(view) };
    const memory = heard.current;
    if (!memory.running && !running) return;
    const said = newSentences(view, memory.upto);
    if (memory.running && !running) said.push(endingOf(view));
    memory.running = running;
    if (said.length > 0) speak(said.join(" "));
  }, [transcript]);
}

/** What stood there before it was listened to is not said: another version was put in view, or the page was opened. */
function lengths(view: TurnView): Map<number, number> {
  const texts = view.blocks.filter((block): block is Entry<"text"> => block.kind === "text");
  return new Map(texts.map((entry) => [entry.seq, entry.state === "open" ? 0 : entry.data.text.length]));
}

/** The sentences that have ended since the last time; `upto` is brought up to date. */
export function newSentences(view: TurnView, upto: Map<number, number>): string[] {
  const over = view.turn.status !== "running";
  return view.blocks.filter((block): block is Entry<"text"> => block.kind === "text").flatMap((entry) => {
    const from = upto.get(entry.seq) ?? 0;
    const next = spokenFrom(entry.data.text, from, over || entry.state === "done");
    upto.set(entry.seq, next.upto);
    return next.said === "" ? [] : [next.said];
  });
}

function endingOf(view: TurnView): string {
  const { status, started_at, ended_at } = view.turn;
  if (status === "refused") return "The model declined to answer";
  if (status === "failed") return "The answer failed";
  if (status !== "done") return `The answer was ${status}`;
  return ended_at ? `Answer finished, ${duration(Date.parse(ended_at) - Date.parse(started_at))}` : "Answer finished";
}

/** Says something aloud, once, to those who listen. */
export function speak(text: string): void {
  const region = document.getElementById("spoken");
  if (region) region.textContent = text;
}
