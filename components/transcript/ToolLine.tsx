/**
 * A tool call: one line, and behind it the arguments and the result, always as plain text (K-281, K-282).
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext, useState } from "preact/hooks";
import type { Entry, ToolData } from "../../core/log/entry.ts";
import { count, duration } from "../words.ts";
import { Actions } from "./actions.ts";
import { Arguments } from "./Arguments.tsx";
import { Elapsed } from "./Elapsed.tsx";
import { Line, Running } from "./Line.tsx";
import { Pictures } from "./Pictures.tsx";
import { groupSubject, isFinished, outcomeOf, subjectOf } from "./lines.ts";

/** What of a result is shown at first, in UTF-16 code units (K-282). */
const CLAMP = 4000;

/** `asked`: it waits because a question about it does. */
export function ToolLine({ entry, asked = false }: { entry: Entry<"tool">; asked?: boolean }): VNode {
  const { data } = entry;
  return (
    <Line
      kind="tool"
      name={data.name}
      what={subjectOf(data.arguments)}
      state={asked ? <span class="ask">waiting for you</span> : <Outcome data={data} />}
      note={isFinished(data) ? outcomeOf(data) : undefined}
      time={timeOf(entry)}
    >
      <div class="fold">
        <Arguments value={data.arguments} />
        {isFinished(data) && <Result data={data} />}
      </div>
    </Line>
  );
}

/** More than five of them, folded into one line. */
export function ToolGroupLine({ calls }: { calls: readonly Entry<"tool">[] }): VNode {
  const failed = calls.filter((call) => call.data.status === "failed").length;
  const ms = calls.reduce((sum, call) => sum + (call.data.ms ?? 0), 0);
  return (
    <Line
      kind="tools"
      what={groupSubject(calls)}
      state={failed > 0 && <span class="bad">{failed} failed</span>}
      time={ms > 0 ? duration(ms) : undefined}
    >
      <div class="nested">{calls.map((call) => <ToolLine key={call.seq} entry={call} />)}</div>
    </Line>
  );
}

function timeOf(entry: Entry<"tool">) {
  const { data } = entry;
  if (!isFinished(data)) return <Elapsed since={data.started_at ?? entry.at} />;
  return data.ms === undefined ? undefined : duration(data.ms);
}

function Outcome({ data }: { data: ToolData }): VNode | null {
  switch (data.status) {
    case "waiting":
      return <span class="ended">waiting</span>;
    case "running":
      return <Running />;
    case "done":
      return null;
    case "failed":
      return <span class="bad">failed</span>;
    case "denied":
    case "interrupted":
      return <span class="ended">{data.status}</span>;
    default:
      data.status satisfies never;
      return null;
  }
}

type Rest = "clamped" | "loading" | "lost" | { readonly text: string };

function Result({ data }: { data: ToolData }): VNode | null {
  const { payload, basePath } = useContext(Actions);
  const [rest, setRest] = useState<Rest>("clamped");
  const held = data.result ?? "";
  if (held === "" && !data.result_ref && !data.images?.length) return null;
  const long = data.result_ref !== undefined || held.length > CLAMP;
  const text = typeof rest === "object" ? rest.text : held.slice(0, CLAMP);
  const load = async () => {
    if (!data.result_ref) return setRest({ text: held });
    setRest("loading");
    setRest(await payload(data.result_ref).then((whole) => ({ text: whole }), () => "lost" as const));
  };
  return (
    <div class="part">
      <p class="part-name">{data.status === "failed" ? "What it said" : "Result"}</p>
      <pre>{text}</pre>
      {long && typeof rest === "string" && <RestLine data={data} rest={rest} load={load} basePath={basePath} />}
      <Pictures images={data.images} />
    </div>
  );
}

interface RestLineProps {
  readonly data: ToolData;
  readonly rest: "clamped" | "loading" | "lost";
  readonly load: () => void;
  readonly basePath: string;
}

function RestLine({ data, rest, load, basePath }: RestLineProps): VNode {
  const whole = data.result_bytes === undefined ? "" : ` of ${count(data.result_bytes)} bytes`;
  if (rest === "lost") return <p class="rest-line">The rest could not be loaded. What is shown is kept</p>;
  return (
    <p class="rest-line">
      … {count(Math.min(CLAMP, data.result?.length ?? 0))} characters{whole}
      {data.result_ref
        ? (
          <a
            class="link"
            href={basePath + data.result_ref}
            onClick={(event) => {
              event.preventDefault();
              if (rest === "clamped") load();
            }}
          >
            {rest === "loading" ? "Loading" : "Show the rest"}
          </a>
        )
        : <button type="button" class="link scripted" onClick={load}>Show the rest</button>}
    </p>
  );
}
