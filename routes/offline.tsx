import { page } from "fresh";
import { asset, Head } from "fresh/runtime";
import { PlainTitle, Shell } from "../components/shell/Shell.tsx";
import type { Boot } from "../components/state/boot.ts";
import { readSide } from "../components/state/preferences.ts";
import Alerts from "../islands/Alerts.tsx";
import Composer from "../islands/Composer.tsx";
import Transcript from "../islands/Transcript.tsx";
import { define } from "../web/mod.ts";

/**
 * The page a browser keeps for when nothing answers. It is open to all and the same for everyone: no title, no setting, no
 * word of a conversation is in it.
 */
export const handler = define.handlers({
  GET(ctx) {
    ctx.state.theme = "auto";
    const boot: Boot = {
      basePath: ctx.config.basePath,
      version: "",
      page: "offline",
      theme: "auto",
      side: readSide(undefined),
      rows: { items: [], next: null },
      model: "Your model", // whichever it is: nothing here says
      conversation: null,
      entries: { items: [], last_seq: 0 },
      older: null,
      now: 0,
    };
    return page({ boot });
  },
});

export default define.page<typeof handler>(({ data: { boot } }) => (
  <Shell boot={boot} head={<PlainTitle text="Not connected" />}>
    <Head>
      <title>Not connected · Malama</title>
      <meta name="robots" content="noindex" />
      <script src={asset("/offline.js")} defer></script>
    </Head>
    <main class="log hang" id="log" aria-labelledby="title" tabIndex={-1}>
      <Transcript boot={boot}>
        <div class="start">
          <h2>Mālama does not answer</h2>
          <p class="lede">
            Not connected. What you write is kept in this browser and sent once, in a new conversation, when Mālama
            answers again. The page you asked for opens then by itself.
          </p>
        </div>
      </Transcript>
      <section id="kept" class="start" aria-labelledby="kept-title" hidden>
        <h2 id="kept-title">Kept in this browser</h2>
        <p class="help">Of your other conversations. Each is back in its place when they can be opened.</p>
        <ul role="list"></ul>
      </section>
    </main>
    <div class="dock hang">
      <Alerts boot={boot} />
      <Composer boot={boot} />
    </div>
  </Shell>
));
