/**
 * Writes `catalogue.json` from the model data of npm `@earendil-works/pi-ai` (MIT; CATALOGUE.md says more). A maintainer
 * runs it by hand when the data moves on; nothing at run time depends on that package.
 *
 * ```sh
 * npm pack @earendil-works/pi-ai@1.6.0 && tar xzf earendil-works-pi-ai-1.6.0.tgz
 * deno run --allow-read --allow-write core/model/catalogue_build.ts package
 * ```
 *
 * @module
 */
import { z } from "zod";
import type { CatalogueModel } from "./catalogue.ts";
import type { ModelPrice } from "./contract.ts";
import type { ModelQuirks, ThinkingLevels } from "./quirks.ts";

/** Our catalogue's sections, named as the source names them. */
export const CATALOGUE_PROVIDERS = [
  "openai",
  "anthropic",
  "google",
  "groq",
  "deepseek",
  "mistral",
  "openrouter",
] as const;

const Rate = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number().optional(),
  cacheWrite: z.number().optional(),
});

const SourceModel = z.object({
  id: z.string(),
  type: z.string().default("chat"),
  reasoning: z.boolean().default(false),
  input: z.array(z.string()),
  cost: Rate.extend({ tiers: z.array(Rate.extend({ inputTokensAbove: z.number() })).optional() }),
  contextWindow: z.number(),
  maxTokens: z.number().default(0),
  thinkingLevelMap: z.record(z.string(), z.string().nullable()).optional(),
  compat: z.looseObject({
    forceAdaptiveThinking: z.boolean().optional(),
    supportsTemperature: z.boolean().optional(),
    maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
    thinkingFormat: z.string().optional(),
    requiresReasoningContentOnAssistantMessages: z.boolean().optional(),
  }).optional(),
});

/** One model as the source describes it. */
export type SourceModel = z.output<typeof SourceModel>;

const SourceFile = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Reads one of the source's files: every chat model in it that a person would choose by name. */
export function readSource(text: string): readonly SourceModel[] {
  return Object.values(SourceFile.parse(JSON.parse(text)))
    .flatMap((models) => Object.values(models))
    .map((model) => model as { readonly type?: string })
    .filter((model) => (model.type ?? "chat") === "chat")
    .map((model) => SourceModel.parse(model))
    .filter((model) => !model.id.endsWith(":batch") && !model.id.startsWith("~"));
}

/** Our record of a source model. Zero cache prices mean "no price of its own" there, and are left out here. */
export function toCatalogueModel(provider: string, model: SourceModel): CatalogueModel {
  const quirks = toQuirks(provider, model);
  return {
    window: model.contextWindow,
    ...(model.maxTokens > 0 ? { output: model.maxTokens } : {}),
    ...(model.input.includes("image") ? { images: true } : {}),
    ...(model.reasoning ? { thinking: true } : {}),
    ...toPrice(model),
    ...(Object.keys(quirks).length > 0 ? { quirks } : {}),
  };
}

/** No price where the source has none: it writes zero for both, which only a `:free` variant means. */
function toPrice({ id, cost }: SourceModel): { readonly price?: ModelPrice } {
  if (cost.input < 0 || cost.output < 0) return {};
  if (cost.input === 0 && cost.output === 0 && !id.endsWith(":free")) return {};
  const rate = (from: z.output<typeof Rate>) => ({
    input: tidy(from.input),
    output: tidy(from.output),
    ...(from.cacheRead ? { cache_read: tidy(from.cacheRead) } : {}),
    ...(from.cacheWrite ? { cache_write: tidy(from.cacheWrite) } : {}),
  });
  const tiers = cost.tiers?.map((tier) => ({ above: tier.inputTokensAbove, ...rate(tier) }));
  return { price: { ...rate(cost), ...(tiers === undefined || tiers.length === 0 ? {} : { tiers }) } };
}

/** Without the noise of a multiplication by a million. */
function tidy(price: number): number {
  return Number(price.toPrecision(8));
}

function toQuirks(provider: string, model: SourceModel): ModelQuirks {
  const compat = model.compat ?? {};
  // OpenAI's reasoning models take no sampling parameters; the source leaves that to its code.
  const noSampling = compat.supportsTemperature === false || (provider === "openai" && model.reasoning);
  const format = provider === "groq" ? "groq" : compat.thinkingFormat;
  const levels = toLevels(model);
  return {
    ...(compat.forceAdaptiveThinking ? { adaptiveThinking: true } : {}),
    ...(noSampling ? { noSampling: true } : {}),
    ...(compat.maxTokensField === undefined ? {} : { maxTokensField: compat.maxTokensField }),
    ...(model.reasoning && (format === "groq" || format === "deepseek") ? { thinkingFormat: format } : {}),
    ...(compat.requiresReasoningContentOnAssistantMessages ? { replayThinking: true } : {}),
    ...(levels === undefined ? {} : { levels }),
  };
}

/** The source's map, cut to our levels; a value equal to its own name is left out, as that is the default. */
function toLevels(model: SourceModel): ThinkingLevels | undefined {
  const map = model.thinkingLevelMap;
  if (!model.reasoning || map === undefined) return undefined;
  const levels: Record<string, string | null> = {};
  for (const level of ["off", "low", "medium", "high"] as const) {
    const value = map[level];
    if (value !== undefined && value !== level) levels[level] = value;
  }
  return Object.keys(levels).length === 0 ? undefined : levels;
}

/** The file's text: one model a line, so that a difference between two versions can be read. */
export function formatCatalogue(source: string, sections: Readonly<Record<string, readonly SourceModel[]>>): string {
  const blocks = Object.entries(sections).map(([provider, models]) => {
    const lines = [...models]
      .sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
      .map((model) => `    ${JSON.stringify(model.id)}: ${JSON.stringify(toCatalogueModel(provider, model))}`);
    return `  ${JSON.stringify(provider)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n  "source": ${JSON.stringify(source)},\n${blocks.join(",\n")}\n}\n`;
}

if (import.meta.main) {
  const folder = Deno.args[0];
  if (folder === undefined) {
    console.error("Name the unpacked package's folder, such as: catalogue_build.ts ./package");
    Deno.exit(2);
  }
  const manifest = z.object({ name: z.string(), version: z.string() })
    .parse(JSON.parse(await Deno.readTextFile(`${folder}/package.json`)));
  const sections: Record<string, readonly SourceModel[]> = {};
  for (const provider of CATALOGUE_PROVIDERS) {
    sections[provider] = readSource(await Deno.readTextFile(`${folder}/dist/providers/data/${provider}.json`));
  }
  const text = formatCatalogue(`${manifest.name}@${manifest.version}, MIT, by Mario Zechner`, sections);
  await Deno.writeTextFile(new URL("./catalogue.json", import.meta.url), text);
  console.log(`${Object.values(sections).flat().length} models, ${Math.round(text.length / 1024)} kB`);
}
