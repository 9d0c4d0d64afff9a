/**
 * How long a question still waits; goes on by itself.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { timeLeft } from "./words.ts";

/** `now` is the clock of the first drawing, in milliseconds. */
export function Remaining({ until, now: drawn }: { until: string; now: number }): VNode {
  const [now, setNow] = useState(drawn);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  const left = timeLeft(Date.parse(until) - now);
  return <span class="wait">{left === null ? "The time is up" : `Denied by itself ${left}`}</span>;
}
