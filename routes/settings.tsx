import { page } from "fresh";
import { Head } from "fresh/runtime";
import { bootOf } from "../components/server/boot.ts";
import { settingSections, SettingsSection } from "../components/server/settings.tsx";
import { PlainTitle, Shell } from "../components/shell/Shell.tsx";
import { settingsView } from "../core/config/mod.ts";
import Alerts from "../islands/Alerts.tsx";
import ImportButton from "../islands/ImportButton.tsx";
import { define } from "../web/mod.ts";

/** Every setting, what it is, and where that comes from. To be read; the file is where it is changed. */
export const handler = define.handlers({
  async GET(ctx) {
    const { config } = ctx.state.assistant;
    const view = settingsView(config, (name) => Deno.env.get(name));
    const text = await Deno.readTextFile(config.file).catch(() => "");
    return page({ boot: await bootOf(ctx, "settings"), sections: settingSections(view, text), file: config.file });
  },
});

export default define.page<typeof handler>(({ data: { boot, sections, file } }) => (
  <Shell boot={boot} head={<PlainTitle text="Settings" />}>
    <Head>
      <title>Settings · Malama</title>
    </Head>
    <main class="log page hang" id="log" aria-labelledby="title" tabIndex={-1}>
      <p class="lede">
        Every setting lives in{" "}
        <code>{file}</code>. Change it there; this page shows what is in force and where it comes from.
      </p>
      <section aria-labelledby="settings-import">
        <h2 id="settings-import">Conversations from elsewhere</h2>
        <p class="help">
          A conversation that was exported as JSONL, here or on another machine, comes back with all its versions.
        </p>
        <p class="ways-out">
          <ImportButton boot={boot} />
        </p>
      </section>
      {sections.map((section) => <SettingsSection key={section.name} section={section} />)}
    </main>
    <div class="dock bare">
      <Alerts boot={boot} />
    </div>
  </Shell>
));
