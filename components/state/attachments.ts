/**
 * What is attached to the messages being written: each file is sent to the server at once, and its reference is kept with
 * the draft.
 *
 * Invariants (tests/components/state/attachments_test.ts pins each)
 * 1. What the server has stored comes back with the draft after a reload; what it has not is gone with the page.
 * 2. A message takes what is stored. What is still on its way, or was refused, stays where it is and is never lost unseen.
 * 3. At most `MAX_PICTURES` pictures and as many files: the first ones are kept, and one sentence says what was left out.
 * 4. At most `TOGETHER` go out at the same time, in the order they were added.
 *
 * @module
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FileRef, ImageRef } from "../../core/log/entry.ts";
import { type Api, ApiError, type Attachment } from "./api.ts";
import type { Store } from "./store.ts";

/** The most pictures one message takes, and the most files. */
export const MAX_PICTURES = 20;
/** How many files go out at the same time. */
const TOGETHER = 3;
/** The most bytes one file may have. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** A pasted text longer than this, in UTF-16 code units, is attached as a file. */
export const LONG_PASTE = 20_000;
/** Statuses that say something is wrong with the file itself. */
const FINAL: ReadonlySet<number> = new Set([400, 413, 415]);
/** What a long pasted text is called. */
const PASTED_NAME = "Pasted text.txt";

/** One file of a draft. */
export interface AttachedFile {
  /** Unique within the page. */
  readonly id: string;
  /** The conversation whose draft it belongs to; `null`: the one that is not begun. */
  readonly conversation: string | null;
  readonly kind: "image" | "file";
  readonly name: string;
  readonly bytes: number;
  readonly state: "waiting" | "sending" | "stored" | "refused";
  /** The share that has gone out, from 0 to 1. */
  readonly progress: number;
  /** Why it is not stored, in a sentence; set while `state` is `refused`. */
  readonly problem?: string;
  /** Whether it would be refused every time. */
  readonly final?: boolean;
  /** Address of the picture, for its thumbnail. */
  readonly preview?: string;
  /** Whether it was a text that was pasted: it can become one again. */
  readonly pasted?: boolean;
  /** Set while `state` is `stored`. */
  readonly stored?: Attachment;
}

/** What a message names. */
export interface Taken {
  readonly images: readonly ImageRef[];
  readonly files: readonly FileRef[];
}

/** Makes and gives up addresses of files in this browser; the thumbnails are drawn from them. */
export interface Previews {
  readonly make: (file: Blob) => string;
  readonly drop: (address: string) => void;
}

/** The browser's own; a page that is drawn on the server makes none. */
export const browserPreviews: Previews = {
  make: (file) => URL.createObjectURL(file),
  drop: (address) => URL.revokeObjectURL(address),
};

export interface AttachmentsOptions {
  readonly api: Pick<Api, "attach" | "payload" | "models">;
  readonly store: Store;
  readonly basePath: string;
  /** The conversation in view. */
  readonly conversation: ReadonlySignal<string | null>;
  /** The model that will answer there, as it is named in `GET /api/models`. */
  readonly model: ReadonlySignal<string>;
  readonly previews: Previews;
  /** Says a sentence to the person. */
  readonly say: (text: string) => void;
}

export class Attachments {
  readonly #options: AttachmentsOptions;
  readonly #all: Signal<readonly AttachedFile[]> = signal([]);
  readonly #bodies = new Map<string, { readonly file: Blob; readonly over: AbortController }>();
  readonly #blind: Signal<ReadonlySet<string>> = signal(new Set());
  #asked = false;
  #made = 0;
  /** Of the draft in view, in the order they were added. */
  readonly items: ReadonlySignal<readonly AttachedFile[]>;
  /** Whether some of the draft in view are still on their way. */
  readonly busy: ReadonlySignal<boolean>;
  /** Whether the model that will answer sees no pictures; asked when the first one is attached. */
  readonly unseen: ReadonlySignal<boolean>;
  /** Whether files are being dragged over the page. */
  readonly dragging: Signal<boolean> = signal(false);
  /** A text that goes into the field where the caret is; whoever puts it there sets `null`. */
  readonly inserted: Signal<string | null> = signal(null);

