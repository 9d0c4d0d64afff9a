import { page } from "fresh";
import { Head } from "fresh/runtime";
import { bootOf } from "../components/server/boot.ts";
import { Damaged } from "../components/server/Damaged.tsx";
import { readForm, toConversation } from "../components/server/form.ts";
import { Start } from "../components/server/Start.tsx";
import { ModelReading, Shell } from "../components/shell/Shell.tsx";
import Alerts from "../islands/Alerts.tsx";
import Composer from "../islands/Composer.tsx";
import Contents from "../islands/Contents.tsx";
import Title from "../islands/Title.tsx";
import Transcript from "../islands/Transcript.tsx";
import { define } from "../web/mod.ts";

/** The start: a new conversation. Its form begins one, also without scripts. */
export const handler = define.handlers({
  async GET(ctx) {
    const { health } = ctx.state.assistant.storage;
    if (health.state === "damaged") {
      const rows = await ctx.state.assistant.conversations.list().then(({ items }) => items, () => []);
      return await ctx.render(<Damaged health={health} basePath={ctx.config.basePath} rows={rows} />, { status: 503 });
    }
    return page({ boot: await bootOf(ctx, "start") });
  },
  async POST(ctx) {
    const text = (await readForm(ctx)).get("text") ?? "";
    if (text.trim() === "") return ctx.redirect(`${ctx.config.basePath}/`, 303);
    const { conversations, turns } = ctx.state.assistant;
    const { id } = await conversations.create();
    await turns.submit(id, { text });
    return toConversation(ctx, id);
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <Shell
    boot={data.boot}
    head={
      <Title boot={data.boot}>
        <ModelReading boot={data.boot} />
      </Title>
    }
  >
    <Head>
      <title>New conversation · Malama</title>
    </Head>
    <main class="log hang" id="log" aria-labelledby="title" tabIndex={-1}>
      <Transcript boot={data.boot}>
        <Start assistant={state.assistant} basePath={data.boot.basePath} />
      </Transcript>
    </main>
    <div class="dock hang">
      <Alerts boot={data.boot} />
      <Composer boot={data.boot} />
    </div>
    <aside class="margin" aria-label="Contents">
      <Contents boot={data.boot} />
    </aside>
  </Shell>
));
