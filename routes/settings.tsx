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
    const sections = settingSections(view, text);
    const canSignOut = ctx.state.auth === "cookie";
    return page({ boot: await bootOf(ctx, "settings"), sections, file: config.file, canSignOut });
  },
});

export default define.page<typeof handler>(({ data: { boot, sections, file, canSignOut } }) => (
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
      {canSignOut && (
        <section aria-labelledby="settings-browser">
          <h2 id="settings-browser">This browser</h2>
          <p class="help">
            Signing out ends this session here and on the server. Drafts, and messages that were not sent yet, are kept
            in this browser only; they go too.
          </p>
          <form class="ways-out" method="post" action={`${boot.basePath}/login`}>
            <button class="button" type="submit" name="sign_out" value="1">Sign out</button>
          </form>
        </section>
      )}
      {sections.map((section) => <SettingsSection key={section.name} section={section} />)}
    </main>
    <div class="dock bare">
      <Alerts boot={boot} />
    </div>
  </Shell>
));
