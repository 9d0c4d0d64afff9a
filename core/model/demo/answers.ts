/**
 * What the tour says when no tool is needed, as Markdown. The first thing a person reads here, so each text is written to be
 * worth reading, and says plainly what it is.
 *
 * @module
 */
import type { ToolSpec } from "../contract.ts";
import { ASK, canHandOver, CLOCK_TOOL, SUM_TOOL, tourOpenings } from "./openings.ts";

/**
 * Providers with a key, each with its variable and a model that is in the catalogue
 * (tests/core/model/demo/answers_test.ts).
 */
export const KEYED_EXAMPLES = [
  { provider: "Anthropic", variable: "ANTHROPIC_API_KEY", model: "anthropic:claude-sonnet-5" },
  { provider: "OpenAI", variable: "OPENAI_API_KEY", model: "openai:gpt-5.4-mini" },
  { provider: "Google", variable: "GEMINI_API_KEY", model: "google:gemini-3.5-flash" },
  { provider: "Mistral", variable: "MISTRAL_API_KEY", model: "mistral:mistral-medium-latest" },
  { provider: "OpenRouter", variable: "OPENROUTER_API_KEY", model: "openrouter:z-ai/glm-4.7" },
] as const;

/** How to connect a real model: on this machine, or with a key. */
export function connectAnswer(): string {
  const rows = KEYED_EXAMPLES.map(({ provider, variable, model }) =>
    `| ${provider} | \`${variable}\` | \`${model}\` |`
  );
  return `There are two ways. Until you take one of them, nothing leaves this machine.

### On this machine

Start a local model server and Malama finds it by itself the next time it starts. With [Ollama](https://ollama.com), that is:

\`\`\`sh
ollama pull qwen3:8b
\`\`\`

LM Studio, llama.cpp's server and vLLM are found on their usual ports too. A model that can call tools is preferred. For a \
server somewhere else, give its address: \`ollama:qwen3:8b@http://192.168.1.20:11434\`.

### With a key

Set the provider's key in the environment, then name the model in \`config.toml\`:

\`\`\`toml
[assistant]
model = "${KEYED_EXAMPLES[0].model}"
\`\`\`

| Provider | Variable for the key | A model to name |
| --- | --- | --- |
${rows.join("\n")}

A key is only ever read from the environment, never from the file. And a key alone changes nothing: a model in the cloud is \
used when you name it, and not before.`;
}

/** What the demonstration and the tools at hand can do. */
export function helpAnswer(tools: readonly ToolSpec[]): string {
  return `This is Malama with its built-in demonstration model. It is a set of rules, not a language model, so it understands \
only a handful of requests. Everything around it is real: this conversation, which is kept on your disk, the tools, and \
the way they are called.

${toolSection(tools)}

### What I answer myself

- *${ASK.answer}*, to see how an answer is set.
- *${ASK.name}*, and later *What is my name?*. What you say is kept with the conversation, also over a restart.
- *${ASK.connect}*, which is the best thing to ask next.

### What I cannot do

Anything else. I do not understand free text, and I never approve anything in your place. With a real model connected, the \
same page and the same tools do what you actually ask.`;
}

function toolSection(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return "### Tools\n\nThis agent has no tools, so I can only talk.";
  const shown = tools.slice(0, 12).map((tool) => `| \`${tool.name}\` | ${cell(firstSentence(tool.description))} |`);
  const more = tools.length > 12 ? `\n\nAnd ${tools.length - 12} more.` : "";
  const examples = examplesFor(tools).map((say) => `*${say}*`);
  const ask = examples.length === 0 ? "" : `\n\nTo see them at work, ask ${examples.join(" or ")}. ` +
    "Join two requests with *and also* and they run side by side; with *and then*, one after the other.";
  return `### Tools I can call for you\n\n| Tool | What it does |\n| --- | --- |\n${shown.join("\n")}${more}${ask}`;
}

/** Requests that use the tools at hand. */
function examplesFor(tools: readonly ToolSpec[]): readonly string[] {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const sum = has(SUM_TOOL) || canHandOver(tools);
  return [
    ...(has(CLOCK_TOOL) ? [ASK.time] : []),
    ...(sum ? [ASK.sum] : []),
    ...(has(CLOCK_TOOL) && sum ? [ASK.both] : []),
  ];
}

/** A formatted answer: prose, a table, code and mathematics. The figures are right (tests/core/model/demo/answers_test.ts). */
export const FORMATTED_ANSWER = `Here is a small worked answer, to show how one is set. The subject is money left alone.

### Savings that grow

A sum $P$ that earns the rate $r$ once a year is worth, after $n$ years,

$$A = P\\,(1 + r)^n$$

For 1,000 at 4 % that gives:

| Years | Worth | Of which interest |
| ---: | ---: | ---: |
| 1 | 1,040.00 | 40.00 |
| 5 | 1,216.65 | 216.65 |
| 10 | 1,480.24 | 480.24 |
| 20 | 2,191.12 | 1,191.12 |

The same in TypeScript:

\`\`\`ts
/** What a sum is worth after some years at a yearly rate. */
function worth(sum: number, rate: number, years: number): number {
  return sum * (1 + rate) ** years;
}

worth(1000, 0.04, 20).toFixed(2); // "2191.12"
\`\`\`

> The table was written beforehand: this is the demonstration model. With a calculator at hand you can check it, by asking \
*What is 1000 \\* 1.04^20?*

What else an answer may hold:

1. numbered steps, **strong** and *quiet* words, and \`code\` inside a line;
2. a [link](https://ollama.com), which opens only when you follow it;
3. lists inside lists
   - like this one.`;

/** For what no rule matches. */
export function beyondAnswer(question: string, tools: readonly ToolSpec[]): string {
  const asked = question === "" ? "That message" : `“${clip(question, 80)}”`;
  const offers = tourOpenings(tools).filter((opening) => opening.say !== ASK.connect);
  return `${asked} is beyond me. I am Malama's demonstration model: I follow rules, and none of them fits.

These work:

${offers.map((opening) => `- *${opening.say}* (${opening.shows})`).join("\n")}

A real model would take your request from here. Ask *${ASK.connect}*, and this conversation can go on with it.`;
}

/** To a greeting. */
export function greetingAnswer(tools: readonly ToolSpec[]): string {
  const [help, next] = tourOpenings(tools);
  return "Hello. I am Malama's demonstration model: I follow rules and need no network, but the tools and this page are " +
    `real. Ask *${help?.say}* to see what works here, or just try *${next?.say}*`;
}

/** To thanks. */
export const WELCOME = "You are welcome. This conversation is kept, so you can come back to it at any time.";

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return text.trim().match(/^.+?(?:[.](?=\s|$)|\n|$)/s)?.[0]?.trim() ?? "";
}

/** A text cut to a length, on one line. */
export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

/** Text that may stand in a cell of a table. */
export function cell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
