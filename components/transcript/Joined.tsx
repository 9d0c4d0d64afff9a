/**
 * Messages that came while a turn ran: those it read, and those it did not.
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Entry } from "../../core/log/entry.ts";
import { clip, timeOfDay } from "../words.ts";
import { Actions } from "./actions.ts";
import { Notice } from "./Notice.tsx";

/** A message that was read: the person's own words undimmed, an agent's dim, a mixed one undimmed (K-291). */
export function Joined({ entry }: { entry: Entry<"inbox"> }): VNode {
  const { text, from, mixed } = entry.data;
  const person = from === "person" || mixed;
  return (
    <div class={person ? "block joined" : "block joined agent"}>
      <span class="kind">
        {from === "person" ? mixed ? "you + others" : `you, ${timeOfDay(entry.at)}` : mixed ? "you + " : ""}
        {from !== "person" && <bdi>{from}</bdi>}
      </span>
      {text.trim().split(/\n[ \t]*\n+/).map((paragraph, index) => <p key={index} dir="auto">{paragraph}</p>)}
    </div>
  );
}

/** A message that nobody read. The person's own says where it is now, or offers the ways on. */
export function NotDelivered({ entry }: { entry: Entry<"undelivered"> }): VNode {
  const { page } = useContext(Actions);
  const { text, from } = entry.data;
  const short = clip(text.trim().replace(/\s+/g, " "), 120);
  if (from !== "person") {
    return (
      <Notice kind="inbox" bad="Not delivered." text={`${from} wrote “${short}”, and nobody was there to read it`} />
    );
  }
  const place = page?.undelivered.placeOf(entry);
  const what = `The turn ended before “${short}” was read`;
  if (place === "composer") {
    return <Notice kind="inbox" bad="Not delivered." text={`${what}. It is back in the composer`} />;
  }
  if (place === "sent") return <Notice kind="inbox" bad="Not delivered." text={`${what}. You sent it again`} />;
  return (
    <Notice kind="inbox" bad="Not delivered." text={what}>
      {page && (
        <>
          <button type="button" class="link scripted" onClick={() => page.undelivered.sendNow(entry)}>
            Send it now
          </button>
          <button type="button" class="link scripted" onClick={() => page.undelivered.putBack(entry)}>
            Put it in the composer
          </button>
        </>
      )}
    </Notice>
  );
}
