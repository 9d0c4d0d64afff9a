/**
 * A server that speaks OpenAI's protocol for pictures and sound, and the services that ask it.
 *
 * @module
 */
import { join } from "node:path";
import { createDownloads, DOWNLOADS } from "../../core/downloads/mod.ts";
import { createEgress } from "../../core/egress/mod.ts";
import { createFiles, FILES } from "../../core/files/mod.ts";
import { createMedia, MEDIA } from "../../core/media/mod.ts";
import { Services } from "../../core/tool/mod.ts";

/** A picture of one pixel. */
export const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** A request as the server got it. */
export interface Seen {
  readonly path: string;
  readonly authorization: string | null;
  /** The body as JSON, or the fields of a form. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface MediaHouse {
  readonly services: Services;
  readonly seen: readonly Seen[];
  readonly home: string;
  readonly downloads: string;
}

/** Runs a server that answers as `answer` says, with all three variables naming models on it. */
export async function withMedia(
  answer: (seen: Seen) => Response | Promise<Response>,
  body: (house: MediaHouse) => Promise<void>,
  variables?: (address: string) => Readonly<Record<string, string>>,
): Promise<void> {
  const seen: Seen[] = [];
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "malama-media-" }));
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const entry: Seen = {
      path: new URL(request.url).pathname,
      authorization: request.headers.get("authorization"),
      body: await fieldsOf(request),
    };
    seen.push(entry);
    return await answer(entry);
  });
  const address = `http://127.0.0.1:${server.addr.port}/v1`;
  const named = variables?.(address) ?? {
    MALAMA_IMAGE_MODEL: `openai-compat:painter@${address}`,
    MALAMA_SPEECH_MODEL: `openai-compat:speaker@${address}`,
    MALAMA_TRANSCRIPTION_MODEL: `openai-compat:listener@${address}`,
    OPENAI_COMPAT_API_KEY: "a-key",
  };
  const env = (name: string): string | undefined => named[name];
  const downloads = join(home, "data", "downloads");
  const egress = createEgress({ allow: [] });
  const services = new Services()
    .provide(MEDIA, () => createMedia({ egress: () => egress, env }))
    .provide(DOWNLOADS, () => createDownloads(downloads))
    .provide(FILES, () =>
      createFiles({
        home,
        roots: [],
        own: [join(home, "data")],
        readable: [downloads],
        keep: () => Promise.resolve("kept"),
      }));
  try {
    await body({ services, seen, home, downloads });
  } finally {
    await server.shutdown();
    await Deno.remove(home, { recursive: true });
  }
}

async function fieldsOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (request.method !== "POST") return {};
  if (request.headers.get("content-type")?.startsWith("application/json")) return await request.json();
  const form = await request.formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    fields[name] = typeof value === "string" ? value : { name: value.name, bytes: [...await value.bytes()] };
  }
  return fields;
}
