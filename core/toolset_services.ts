/**
 * What the house provides to toolsets, each made on its first use (K-164).
 *
 * @module
 */
import { join, resolve } from "node:path";
import { type Config, sectionOf, sections } from "./config/mod.ts";
import type { LogReader } from "./log/mod.ts";
import type { Storage } from "./storage/mod.ts";
import { type Book, conversationAccess, CONVERSATIONS, searchText } from "./conversation/mod.ts";
import { createDownloads, DOWNLOADS } from "./downloads/mod.ts";
import { createEgress, EGRESS, LOOKUP, lookupOf } from "./egress/mod.ts";
import { createFiles, FILES } from "./files/mod.ts";
import { createMedia, MEDIA } from "./media/mod.ts";
import { DOCUMENTS, type DocumentStore, MEMORY, type MemoryStore } from "./memory/mod.ts";
import { createSandbox, SANDBOX } from "./sandbox/mod.ts";
import { CATALOG, Services, SETTINGS, type SettingsAccess, type ToolsetRegistry } from "./tool/mod.ts";

/** What the services are made of. */
export interface ServiceParts {
  readonly config: Config;
  readonly env: (name: string) => string | undefined;
  readonly version: string;
  readonly now: () => Date;
  readonly storage: Storage;
  readonly log: LogReader;
  readonly memory: { readonly memories: MemoryStore; readonly documents: DocumentStore };
  readonly registry: ToolsetRegistry;
  readonly settings: SettingsAccess;
  /** Asked for on first use: it is made after the services are. */
  readonly book: () => Book;
}

/** Everything a toolset of the house may ask for outside of a turn. */
export function toolsetServices(parts: ServiceParts): Services {
  const { config, env, version, now, storage, log, memory, registry, settings } = parts;
  const downloads = join(config.dataDir, "downloads");
  const services: Services = new Services()
    .provide(MEMORY, () => memory.memories)
    .provide(DOCUMENTS, () => memory.documents)
    .provide(EGRESS, () =>
      createEgress({
        allow: config.security.allowPrivateNetwork,
        userAgent: `Malama/${version} (personal assistant)`,
      }))
    .provide(LOOKUP, () => lookupOf(config.lookup, env))
    .provide(CATALOG, () => registry)
    .provide(SETTINGS, () => settings)
    .provide(SANDBOX, () => createSandbox({ folder: join(config.dataDir, "sandbox"), env }))
    .provide(DOWNLOADS, () => createDownloads(downloads))
    .provide(FILES, () =>
      createFiles({
        home: resolve(env("HOME") || env("USERPROFILE") || "."),
        roots: sectionOf(config, sections.fs).root,
        own: [config.dataDir, config.file],
        guarded: [config.root],
        readable: [downloads],
        keep: (bytes, conversation) => storage.blobs.put(bytes, "text/plain; charset=utf-8", conversation),
      }))
    .provide(MEDIA, () => createMedia({ egress: () => services.service(EGRESS), env }))
    .provide(CONVERSATIONS, () =>
      conversationAccess({
        book: parts.book(),
        source: { conversations: parts.book(), log, storage },
        search: (words, wanted) => searchText(storage.database, words, { ...wanted, now: now() }),
        downloads: services.service(DOWNLOADS),
      }));
  return services;
}
