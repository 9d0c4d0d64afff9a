/**
 * The gate of one turn: the order in which a call is decided (K-186 and B.1, as ARCHITECTURE section 12 amends them), what it
 * was allowed "for this turn", and its budget of reviews (K-106).
 *
 * In order, the first that fits: the gates are not resolved (throw); not gated, and not something to be remembered of a turn
 * that has read from outside (run); nobody began this turn (deny); a rule of the person covers it (run); a reviewer may
 * answer, nothing is remembered from outside, somebody watches, all approve, and somebody still watches (run); else the
 * person decides. Where nobody watches, the question waits with an alert instead of being denied.
 *
 * Invariants (tests/core/turn/approvals/turn_gate_test.ts)
 * 1. An unattended turn is denied at once, whatever rules there are: nobody is asked, no reviewer either (K-096, K-202).
 * 2. A reviewer is asked only while somebody watches, and what it approved runs only if somebody still does; otherwise no
 *    approved card is left behind (K-204).
 * 3. A turn that has read from outside asks the person before it remembers, in whichever of its runs, unless a rule of theirs
 *    allows it; no reviewer answers (casebook, "memory poisoning").
 * 4. Every gated call leaves an entry that says who decided, and it is durable before the call runs; the call's own says
 *    that it waits before that.
 *
 * @module
 */
import type { Recorder } from "../../agent/mod.ts";
import type { ApprovalData, ApprovalRule, ApprovalScope, ReviewerVerdict, Turn, TurnOrigin } from "../../log/mod.ts";
import {
  type ApprovalPolicies,
  type Gate,
  type GateAnswer,
  type GatedCall,
  readsOutside,
  remembers,
  ruleCovers,
  ruleFor,
  type ToolsetProvider,
} from "../../tool/mod.ts";
import type { ApprovalDesk } from "./desk.ts";
import { isApproved, type ReviewBudget, type ReviewPanel } from "./review_panel.ts";
import type { RuleStore } from "./rule_store.ts";
import { deniedText, UNATTENDED } from "./sentences.ts";

/** What gates of turns are made with. */
export interface GateServices {
  readonly policies: ApprovalPolicies;
  readonly desk: ApprovalDesk;
  readonly rules: Pick<RuleStore, "find">;
  /** Absent while auto-approval is off. */
  readonly panel?: ReviewPanel;
  /** Where a toolset comes from; `undefined` for the loop's own. */
  readonly providerOf: (toolset: string) => ToolsetProvider | undefined;
  /** What the code behind a toolset may reach, where that is bounded. */
  readonly permissionsOf: (toolset: string) => ApprovalData["permissions"];
}

export class TurnGate {
  readonly #services: GateServices;
  readonly #turn: Pick<Turn, "origin">;
  readonly #request: string;
  readonly #rules: ApprovalRule[] = [];
  readonly #budget: ReviewBudget = { used: 0 };
  /** Whether any run of the turn has read what others wrote. */
  #hasReadOutside = false;

  /** `request` is what the person asked of the turn. */
  constructor(services: GateServices, turn: Pick<Turn, "origin">, request: string) {
    this.#services = services;
    this.#turn = turn;
    this.#request = request;
  }

  /** The gate of one run of this turn: the entry agent's or a sub-agent's. `recorder` writes its entries (K-185). */
  forRun(recorder: Recorder): Gate {
    return { decide: (call, signal) => this.#decide(call, recorder, signal) };
  }

  async #decide(call: GatedCall, recorder: Recorder, signal: AbortSignal): Promise<GateAnswer> {
    const { policies, desk, providerOf } = this.#services;
    const { gated, reviewable } = policies.demand(call.agent, call.toolset, call.tool);
    const isTainted = this.#hasReadOutside && remembers(call.toolset, call.tool);
    this.#hasReadOutside ||= readsOutside(call.toolset, call.tool, providerOf(call.toolset));
    if (!gated && !isTainted) return { allow: true };
    signal.throwIfAborted();
    await call.waits();
    signal.throwIfAborted();
    const about: ApprovalData = { ...this.#entryData(call), ...gated ? {} : { cause: "outside" } };
    if (isUnattended(this.#turn.origin)) {
      const data = { ...about, decision: "deny", by: "policy", reason: UNATTENDED } as const;
      await recorder.decided(data);
      return { allow: false, reason: deniedText(data) };
    }
    const standing = await this.#standingRule(call);
    signal.throwIfAborted();
    if (standing) {
      await recorder.decided({ ...about, ...standing, decision: "allow", by: "policy" });
      return { allow: true };
    }
    const verdicts = reviewable && !isTainted ? await this.#review(call, signal) : [];
    signal.throwIfAborted();
    const said = verdicts.length > 0 ? { verdicts } : {};
    if (isApproved(verdicts)) {
      const reason = verdicts.at(-1)?.reason;
      await recorder.decided({ ...about, ...said, decision: "allow", by: "reviewer", scope: "once", reason });
      return { allow: true };
    }
    const rule = ruleFor(call, { floor: policies.floor, provider: providerOf(call.toolset) });
    const data = { ...about, ...said, ...rule && { rule } };
    return await desk.ask({ call, data, recorder, turnRules: this.#rules }, signal);
  }

  #entryData({ entry, agent, toolset, tool, arguments: given }: GatedCall): ApprovalData {
    const permissions = this.#services.permissionsOf(toolset);
    return { entry, agent, toolset, tool, arguments: given, ...permissions && { permissions } };
  }

  async #standingRule(
    call: GatedCall,
  ): Promise<{ readonly rule: ApprovalRule; readonly scope: ApprovalScope } | null> {
    const rule = this.#rules.find((each) => ruleCovers(each, call));
    return rule ? { rule, scope: "turn" } : await this.#services.rules.find(call, call.conversation);
  }

  async #review(call: GatedCall, signal: AbortSignal): Promise<readonly ReviewerVerdict[]> {
    const { panel, desk } = this.#services;
    if (!panel || !desk.isAttended(call.conversation)) return [];
    const verdicts = await panel.review({ call, request: this.#request, budget: this.#budget }, signal);
    if (!isApproved(verdicts) || desk.isAttended(call.conversation)) return verdicts;
    // It takes long enough to look away: what was approved unseen is the person's to decide after all.
    return panel.withdraw(call, verdicts);
  }
}

function isUnattended(origin: TurnOrigin): boolean {
  switch (origin) {
    case "task":
    case "trigger":
    case "channel":
      return true;
    case "person":
    case "follow_up":
    case "rerun":
      return false;
    default:
      return origin satisfies never;
  }
}
