import { page } from "fresh";
import { Head } from "fresh/runtime";
import { Documents } from "../components/server/documents.tsx";
import { bootOf } from "../components/server/boot.ts";
import { PlainTitle, Shell } from "../components/shell/Shell.tsx";
import Alerts from "../islands/Alerts.tsx";
import Memory from "../islands/Memory.tsx";
import { define } from "../web/mod.ts";

/** Memories on one page, and documents. */
const ROWS = 50;

/** What is remembered, and what was written down. `?q=` searches, `?before=` pages; both work without scripts. */
export const handler = define.handlers({
  async GET(ctx) {
    const { memories, documents } = ctx.state.assistant;
    const query = ctx.url.searchParams.get("q")?.trim() ?? "";
    const before = ctx.url.searchParams.get("before");
    const [boot, count, rows, kept] = await Promise.all([
      bootOf(ctx, "memory"),
      memories.count(),
      query === ""
        ? memories.list({ limit: ROWS, ...before !== null && { before } })
        : memories.search(query, { limit: ROWS, signal: ctx.req.signal }).then((items) => ({ items, next: null })),
      documents.list({ limit: 200 }),
    ]);
    return page({ boot, first: { ...rows, count }, query, documents: kept });
  },
});

export default define.page<typeof handler>(({ data: { boot, first, query, documents } }) => (
  <Shell boot={boot} head={<PlainTitle text="Memory" />}>
    <Head>
      <title>Memory · Malama</title>
    </Head>
    <main class="log page hang" id="log" aria-labelledby="title" tabIndex={-1}>
      <p class="lede">What your assistant remembers across conversations. You can change it, or have it forgotten.</p>
      <Memory boot={boot} first={first} query={query} />
      <Documents boot={boot} documents={documents} />
    </main>
    <div class="dock bare">
      <Alerts boot={boot} />
    </div>
  </Shell>
));
