/** Tokens per second from a provider's socket to live sockets, with 1 and with 20 conversations. */
import type { Bench, Figure } from "./figure.ts";
import { newConversation, openLive, say, type Subject, withSubject } from "./subject.ts";

/** Tokens in one body; the provider sends as many at once as a fast one does when it has them. */
const TOKENS_AT_ONCE = 250;
const AIM = 100_000;

export const bench: Bench = {
  about: "tokens per second to live sockets",
  async measure() {
    const provider = new FloodingProvider();
    try {
      return await withSubject({ model: provider.modelString }, async (subject) => {
        await flood(subject, provider, 1, 20_000);
        return [await flood(subject, provider, 1, 100_000), await flood(subject, provider, 20, 10_000)];
      });
    } finally {
      await provider.close();
    }
  },
};

/** Has that many conversations answered at once with so many tokens each. */
async function flood(
  subject: Subject,
  provider: FloodingProvider,
  conversations: number,
  tokens: number,
): Promise<Figure> {
  provider.begin(tokens);
  let frames = 0;
  let ended = 0;
  let last = 0;
  const held = new Map<string, number>();
  const all = Promise.withResolvers<void>();
  const live = await openLive(subject, (operation) => {
    frames++;
    if (operation.op === "delta") {
      held.set(operation.conversation, operation.at + operation.text.length);
      last = performance.now();
    }
    if (operation.op === "turn" && operation.turn.ended_at !== null && ++ended === conversations) all.resolve();
  });
  const ids: string[] = [];
  for (let n = 0; n < conversations; n++) ids.push(await newConversation(subject, live));
  await Promise.all(ids.map((id) => say(subject, id, "Go on")));
  await all.promise;
  await live.close();
  for (const [id, length] of held) {
    if (length !== tokens * TOKEN.length) throw new Error(`${id} holds ${length / TOKEN.length} tokens of ${tokens}`);
  }
  const seconds = (last - provider.firstByte) / 1000;
  return {
    name: `tokens per second, ${conversations} ${conversations === 1 ? "conversation" : "conversations"}`,
    value: conversations * tokens / seconds,
    unit: "tokens/s",
    aim: AIM,
    smallerIsBetter: false,
    note: `${conversations * tokens} tokens in ${seconds.toFixed(2)} s, ${frames} frames on the live socket`,
  };
}

const TOKEN = " word";

/** Answers every request with the same token, over and over, as fast as it is read. */
class FloodingProvider {
  firstByte = 0;
  #tokens = 0;
  readonly #body = new TextEncoder().encode(
    `data: ${
      JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: TOKEN } }] })
    }\n\n`.repeat(TOKENS_AT_ONCE),
  );
  readonly #end = new TextEncoder().encode(
    'data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
      'data: {"id":"x","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\ndata: [DONE]\n\n',
  );
  readonly #server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    await request.body?.cancel();
    return new Response(this.#answer(), { headers: { "content-type": "text/event-stream" } });
  });

  get modelString(): string {
    return `openai-compat:flood@http://127.0.0.1:${this.#server.addr.port}/v1;tools`;
  }

  begin(tokens: number): void {
    this.#tokens = tokens;
    this.firstByte = 0;
  }

  async close(): Promise<void> {
    await this.#server.shutdown();
  }

  #answer(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let left = this.#tokens;
    return new ReadableStream({
      pull: (controller) => {
        this.firstByte ||= performance.now();
        if (left > 0) controller.enqueue(this.#body);
        else {
          controller.enqueue(this.#end);
          controller.close();
        }
        left -= TOKENS_AT_ONCE;
      },
    });
  }
}
