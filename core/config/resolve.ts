/**
 * From the file's spelling to TypeScript's: the one place where the two meet.
 *
 * @module
 */
import { type CheckedTable, emptyTable } from "./check_tree.ts";
import type { AgentDeclaration, Config, GenerationSettings } from "./config.ts";
import type { Keys, SectionRule, SectionValues } from "./key_rule.ts";
import { dataFolder } from "./paths.ts";
import {
  agentKeys,
  agentToolKeys,
  assistant,
  assistantGeneration,
  assistantTools,
  frontend,
  generationKeys,
  logging,
  lookup,
  paths,
  security,
  storage,
  web,
} from "./sections/mod.ts";
import { isTable } from "./toml.ts";

type ValuesOf<K extends Keys> = SectionValues<SectionRule<K>>;

/** The parts of `Config` that come from the core's sections. The tree has been checked and holds every default. */
export function resolveTree(
  tree: CheckedTable,
  root: string,
): Pick<
  Config,
  | "root"
  | "dataDir"
  | "assistant"
  | "agents"
  | "web"
  | "storage"
  | "security"
  | "lookup"
  | "logging"
  | "frontend"
  | "prices"
> {
  const door = valuesAt(tree, web);
  return {
    root,
    dataDir: dataFolder(root, valuesAt(tree, paths).data_dir),
    assistant: assistantPart(tree),
    agents: agentsPart(tree.agents),
    web: {
      host: door.host,
      port: door.port,
      auth: door.auth,
      allowedHosts: door.allowed_hosts,
      basePath: door.base_path,
    },
    storage: written({ url: valuesAt(tree, storage).url }),
    security: securityPart(tree),
    lookup: lookupPart(tree),
    logging: { level: valuesAt(tree, logging).level },
    frontend: { name: valuesAt(tree, frontend).name },
    prices: tree.prices as Config["prices"],
  };
}

/** The values of one section of the tree, typed by its rule. Only for sections without a made-up name. */
export function valuesAt<R extends SectionRule>(tree: Readonly<Record<string, unknown>>, rule: R): SectionValues<R> {
  let value: unknown = tree;
  for (const part of rule.name.split(".")) value = isTable(value) ? value[part] : undefined;
  // The walker checked every value by this very rule, and the defaults are in place.
  return (value ?? {}) as SectionValues<R>;
}

function assistantPart(tree: CheckedTable): Config["assistant"] {
  const values = valuesAt(tree, assistant);
  const tools = valuesAt(tree, assistantTools);
  return {
    ...written({
      model: values.model,
      thinking: values.thinking,
      budgetTokens: values.budget_tokens,
      budgetCost: values.budget_cost,
    }),
    systemMessage: values.system_message,
    agent: values.agent,
    concurrentTools: values.concurrent_tools,
    maxIterations: values.max_iterations,
    generateTitles: values.generate_titles,
    captureRequests: values.capture_requests,
    agentCacheCap: values.agent_cache_cap,
    generation: generation(valuesAt(tree, assistantGeneration)),
    tools: { confirm: tools.confirm, review: tools.review },
  };
}

function securityPart(tree: CheckedTable): Config["security"] {
  const values = valuesAt(tree, security);
  return {
    approvalTimeout: values.approval_timeout,
    allowPrivateNetwork: values.allow_private_network,
    lockedConfigKeys: values.locked_config_keys,
    neverAutoApprove: values.never_auto_approve,
  };
}

function lookupPart(tree: CheckedTable): Config["lookup"] {
  const values = valuesAt(tree, lookup);
  return {
    ...written({ searchUrl: values.search_url }),
    searchKind: values.search_kind,
    wikipediaUrl: values.wikipedia_url,
    weatherUrl: values.weather_url,
    geocodingUrl: values.geocoding_url,
  };
}

type AgentTable = ValuesOf<typeof agentKeys> & {
  readonly tools: ValuesOf<typeof agentToolKeys>;
  readonly generation: ValuesOf<typeof generationKeys>;
};

function agentsPart(tables: unknown): Config["agents"] {
  const agents: Record<string, AgentDeclaration> = Object.create(null);
  for (const [name, table] of Object.entries(isTable(tables) ? tables : emptyTable())) {
    agents[name] = agentPart(name, table as AgentTable);
  }
  return agents;
}

function agentPart(name: string, table: AgentTable): AgentDeclaration {
  const { available, resident, confirm, review } = table.tools;
  return {
    name,
    ...written({
      description: table.description,
      systemMessage: table.system_message,
      model: table.model,
      thinking: table.thinking,
      maxIterations: table.max_iterations,
      budgetTokens: table.budget_tokens,
      budgetCost: table.budget_cost,
    }),
    delegatesTo: table.delegates_to ?? [],
    generation: generation(table.generation),
    tools: { available: available ?? [], ...written({ resident, confirm, review }) },
  };
}

function generation(values: ValuesOf<typeof generationKeys>): GenerationSettings {
  return written({ ...values });
}

/** The table without what is unset, so that "is it there" can be asked (K-027). */
function written<T extends object>(table: T): { [K in keyof T]: T[K] } {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: T[K];
  };
}
