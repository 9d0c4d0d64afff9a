/**
 * A question that waits: the whole call, what its code may reach, and the answers. Its rest state is drawn by the server and
 * can be answered without scripts; what is written (a reason, other arguments) and a rule that is to be kept come in parts
 * that are loaded when a card is there.
 *
 * Invariants (tests/islands/approval_browser_test.ts pins each but the first)
 * 1. Nothing of the call is cut: long texts scroll (tests/components/transcript/decision_test.tsx).
 * 2. The focus comes to a card by itself only where nothing has it, and letters pressed as it came count for nothing.
 * 3. A rule is shown in words before it is kept.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApprovalAnswer, ApprovalData, ApprovalScope, Entry } from "../../core/log/entry.ts";
import { isKey, type KeyId, writtenKeys } from "../keys/table.ts";
import { isSomethingOpen, isTyping } from "../side/keys.ts";
import { NOT_NOW } from "../state/approvals.ts";
import type { Page } from "../state/page.ts";
import { Reach } from "./Reach.tsx";
import { Remaining } from "./Remaining.tsx";
import { ExactJson, Value } from "./Value.tsx";
import { OUTSIDE_WORDS, ruleWords } from "./words.ts";

/** What stands in the place of the buttons. */
export type Mode = "rest" | "deny" | "always" | "edit";

type Forms = typeof import("./Forms.tsx");

/** How long letters do nothing after the focus came by itself, in milliseconds: they were meant for something else. */
const SETTLES = 600;

const SCOPES: readonly (readonly [scope: ApprovalScope, label: string, key: KeyId | null])[] = [
  ["once", "Allow once", "allow_once"],
  ["turn", "For this turn", "allow_turn"],
  ["conversation", "For this conversation", "allow_conversation"],
  ["always", "Always…", null],
];

export interface AskCardProps {
  readonly entry: Entry<"approval">;
  readonly basePath: string;
  /** The clock of the first drawing, in milliseconds. */
  readonly now: number;
  /** Absent where a transcript is only looked at. */
  readonly page?: Page;
}

export function AskCard({ entry, basePath, now, page }: AskCardProps): VNode {
  const card = useRef<HTMLElement>(null);
  const [mode, setMode] = useState<Mode>("rest");
  const [problem, setProblem] = useState<string | null>(null);
  const forms = useForms(page !== undefined);
  const settled = useFocus(card);
  const { data, conversation, seq } = entry;
  const about = page?.approvals.about(entry);
  const offline = page !== undefined && page.connection.value.state === "waiting";
  const held = offline || (page?.approvals.isGoing(entry) ?? false);
  const answer = async (given: ApprovalAnswer) => {
    if (!page || held) return;
    const refused = await page.approvals.answer(entry, given);
    setProblem(refused);
  };
  const choose = (scope: ApprovalScope) =>
    scope === "always" ? setMode("always") : answer({ decision: "allow", scope });
  const back = () => {
    setMode("rest");
    setProblem(null);
    card.current?.focus({ preventScroll: true });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && mode !== "rest") {
      event.preventDefault();
      return back();
    }
    if (event.defaultPrevented || isTyping(event.target) || isSomethingOpen("over the page") || !settled()) return;
    const act = mode === "rest" ? actOf(event, data) : null;
    if (!act) return;
    event.preventDefault();
    if (act === "deny" || act === "edit") setMode(act);
    else choose(act);
  };
  const Form = mode !== "rest" && forms ? forms[FORMS[mode]] : null;
  return (
    <section
      ref={card}
      class="ask-card"
      data-question={seq}
      aria-labelledby={`ask-${seq}`}
      tabIndex={-1}
      onKeyDown={page && onKey}
    >
      <span class="kind">decision</span>
      <h3 id={`ask-${seq}`}>
        <bdi>{data.agent}</bdi> asks to run <code>{data.tool}</code>
      </h3>
      {about && <p>{about}</p>}
      {data.cause === "outside" && <p>{OUTSIDE_WORDS}</p>}
      <TheCall data={data} />
      {data.permissions && <Reach permissions={data.permissions} />}
      {data.verdicts?.map((verdict) => (
        <p key={verdict.reviewer} class="ask-verdict">
          Passed to you by the reviewer <bdi>{verdict.reviewer}</bdi>: “{verdict.reason}”
        </p>
      ))}
      {Form
        ? (
          <Form
            data={data}
            held={held}
            onAnswer={answer}
            onBack={back}
          />
        )
        : (
          <form
            class="answers"
            method="post"
            action={`${basePath}/c/${conversation}`}
            onSubmit={(event) => page && event.preventDefault()}
          >
            <input type="hidden" name="question" value={seq} />
            {SCOPES.filter(([scope]) => scope === "once" || data.rule).map(([scope, label, key]) => (
              <button
                key={scope}
                type={scope === "once" ? "submit" : "button"}
                name="do"
                value="allow"
                class={scope === "once" ? "button strong" : "button scripted"}
                aria-disabled={held}
                onClick={() => choose(scope)}
              >
                {label} <Key id={key} />
              </button>
            ))}
            <button
              type="submit"
              name="do"
              value="deny"
              class="button"
              aria-disabled={held}
              onClick={() => setMode("deny")}
            >
              Deny <Key id="deny" />
            </button>
            <button type="button" class="button scripted" aria-disabled={held} onClick={() => setMode("edit")}>
              Edit arguments <Key id="edit_call" />
            </button>
          </form>
        )}
      <Foot data={data} now={now} said={offline ? NOT_NOW : problem} />
    </section>
  );
}