  constructor(options: AttachmentsOptions) {
    this.#options = options;
    this.items = computed(() =>
      this.#all.value.filter((item) => item.conversation === this.#options.conversation.value)
    );
    this.busy = computed(() => this.items.value.some(({ state }) => state === "waiting" || state === "sending"));
    this.unseen = computed(() => this.#blind.value.has(options.model.value));
  }

  /** Brings back what was stored for the drafts of this conversation, once, in the browser. */
  open(conversation: string | null): void {
    const held = new Set(this.#all.value.map((item) => item.stored?.ref));
    const kept = this.#read(conversation).filter(({ attachment }) => !held.has(attachment.ref));
    if (kept.length === 0) return;
    this.#all.value = [
      ...kept.map(({ attachment, pasted }) => this.#stored(conversation, attachment, pasted)),
      ...this.#all.value,
    ];
    this.#askModels();
  }

  /** The draft that had no conversation has one now. */
  begun(conversation: string): void {
    this.#all.value = this.#all.value.map((item) => item.conversation === null ? { ...item, conversation } : item);
    this.#keep(null, conversation);
  }

  /** Adds files to the draft in view, and sends them. */
  add(files: readonly File[]): void {
    const conversation = this.#options.conversation.peek();
    const taken = { image: this.#count("image"), file: this.#count("file") };
    const left = { image: 0, file: 0 };
    const items: AttachedFile[] = [];
    for (const file of files) {
      const kind = kindOf(file.type);
      if (taken[kind] >= MAX_PICTURES) left[kind]++;
      else {
        taken[kind]++;
        items.push(this.#begun(conversation, file, kind));
      }
    }
    this.#all.value = [...this.#all.value, ...items];
    if (left.image > 0) this.#options.say(tooMany("pictures", left.image));
    if (left.file > 0) this.#options.say(tooMany("files", left.file));
    this.#next();
    this.#askModels();
  }

  /** Adds a long text that was pasted, as a file. */
  addText(text: string): void {
    const before = this.#all.value.length;
    this.add([new File([text], PASTED_NAME, { type: "text/plain" })]);
    const added = this.#all.value[before];
    if (added) this.#change(added.id, { pasted: true });
  }

  /** Takes a file off, whatever becomes of it. */
  remove(id: string): void {
    this.#forget(id);
    this.#all.value = this.#all.value.filter((item) => item.id !== id);
    this.#keep();
    this.#next();
  }

  /** Whether a refused file may go through another time: it is still here, and nothing is wrong with the file itself. */
  canRetry({ id, final }: AttachedFile): boolean {
    return this.#bodies.has(id) && !final;
  }

  /** Sends a refused file once more. */
  retry(id: string): void {
    if (!this.#bodies.has(id)) return;
    this.#change(id, { state: "waiting", progress: 0, problem: undefined });
    this.#next();
  }

  /** Puts the text of a file that was pasted into the field, and takes the file off. Rejects when it cannot be read. */
  async asText(id: string): Promise<void> {
    const item = this.#all.value.find((each) => each.id === id);
    const body = this.#bodies.get(id)?.file;
    if (!item) return;
    const text = body ? await body.text() : await this.#options.api.payload(item.stored?.ref ?? "");
    batch(() => {
      this.remove(id);
      this.inserted.value = text;
    });
  }

  /** Gives what is stored for that draft, and takes it off. */
  take(conversation: string | null): Taken {
    const taken = this.#all.value.filter((item) => item.conversation === conversation && item.stored);
    for (const { id } of taken) this.#forget(id);
    this.#all.value = this.#all.value.filter((item) => !taken.includes(item));
    this.#keep(conversation);
    return sorted(taken.flatMap(({ stored }) => stored ? [stored] : []));
  }

  /** Puts back what a message had taken: it was not sent, or it is being written again. */
  putBack(conversation: string | null, { images, files }: Taken): void {
    const attachments: Attachment[] = [
      ...images.map((image) => ({ kind: "image" as const, ...image })),
      ...files.map((file) => ({ kind: "file" as const, ...file })),
    ];
    this.#all.value = [
      ...this.#all.value,
      ...attachments.map((attachment) => this.#stored(conversation, attachment, false)),
    ];
    this.#keep(conversation);
  }

  async #askModels(): Promise<void> {
    if (this.#asked || !this.#all.value.some(({ kind }) => kind === "image")) return;
    this.#asked = true;
    try {
      const models = await this.#options.api.models();
      this.#blind.value = new Set(models.filter(({ images }) => !images).map((model) => model.string));
    } catch {
      this.#asked = false;
    }
  }

  #count(kind: AttachedFile["kind"]): number {
    return this.items.value.filter((item) => item.kind === kind).length;
  }

  #begun(conversation: string | null, file: File, kind: AttachedFile["kind"]): AttachedFile {
    const id = this.#id();
    const { name, size } = file;
    const preview = kind === "image" ? { preview: this.#options.previews.make(file) } : {};
    const base = { id, conversation, kind, name, bytes: size, progress: 0, ...preview };
    if (size > MAX_FILE_BYTES) return { ...base, state: "refused", problem: "It is larger than 16 MB" };
    this.#bodies.set(id, { file, over: new AbortController() });
    return { ...base, state: "waiting" };
  }

  #stored(conversation: string | null, stored: Attachment, pasted: boolean): AttachedFile {
    const { kind, name, bytes, ref } = stored;
    const preview = kind === "image" ? { preview: this.#options.basePath + ref } : {};
    const marks = pasted ? { pasted } : {};
    return {
      id: this.#id(),
      conversation,
      kind,
      name,
      bytes,
      state: "stored",
      progress: 1,
      stored,
      ...preview,
      ...marks,
    };
  }

  #id(): string {
    return `attached-${++this.#made}`;
  }

  /** Sends what waits, a few at a time. */
  #next(): void {
    const sending = this.#all.value.filter(({ state }) => state === "sending").length;
    for (const item of this.#all.value.filter(({ state }) => state === "waiting").slice(0, TOGETHER - sending)) {
      this.#change(item.id, { state: "sending" });
      this.#send(item);
    }
  }

  async #send({ id, name }: AttachedFile): Promise<void> {
    const body = this.#bodies.get(id);
    if (!body) return;
    try {
      const stored = await this.#options.api.attach(body.file, name, {
        signal: body.over.signal,
        onProgress: (progress) => this.#change(id, { progress }),
      });
      const { kind, bytes } = stored;
      this.#change(id, { state: "stored", progress: 1, stored, kind, name: stored.name, bytes });
      this.#keep();
    } catch (error) {
      if (!body.over.signal.aborted) {
        const final = error instanceof ApiError && FINAL.has(error.status);
        this.#change(id, { state: "refused", final, problem: error instanceof Error ? error.message : String(error) });
      }
    }
    this.#next();
  }

  #change(id: string, change: Partial<AttachedFile>): void {
    this.#all.value = this.#all.value.map((item) => item.id === id ? { ...item, ...change } : item);
  }

  /** Gives up what is held of a file in this browser. */
  #forget(id: string): void {
    this.#bodies.get(id)?.over.abort(new DOMException("The file was taken off", "AbortError"));
    if (this.#bodies.delete(id)) {
      const preview = this.#all.value.find((item) => item.id === id)?.preview;
      if (preview) this.#options.previews.drop(preview);
    }
  }

  /** Writes down what is stored, of one draft or of all. */
  #keep(...only: readonly (string | null)[]): void {
    const drafts = new Set(
      only.length > 0 ? only : [
        this.#options.conversation.peek(),
        ...this.#all.value.map((item) => item.conversation),
      ],
    );
    for (const draft of drafts) {
      const kept = this.#all.value.flatMap(({ conversation, stored, pasted }): Kept[] =>
        conversation === draft && stored ? [{ attachment: stored, pasted: pasted === true }] : []
      );
      this.#options.store.set(attachedKey(draft), kept.length > 0 ? JSON.stringify(kept) : null);
    }
  }

  #read(conversation: string | null): readonly Kept[] {
    try {
      const kept = JSON.parse(this.#options.store.get(attachedKey(conversation)) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isKept) : [];
    } catch {
      return [];
    }
  }
}

