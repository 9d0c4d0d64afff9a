/**
 * Rules that outlive their turn: for a conversation, or from now on. They are rows, not entries, so that neither a copy nor
 * an import of a conversation brings an allowance with it.
 *
 * Invariants (tests/core/turn/approvals/rule_store_test.ts)
 * 1. The same rule is kept once.
 * 2. A conversation's rules go with it.
 * 3. One that was revoked comes back as it was, for ten minutes; one that was never kept does not.
 *
 * @module
 */
import type { ApprovalRule, ApprovalScope } from "../../log/mod.ts";
import type { Database, Row } from "../../storage/mod.ts";
import { canonicalJson, type RuledCall } from "../../tool/mod.ts";
import { RuleNotFound, type StoredRule } from "./contract.ts";

/** How long a rule that was revoked can be brought back, in milliseconds. */
const UNDO_MS = 10 * 60_000;

/** Keeps rules in `approval_rules`. */
export class RuleStore {
  /** What was revoked a while ago, by id, with when. */
  readonly #revoked = new Map<string, { readonly rule: StoredRule; readonly at: number }>();
  readonly #database: Database;
  readonly #newId: () => string;
  readonly #now: () => Date;

  constructor(database: Database, newId: () => string, now: () => Date) {
    this.#database = database;
    this.#newId = newId;
    this.#now = now;
  }

  /** Keeps a rule, for one conversation or (`null`) everywhere. Gives its id, or `null` when the same one was kept before. */
  async add(rule: ApprovalRule, conversation: string | null): Promise<string | null> {
    const id = this.#newId();
    return await this.#insert({ ...rule, id, conversation, created_at: this.#now().toISOString() }) ? id : null;
  }

  /** The rule that lets a call run, with how long it holds; `null` when there is none. The wider one goes first. */
  async find(
    call: RuledCall,
    conversation: string,
  ): Promise<{ readonly rule: ApprovalRule; readonly scope: ApprovalScope } | null> {
    const [row] = await this.#database.read(
      `select * from approval_rules where agent = ? and toolset = ? and tool = ?
         and (conversation is null or conversation = ?) and (arguments is null or arguments = ?)
       order by conversation is not null, arguments is not null limit 1`,
      [call.agent, call.toolset, call.tool, conversation, canonicalJson(call.arguments)],
    );
    if (!row) return null;
    const { agent, toolset, tool, arguments: given, conversation: home } = ruleOfRow(row);
    const rule = { agent, toolset, tool, ...given !== undefined && { arguments: given } };
    return { rule, scope: home === null ? "always" : "conversation" };
  }

  /** The rules that hold everywhere, or those of one conversation. */
  async list(conversation?: string): Promise<readonly StoredRule[]> {
    const rows = await this.#database.read(
      "select * from approval_rules where conversation is ? order by id",
      [conversation ?? null],
    );
    return rows.map(ruleOfRow);
  }

  /** Ends a rule. Throws `RuleNotFound`. */
  async remove(id: string): Promise<void> {
    const [rows] = await this.#database.write([{
      sql: "delete from approval_rules where id = ? returning *",
      args: [id],
    }]);
    const [row] = rows ?? [];
    if (!row) throw new RuleNotFound(id);
    this.#forget();
    this.#revoked.set(id, { rule: ruleOfRow(row), at: this.#now().getTime() });
  }

  /** Brings back a rule that was removed in the last ten minutes, and gives it. Throws `RuleNotFound`. */
  async restore(id: string): Promise<StoredRule> {
    this.#forget();
    const rule = this.#revoked.get(id)?.rule;
    if (!rule) throw new RuleNotFound(id);
    await this.#insert(rule);
    this.#revoked.delete(id);
    return rule;
  }

  /** `false` when the same one is there. */
  async #insert(rule: StoredRule): Promise<boolean> {
    const { id, conversation, agent, toolset, tool, arguments: given, created_at } = rule;
    const [rows = []] = await this.#database.write([{
      sql: `insert into approval_rules (id, conversation, agent, toolset, tool, arguments, created_at)
            values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning id`,
      args: [id, conversation, agent, toolset, tool, given === undefined ? null : canonicalJson(given), created_at],
    }]);
    return rows.length > 0;
  }

  #forget(): void {
    const oldest = this.#now().getTime() - UNDO_MS;
    for (const [id, { at }] of this.#revoked) if (at < oldest) this.#revoked.delete(id);
  }
}

function ruleOfRow(row: Row): StoredRule {
  return {
    id: String(row.id),
    conversation: row.conversation === null ? null : String(row.conversation),
    agent: String(row.agent),
    toolset: String(row.toolset),
    tool: String(row.tool),
    ...typeof row.arguments === "string" && { arguments: JSON.parse(row.arguments) },
    created_at: String(row.created_at),
  };
}
