/**
 * The documents in the database.
 *
 * Invariants (tests/core/memory/documents_test.ts)
 * 1. A document is replaced only by who read its present revision whole, or says so (K-332, K-333).
 * 2. Of two changes at the same time none is lost silently: the later one is made on the text the earlier one left, or refused.
 *
 * @module
 */
import type { Database, Row } from "../storage/mod.ts";
import {
  BadDocument,
  type Document,
  type DocumentInfo,
  DocumentNotFound,
  type DocumentStore,
  type DocumentWindow,
  type FoundDocument,
  MAX_DOCUMENT_LENGTH,
  NoSingleMatch,
  NotReadWhole,
  type SaveOptions,
} from "./document.ts";
import { documentPath } from "./document_path.ts";
import { around, cut } from "./excerpt.ts";
import { ReadingGuard } from "./reading_guard.ts";
import { anyOf, readWords } from "./words.ts";

export interface DocumentsServices {
  readonly database: Database;
  readonly now: () => Date;
}

const COLUMNS = "path, characters, revision, created_at, updated_at";
const EXCERPT = 1500;
/** How often a change is tried on the text that another one left. */
const TRIES = 5;

export class Documents implements DocumentStore {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #guard = new ReadingGuard();

  /** Opens nothing (K-164). */
  constructor({ database, now }: DocumentsServices) {
    this.#database = database;
    this.#now = now;
  }

