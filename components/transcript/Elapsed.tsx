/**
 * How long something has been running; goes on by itself, once a second.
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { elapsed } from "../words.ts";
import { Actions } from "./actions.ts";

export function Elapsed({ since }: { since: string }): VNode {
  const { now: drawn } = useContext(Actions);
  const [now, setNow] = useState(drawn);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return <>{elapsed(now - Date.parse(since))}</>;
}
