/**
 * What takes the place of a question's buttons while something is written: the reason of a denial, other arguments, or a rule
 * before it is kept. Loaded when a card is there.
 *
 * @module
 */
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import type { ApprovalAnswer, ApprovalData } from "../../core/log/entry.ts";
import { exactJson } from "./exact.ts";
import { ruleWords } from "./words.ts";
import { ExactJson } from "./Value.tsx";

export interface FormProps {
  readonly data: ApprovalData;
  /** It cannot be answered now. */
  readonly held: boolean;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  readonly onBack: () => void;
}

/** Denies, with a reason or without. */
export function DenyForm({ data, held, onAnswer, onBack }: FormProps): VNode {
  const id = useId();
  const [reason, setReason] = useState("");
  return (
    <form
      class="answers ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = reason.trim();
        onAnswer({ decision: "deny", ...given !== "" && { reason: given } });
      }}
    >
      <label for={id}>Deny {data.tool}. A reason helps the model choose another way</label>
      <input
        class="field-box"
        id={id}
        ref={focusFirst}
        type="text"
        maxLength={2000}
        placeholder="Reason, if you like"
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <button type="submit" class="button strong" aria-disabled={held}>Deny</button>
      <Back onBack={onBack} />
    </form>
  );
}

/** Says in words what would be kept, and then keeps it. */
export function AlwaysForm({ data, held, onAnswer, onBack }: FormProps): VNode | null {
  const { rule } = data;
  if (!rule) return null;
  return (
    <form
      class="answers ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ decision: "allow", scope: "always" });
      }}
    >
      <div class="ask-rule">
        <p>
          The rule that is kept: <strong>Always {ruleWords(rule)}</strong>. Permissions lists it, and takes it back.
        </p>
        {rule.arguments !== undefined && <ExactJson value={rule.arguments} />}
      </div>
      <button type="submit" class="button strong" ref={focusFirst} aria-disabled={held}>Keep the rule and allow</button>
      <Back onBack={onBack} />
    </form>
  );
}

/** The arguments as JSON, to be changed before the call runs once. */
export function EditForm({ data, held, onAnswer, onBack }: FormProps): VNode {
  const id = useId();
  const [text, setText] = useState(() => exactJson(data.arguments ?? {}));
  const read = readJson(text);
  const [tried, setTried] = useState(false);
  const wrong = "problem" in read && tried;
  return (
    <form
      class="answers ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if ("value" in read) onAnswer({ decision: "allow", scope: "once", arguments: read.value });
      }}
    >
      <label for={id}>The arguments {data.tool} runs with, as JSON</label>
      <textarea
        class="field-box"
        id={id}
        ref={focusFirst}
        rows={Math.min(16, text.split("\n").length + 1)}
        spellcheck={false}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {wrong && <p id={`${id}-wrong`} class="ask-wrong" role="alert">{read.problem}</p>}
      <button type="submit" class="button strong" aria-disabled={held}>Allow once with these</button>
      <Back onBack={onBack} />
    </form>
  );
}

function Back({ onBack }: { onBack: () => void }): VNode {
  return (
    <button type="button" class="button" onClick={onBack}>
      Back <kbd aria-hidden="true">Esc</kbd>
    </button>
  );
}

function focusFirst(element: HTMLElement | null): void {
  if (element && !element.closest("form")?.contains(document.activeElement)) element.focus();
}

/** What a text holds as JSON, or what is wrong with it, in a sentence. Exported for the tests. */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { problem: `This is not JSON yet: ${detail}` };
  }
}