  async save(
    path: string,
    content: string,
    { reader, overwrite = false, revision }: SaveOptions = {},
  ): Promise<{ readonly document: DocumentInfo; readonly isNew: boolean }> {
    const name = documentPath(path);
    const text = documentText(content);
    for (let tries = 0; tries < TRIES; tries++) {
      const there = await this.#info(name);
      const mayReplace = overwrite || there !== null && (there.revision === revision ||
            reader !== undefined && this.#guard.hasRead(reader, name, there));
      if (there !== null && !mayReplace) throw new NotReadWhole(name, there.characters);
      // Nothing comes back when another one was quicker: then it is looked at anew.
      const document = await (there === null ? this.#create(name, text) : this.#replace(name, text, there.revision));
      if (document === null) continue;
      this.#wrote(reader, document);
      return { document, isNew: there === null };
    }
    throw busy(name);
  }

  async read(
    path: string,
    { offset, length, reader }: { readonly offset: number; readonly length: number; readonly reader?: string },
  ): Promise<DocumentWindow> {
    const { content, ...info } = await this.#whole(documentPath(path));
    const part = cut(content, offset, length);
    const isReadWhole = reader === undefined ? false : this.#guard.note(reader, info.path, { ...info, ...part });
    return { ...info, ...part, isReadWhole };
  }

  async get(path: string): Promise<Document | null> {
    const [row] = await this.#database.read(
      `select ${COLUMNS}, content from documents where path = ?`,
      [documentPath(path)],
    );
    return row ? { ...toInfo(row), content: String(row.content) } : null;
  }

  async edit(
    path: string,
    { find, replace, reader }: { readonly find: string; readonly replace: string; readonly reader?: string },
  ): Promise<DocumentInfo> {
    if (find === "") throw new BadDocument("Say which text is to be replaced");
    const name = documentPath(path);
    for (let tries = 0; tries < TRIES; tries++) {
      const { content, ...before } = await this.#whole(name);
      const at = content.indexOf(find);
      const count = at < 0 ? 0 : content.split(find).length - 1;
      if (count !== 1) throw new NoSingleMatch(name, count);
      const text = documentText(content.slice(0, at) + replace + content.slice(at + find.length));
      const document = await this.#replace(name, text, before.revision);
      if (document === null) continue;
      if (reader !== undefined && this.#guard.hasRead(reader, name, before)) this.#wrote(reader, document);
      return document;
    }
    throw busy(name);
  }

  async list(
    { under, after, limit = 200 }: { readonly under?: string; readonly after?: string; readonly limit?: number } = {},
  ): Promise<{ readonly items: readonly DocumentInfo[]; readonly next: string | null }> {
    const folder = under === undefined || /^[\s/.]*$/.test(under) ? null : `${documentPath(under)}/`;
    const rows = await this.#database.read(
      `select ${COLUMNS} from documents
        where path > ? and (?2 is null or substr(path, 1, length(?2)) = ?2) order by path limit ?`,
      [after ?? "", folder, limit + 1],
    );
    const items = rows.slice(0, limit).map(toInfo);
    return { items, next: rows.length > limit ? items.at(-1)?.path ?? null : null };
  }

  async search(query: string, { limit = 5 }: { readonly limit?: number } = {}): Promise<readonly FoundDocument[]> {
    const words = readWords(query.normalize("NFC"));
    const rows = [
      ...words.spaced.length > 0 ? await this.#spacedHits(words.spaced, limit) : [],
      ...words.unspaced.length > 0 ? await this.#unspacedHits(words.unspaced, limit) : [],
    ];
    const seen = new Set<unknown>();
    return rows.filter(({ path }) => !seen.has(path) && seen.add(path)).slice(0, limit).map((row) => {
      const content = String(row.content);
      const places = [String(row.snippet), ...words.unspaced].map((text) => text === "" ? -1 : content.indexOf(text));
      const { text, from, to } = around(content, Math.max(0, places.find((place) => place >= 0) ?? 0), EXCERPT);
      return { ...toInfo(row), excerpt: text, from, to, score: Math.round(Number(row.score) * 1000) / 1000 };
    });
  }

  async remove(path: string): Promise<boolean> {
    const name = documentPath(path);
    const [removed] = await this.#database.write([{
      sql: "delete from documents where path = ? returning path",
      args: [name],
    }]);
    // Another document that comes to stand there counts its revisions from the beginning.
    this.#guard.forget(name);
    return removed?.length === 1;
  }

  async near(path: string): Promise<readonly string[]> {
    const name = path.split(/[\\/]/).at(-1)?.replace(/\.\w+$/, "") ?? "";
    const words = readWords(name).spaced;
    if (words.length === 0) return [];
    const rows = await this.#database.read(
      "select path from document_search where document_search match ? order by rank limit 3",
      [`path : (${anyOf(words)})`],
    );
    return rows.map((row) => String(row.path));
  }

  /** A word in the path says more than one in the text. */
  async #spacedHits(words: readonly string[], limit: number): Promise<readonly Row[]> {
    const rows = await this.#database.read(
      `select ${COLUMNS.replaceAll(/\w+/g, "d.$&")}, d.content, hit.snippet, hit.distance from (
        select rowid as n, snippet(document_search, 1, '', '', '', 16) as snippet, bm25(document_search, 4, 1) as distance
        from document_search where document_search match ? order by distance limit ?
      ) as hit join documents as d on d.n = hit.n order by hit.distance`,
      [anyOf(words), limit],
    );
    const best = Number(rows[0]?.distance ?? -1);
    return rows.map((row) => ({ ...row, score: best < 0 ? Number(row.distance) / best : 1 }));
  }

  /** Writing without blanks between words is looked for as it stands. */
  async #unspacedHits(words: readonly string[], limit: number): Promise<readonly Row[]> {
    const share = words.map(() => "(instr(content, ?) > 0)").join(" + ");
    const rows = await this.#database.read(
      `select ${COLUMNS}, content, '' as snippet, ${share} as hits from documents
        where hits > 0 order by hits desc, updated_at desc limit ?`,
      [...words, limit],
    );
    return rows.map((row) => ({ ...row, score: Number(row.hits) / words.length }));
  }

  /** Who wrote the whole of it knows the whole of it. */
  #wrote(reader: string | undefined, { path, ...info }: DocumentInfo): void {
    if (reader !== undefined) this.#guard.note(reader, path, { ...info, from: 0, to: info.characters });
  }

  async #info(path: string): Promise<DocumentInfo | null> {
    const [row] = await this.#database.read(`select ${COLUMNS} from documents where path = ?`, [path]);
    return row ? toInfo(row) : null;
  }

  async #whole(path: string): Promise<Document> {
    const document = await this.get(path);
    if (document === null) throw new DocumentNotFound(path);
    return document;
  }

  /** `null` when one came into being meanwhile. */
  async #create(path: string, content: string): Promise<DocumentInfo | null> {
    const at = this.#now().toISOString();
    const [rows] = await this.#database.write([{
      sql: `insert into documents (path, content, characters, created_at, updated_at) values (?, ?, ?, ?, ?)
        on conflict do nothing returning ${COLUMNS}`,
      args: [path, content, content.length, at, at],
    }]);
    return rows?.[0] ? toInfo(rows[0]) : null;
  }

  /** `null` when it is of another revision by now, or gone. */
  async #replace(path: string, content: string, revision: number): Promise<DocumentInfo | null> {
    const [rows] = await this.#database.write([{
      sql: `update documents set content = ?, characters = ?, updated_at = ?, revision = revision + 1
        where path = ? and revision = ? returning ${COLUMNS}`,
      args: [content, content.length, this.#now().toISOString(), path, revision],
    }]);
    return rows?.[0] ? toInfo(rows[0]) : null;
  }
}

function busy(path: string): BadDocument {
  return new BadDocument(`"${path}" is being changed by others all the time; try again`);
}

/** Throws `BadDocument`. */
function documentText(content: string): string {
  if (content.length > MAX_DOCUMENT_LENGTH) {
    throw new BadDocument(
      `A document holds ${MAX_DOCUMENT_LENGTH} characters at most, this has ${content.length}: part it into several`,
    );
  }
  return content.toWellFormed().replaceAll("\0", "");
}

function toInfo(row: Row): DocumentInfo {
  return {
    path: String(row.path),
    characters: Number(row.characters),
    revision: Number(row.revision),
    created_at: String(row.created_at),
    updated_at: String(row.updated_at),
  };
}
