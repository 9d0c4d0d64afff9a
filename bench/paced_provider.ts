/**
 * A provider that answers with a given text at a given pace.
 *
 * @module
 */

/** Characters in a token, about as in English. */
export const TOKEN_LENGTH = 4;
const BEAT_MS = 20;

export class PacedProvider {
  readonly #text: string;
  readonly #perSecond: number;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** `perSecond` is in tokens. */
  constructor(text: string, perSecond: number) {
    this.#text = text;
    this.#perSecond = perSecond;
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      await request.body?.cancel();
      return new Response(this.#answer(), { headers: { "content-type": "text/event-stream" } });
    });
  }

  get modelString(): string {
    return `openai-compat:paced@http://127.0.0.1:${this.#server.addr.port}/v1;tools`;
  }

  async close(): Promise<void> {
    await this.#server.shutdown();
  }

  #answer(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder();
    const frame = (content: string) =>
      `data: ${
        JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })
      }\n\n`;
    let at = 0;
    let timer: ReturnType<typeof setInterval> | undefined;
    return new ReadableStream({
      start: (controller) => {
        const began = performance.now();
        timer = setInterval(() => {
          const due = Math.floor((performance.now() - began) / 1000 * this.#perSecond) * TOKEN_LENGTH;
          const tokens: string[] = [];
          for (; at < Math.min(due, this.#text.length); at += TOKEN_LENGTH) {
            tokens.push(frame(this.#text.slice(at, at + TOKEN_LENGTH)));
          }
          if (tokens.length > 0) controller.enqueue(encoder.encode(tokens.join("")));
          if (at < this.#text.length) return;
          clearInterval(timer);
          controller.enqueue(encoder.encode(END));
          controller.close();
        }, BEAT_MS);
      },
      cancel: () => clearInterval(timer),
    });
  }
}

const END = 'data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
  'data: {"id":"x","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\ndata: [DONE]\n\n';
