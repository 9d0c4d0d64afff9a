/**
 * The composer: the next section, already numbered. A plain form that scripts make better.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import {
  Asking,
  Attachments,
  Bar,
  Field,
  Hints,
  holdWhilePressed,
  Jump,
  QueueList,
  useComposerKeys,
  useDropAndPaste,
  useSending,
} from "../components/composer/mod.ts";
import type { Boot } from "../components/state/boot.ts";
import { pageOf } from "../components/state/page.ts";

export default function Composer({ boot }: { boot: Boot }): VNode {
  const page = pageOf(boot);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const conversation = page.live.conversation.value;
  const sending = useSending(page, field);
  useEffect(() => {
    page.start();
    page.answering.load().catch(() => {/* asked again when the picker is opened */});
  }, []);
  useEffect(() => holdWhilePressed(form.current!), []);
  useComposerKeys(page, field);
  useDropAndPaste(page, field);
  return (
    <form
      ref={form}
      class="composer"
      method="post"
      action={conversation ? `${boot.basePath}/c/${conversation.id}` : `${boot.basePath}/`}
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        sending.send("into");
      }}
    >
      <Jump page={page} />
      <Asking page={page} />
      <QueueList page={page} />
      <div class="box">
        <Attachments page={page} />
        <Field page={page} field={field} sending={sending} />
        <Bar page={page} sending={sending} />
      </div>
      <Hints page={page} sending={sending} />
    </form>
  );
}
