import { HttpError, page } from "fresh";
import { Head } from "fresh/runtime";
import { bootOf } from "../../components/server/boot.ts";
import { PlainTitle, Shell } from "../../components/shell/Shell.tsx";
import { day, some } from "../../components/words.ts";
import { BadPath } from "../../core/memory/mod.ts";
import Alerts from "../../islands/Alerts.tsx";
import Copy from "../../islands/Copy.tsx";
import { define } from "../../web/mod.ts";

/** One document, to be read and copied. */
export const handler = define.handlers({
  async GET(ctx) {
    const path = ctx.params.path ?? "";
    const document = await ctx.state.assistant.documents.get(path).catch((error) => {
      if (error instanceof BadPath) return null;
      throw error;
    });
    if (document === null) throw new HttpError(404, `There is no document "${path}"`);
    return page({ boot: await bootOf(ctx, "memory"), document });
  },
});

export default define.page<typeof handler>(({ data: { boot, document } }) => (
  <Shell boot={boot} head={<PlainTitle text={document.path} />}>
    <Head>
      <title>{`${document.path} · Malama`}</title>
    </Head>
    <main class="log page hang" id="log" aria-labelledby="title" tabIndex={-1}>
      <p class="help document-facts">
        <a href={`${boot.basePath}/memory#documents`}>Documents</a>
        <span>{some(document.characters, "character")}, changed on {day(document.updated_at)}</span>
        <Copy text={document.content} label="Copy the document" />
      </p>
      <pre class="document" dir="auto" tabIndex={0} aria-label={document.path}>{document.content}</pre>
    </main>
    <div class="dock bare">
      <Alerts boot={boot} />
    </div>
  </Shell>
));
