/**
 * All of approvals for one assistant: policies, desk, rules and reviewers, made from the config.
 *
 * @module
 */
import type { Config } from "../../config/mod.ts";
import type { ConversationBook } from "../../conversation/mod.ts";
import type { ApprovalData, Feed, LogReader, Turn } from "../../log/mod.ts";
import type { ModelClient } from "../../model/mod.ts";
import type { Storage } from "../../storage/mod.ts";
import { ApprovalPolicies, PERMISSION_KINDS, type RegisteredToolset, type ToolsetRegistry } from "../../tool/mod.ts";
import { type After, ApprovalDesk } from "./desk.ts";
import { ReviewPanel } from "./review_panel.ts";
import { RuleStore } from "./rule_store.ts";
import { autoApprovalOf, reviewerWarnings, SHIPPED_ENTRIES, toolNames } from "./start_checks.ts";
import { TurnGate } from "./turn_gate.ts";

export interface ApprovalsOptions {
  readonly config: Config;
  readonly registry: ToolsetRegistry;
  readonly storage: Storage;
  readonly book: ConversationBook;
  readonly log: LogReader;
  readonly feed: Feed;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly defaultModel: () => Promise<string>;
  /** A client that nobody else has. */
  readonly connect: (model: string) => ModelClient;
  readonly report: (level: "INFO" | "WARNING", subsystem: string, message: string) => void;
  /** A timer if absent. */
  readonly after?: After;
}

/** What the assistant and its turns need of approvals. */
export interface ApprovalHouse {
  readonly desk: ApprovalDesk;
  readonly policies: ApprovalPolicies;
  /** The gate of a turn; `request` is what the person asked of it. */
  gateOf(turn: Pick<Turn, "origin">, request: string): TurnGate;
  /** Called when every agent is wired and the default model is known: from here on calls are decided (K-184, K-187). */
  resolve(defaultModel: string): void;
}

/** Makes them. Nothing is asked or opened. */
export function openApprovals(options: ApprovalsOptions): ApprovalHouse {
  const { config, registry, storage, book, log, feed, now, report } = options;
  const policies = new ApprovalPolicies(config, SHIPPED_ENTRIES);
  registry.watchBuilds((agent, toolset, tools) => policies.built(agent, toolset, tools));
  const rules = new RuleStore(storage.database, options.newId, now);
  const timeoutMs = config.security.approvalTimeout * 1000;
  const desk = new ApprovalDesk({ book, log, feed, rules, now, timeoutMs, after: options.after });
  const { enabled, reviewers, timeoutMs: patienceMs, most } = autoApprovalOf(config);
  const panel = enabled
    ? new ReviewPanel({
      reviewers,
      defaultModel: options.defaultModel,
      connect: options.connect,
      timeoutMs: patienceMs,
      most,
      report,
    })
    : undefined;
  const services = {
    policies,
    desk,
    rules,
    panel,
    providerOf: (toolset: string) => registry.find(toolset)?.provider,
    permissionsOf: (toolset: string) => reachOf(registry.find(toolset)),
  };
  return {
    desk,
    policies,
    gateOf: (turn, request) => new TurnGate(services, turn, request),
    resolve(defaultModel) {
      policies.resolve(toolNames(config, registry));
      for (const warning of reviewerWarnings(config, defaultModel)) report("WARNING", "approvals", warning);
    },
  };
}

/** What the code behind a toolset may reach: of a third party's every kind, since an empty list is "nothing". */
function reachOf(found: RegisteredToolset | undefined): ApprovalData["permissions"] {
  const granted = found?.granted ?? {};
  if (found?.provider === "plugin") {
    return Object.fromEntries(PERMISSION_KINDS.map((kind) => [kind, granted[kind] ?? []]));
  }
  return Object.keys(granted).length === 0 ? undefined : { ...granted };
}
