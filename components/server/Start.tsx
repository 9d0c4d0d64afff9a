/**
 * The empty page: a table of contents of things to ask, and the way to a real model.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Assistant } from "../../core/assistant.ts";
import { KEYED_EXAMPLES, TOUR_NOTICE, tourOpenings } from "../../core/model/mod.ts";
import { modelName } from "../words.ts";

/** One opening: what is sent, and what it will show. */
interface Opening {
  readonly say: string;
  readonly shows: string;
}

const OPENINGS: readonly Opening[] = [
  { say: "What can you do here?", shows: "the tools, and their limits" },
  { say: "What time is it in Tokyo, and in Lima?", shows: "tool calls" },
  { say: "Show me a table, some code and a formula", shows: "how an answer is set" },
];

/** Everything on the start page below its head. Its forms work without scripts. */
export function Start({ assistant, basePath }: { assistant: Assistant; basePath: string }): VNode {
  const { string, source } = assistant.defaultModel;
  const demo = string.startsWith("demo:");
  const tools = assistant.agents().find((agent) => agent.entry)?.tools ?? [];
  return (
    <div class="start">
      <h2 id="hello">Start with something small</h2>
      <p class="lede">{demo ? TOUR_NOTICE : welcome(string, source)}</p>
      <Openings openings={demo ? tourOpenings(tools) : OPENINGS} basePath={basePath} />
      {demo && <Connect file={assistant.config.file} />}
    </div>
  );
}

function welcome(model: string, source: string): string {
  const name = modelName(model);
  return source === "local"
    ? `${name} answers, from a server on this machine. Nothing leaves it. What you write is kept here.`
    : `${name} answers. What you write is kept on this machine, and sent to that model.`;
}

function Openings({ openings, basePath }: { openings: readonly Opening[]; basePath: string }): VNode {
  return (
    <form method="post" action={`${basePath}/`} class="openings" aria-label="Things to ask">
      <ol class="toc" role="list">
        {openings.map(({ say, shows }) => (
          <li key={say}>
            <button type="submit" name="text" value={say}>
              <span class="t">{say}</span>
              <span class="lead" aria-hidden="true" />
              <span class="p">{shows}</span>
            </button>
          </li>
        ))}
      </ol>
    </form>
  );
}

/** One line for each way: the exact command, or the variable and the line of `config.toml`. */
function Connect({ file }: { file: string }): VNode {
  return (
    <section class="connect" aria-labelledby="connect">
      <h2 id="connect">Connect a real model</h2>
      <p class="help">
        Nothing leaves this machine until you do. The settings are in{" "}
        <code>{file}</code>; start Malama again afterwards.
      </p>
      <dl class="ways">
        <div>
          <dt>On this machine</dt>
          <dd>
            No local server answered on the usual ports. Start one and it is found by itself:{" "}
            <code>ollama pull qwen3:8b</code>, or a model in LM Studio, llama.cpp or vLLM.
          </dd>
        </div>
        {KEYED_EXAMPLES.map(({ provider, variable, model }) => (
          <div key={provider}>
            <dt>{provider}</dt>
            <dd>
              <code>export {variable}=…</code> and, under <code>[assistant]</code> in <code>config.toml</code>,{" "}
              <code>model = "{model}"</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