const FORMS = { deny: "DenyForm", always: "AlwaysForm", edit: "EditForm" } as const;

function Key({ id }: { id: KeyId | null }): VNode | null {
  return id ? <kbd class="scripted" aria-hidden="true">{writtenKeys(id)}</kbd> : null;
}

/** Every argument, as a tree and as it is, with the toolset it comes from. */
function TheCall({ data }: { data: ApprovalData }): VNode {
  const given = data.arguments;
  const isNothing = given === undefined || given === null ||
    (typeof given === "object" && Object.keys(given).length === 0);
  return (
    <div class="call">
      {isNothing ? <p>Without any arguments.</p> : (
        <>
          <Value value={typeof given === "object" ? given : { arguments: given }} name="arguments" />
          <ExactJson value={given} />
        </>
      )}
    </div>
  );
}

/** What is left to say: why an answer did not count, what a longer allowance covers, and the time. */
function Foot({ data, now, said }: { data: ApprovalData; now: number; said: string | null }): ComponentChildren {
  const { toolset, rule } = data;
  return (
    <>
      <p class="ask-said" role="status">{said}</p>
      <p class="ask-foot">
        <span>
          {toolset && (
            <span>
              From the toolset <code>{toolset}</code>.
            </span>
          )} {rule ? `For longer than once means: ${ruleWords(rule)}` : "It can only be allowed this once"}
        </span>
        {data.expires_at && <Remaining until={data.expires_at} now={now} />}
      </p>
    </>
  );
}

/** What a key asks for on this card; `null` for one that is none of its. */
function actOf(event: KeyboardEvent, data: ApprovalData): ApprovalScope | "deny" | "edit" | null {
  if (isKey(event, "deny")) return "deny";
  if (isKey(event, "edit_call")) return "edit";
  const scope = SCOPES.find(([, , key]) => key !== null && isKey(event, key))?.[0];
  return scope && (scope === "once" || data.rule) ? scope : null;
}

/** The parts that are written in; `null` until they are there. */
function useForms(wanted: boolean): Forms | null {
  const [forms, setForms] = useState<Forms | null>(null);
  useEffect(() => {
    if (wanted) import("./Forms.tsx").then(setForms, () => {/* without them what needs no writing still works */});
  }, []);
  return forms;
}

/**
 * Comes to the card where nothing else has the focus, and hands it on when the card goes. The function it gives says whether
 * letters count by now.
 */
function useFocus(card: { readonly current: HTMLElement | null }): () => boolean {
  const came = useRef(-Infinity);
  useEffect(() => {
    const element = card.current;
    if (hasNoFocus() && !isSomethingOpen("over the page")) {
      element?.focus({ preventScroll: true });
      came.current = performance.now();
    }
    return () => {
      if (!element?.contains(document.activeElement)) return;
      requestAnimationFrame(() => {
        const next = document.querySelector<HTMLElement>(".ask-card") ?? document.getElementById("log");
        if (hasNoFocus()) next?.focus({ preventScroll: next.id === "log" });
      });
    };
  }, []);
  return () => performance.now() - came.current > SETTLES;
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