/** The key of what is attached to the draft of a conversation, or of the one that is not begun. */
export function attachedKey(conversation: string | null): string {
  return `attached:${conversation ?? "new"}`;
}

/** Whether a file is sent as a picture: the types every model's server takes. */
export function kindOf(type: string): AttachedFile["kind"] {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(type) ? "image" : "file";
}

interface Kept {
  readonly attachment: Attachment;
  readonly pasted: boolean;
}

function isKept(value: unknown): value is Kept {
  const attachment = (value as Partial<Kept> | null)?.attachment as Partial<Attachment> | undefined;
  return typeof attachment === "object" && attachment !== null && typeof attachment.name === "string" &&
    typeof attachment.bytes === "number" && (attachment.kind === "image" || attachment.kind === "file") &&
    typeof attachment.ref === "string" && /^\/(?:images|payloads)\/[0-9a-f]{64}$/.test(attachment.ref);
}

function sorted(attachments: readonly Attachment[]): Taken {
  const images: ImageRef[] = [];
  const files: FileRef[] = [];
  for (const attachment of attachments) {
    const { kind: _kind, ...ref } = attachment;
    if (attachment.kind === "image") images.push(ref);
    else files.push(ref);
  }
  return { images, files };
}

function tooMany(what: "pictures" | "files", left: number): string {
  const rest = left === 1 ? "1 was left out" : `${left} were left out`;
  return `A message takes ${MAX_PICTURES} ${what}: the first ${MAX_PICTURES} are attached, ${rest}`;
}
