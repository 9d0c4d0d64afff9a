/**
 * The permissions page: what is allowed from now on, which calls ask first, and what the code of toolsets may reach.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import type { AgentSummary, ToolsetSummary } from "../../core/assistant.ts";
import { grantTable, missingGrants } from "../../core/sandbox/mod.ts";
import type { StoredRule } from "../../core/turn/mod.ts";
import { Reach } from "../approval/Reach.tsx";
import { ExactJson } from "../approval/Value.tsx";
import { ruleWords } from "../approval/words.ts";
import Copy from "../../islands/Copy.tsx";
import { fullTime, some } from "../words.ts";

/** A toolset with what its code wants to reach and what it may. */
export interface ShownToolset extends ToolsetSummary {
  /** The table of `config.toml` that grants what is missing; `null` when nothing is. */
  readonly paste: string | null;
}

/** The rules, each with a button that takes it back. `revoked` is the id of the one that was taken back just now. */
export function Rules({ rules, revoked }: { rules: readonly StoredRule[]; revoked: string | null }): VNode {
  return (
    <Section id="rules" title="Allowed from now on">
      {revoked !== null && (
        <form method="post" class="notice revoked">
          <span role="status">The rule was revoked: such a call asks again.</span>
          <span class="acts">
            <button type="submit" class="link" name="restore" value={revoked}>Undo</button>
          </span>
        </form>
      )}
      {rules.length === 0
        ? <p class="help">None yet. “Always” in a decision keeps a rule, and it appears here.</p>
        : (
          <ul role="list" class="rules">
            {rules.map((rule) => (
              <li key={rule.id}>
                <div>
                  <p id={`rule-${rule.id}`}>Always {ruleWords(rule)}</p>
                  {rule.arguments !== undefined && <ExactJson value={rule.arguments} />}
                  <p class="help">
                    From the toolset <code>{rule.toolset}</code>, kept on {fullTime(rule.created_at)}
                  </p>
                </div>
                <form method="post">
                  <button
                    type="submit"
                    class="button small"
                    name="revoke"
                    value={rule.id}
                    id={`revoke-${rule.id}`}
                    aria-labelledby={`revoke-${rule.id} rule-${rule.id}`}
                  >
                    Revoke
                  </button>
                </form>
              </li>
            ))}
          </ul>
        )}
    </Section>
  );
}

/** Which calls of each agent ask first, and which of those a reviewer may answer. */
export function Gates({ agents }: { agents: readonly AgentSummary[] }): VNode {
  return (
    <Section id="gates" title="What asks first">
      <p class="help">
        From <code>confirm</code> and <code>review</code> of each agent’s table, or of <code>[assistant.tools]</code>
        {" "}
        where it has none of its own.
      </p>
      <dl class="settings">
        {agents.map(({ name, gates }) => (
          <div key={name} class={gates.confirm.length > 0 ? "set" : undefined}>
            <dt>{name}</dt>
            <dd>
              <span class="value">
                {gates.confirm.length === 0 ? "Nothing asks" : <Names names={gates.confirm} />}
              </span>
              <span class="help">
                {gates.review.length > 0 && (
                  <>
                    A reviewer may answer for <Names names={gates.review} />
                  </>
                )}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** What the code behind each toolset wants to reach and may. */
export function Toolsets({ toolsets }: { toolsets: readonly ShownToolset[] }): VNode {
  return (
    <Section id="toolsets" title="What code may reach">
      <p class="help">
        Toolsets that come with Malama run in it. Those of others run in processes of their own, with what is granted
        here and nothing else.
      </p>
      <ul role="list" class="rules">
        {toolsets.map((toolset) => <ToolsetLine key={toolset.name} toolset={toolset} />)}
      </ul>
    </Section>
  );
}

function ToolsetLine({ toolset }: { toolset: ShownToolset }): VNode {
  const { name, provider, description, wanted, granted, problem, from, tools, paste } = toolset;
  const asks = Object.values(wanted).some((list) => (list?.length ?? 0) > 0);
  const isOurs = provider === "built-in";
  return (
    <li id={`toolset-${name}`}>
      <div>
        <h3>
          <code>{name}</code> <span class="help">{isOurs ? "comes with Malama" : provider}</span>
        </h3>
        <p>
          {description}. {some(tools.length, "tool")}
          {from !== null && (
            <>
              , from <code>{from}</code>
            </>
          )}
        </p>
        {problem !== null && (
          <p class="problem">
            <span class="bad">It cannot be used.</span> {problem}
          </p>
        )}
        {(asks || !isOurs) && <Reach permissions={{ ...granted }} />}
        {paste !== null && (
          <div class="paste">
            <p class="help">
              It asks for more than it has. To grant that, put this in <code>config.toml</code>, and start again:
            </p>
            <div class="listing">
              <div class="listing-head">
                <span class="file">config.toml</span>
                <span class="spring" />
                <Copy text={paste} label={`Copy the table for ${name}`} />
              </div>
              <pre tabIndex={0} role="region" aria-label={`The table for ${name}`}>{paste}</pre>
            </div>
          </div>
        )}
      </div>
    </li>
  );
}

function Names({ names }: { names: readonly string[] }): VNode {
  return (
    <>
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <code>{name}</code>
        </span>
      ))}
    </>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ComponentChildren }): VNode {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Tells of each toolset what to paste. Grants are read as from the folder of the config file. */
export async function withTables(
  toolsets: readonly ToolsetSummary[],
  folder: string,
): Promise<readonly ShownToolset[]> {
  return await Promise.all(toolsets.map(async (toolset) => {
    const { name, provider, wanted, granted } = toolset;
    if (provider === "built-in") return { ...toolset, paste: null };
    return { ...toolset, paste: grantTable(name, granted, await missingGrants(wanted, granted, folder)) };
  }));
}
