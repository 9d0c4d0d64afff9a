import { dirname } from "node:path";
import { HttpError, page } from "fresh";
import { Head } from "fresh/runtime";
import { bootOf } from "../components/server/boot.ts";
import { readForm } from "../components/server/form.ts";
import { Gates, Rules, Toolsets, withTables } from "../components/server/permissions.tsx";
import { PlainTitle, Shell } from "../components/shell/Shell.tsx";
import { RuleNotFound } from "../core/turn/mod.ts";
import Alerts from "../islands/Alerts.tsx";
import { define } from "../web/mod.ts";

/** What is allowed from now on, what asks first, and what the code of toolsets may reach. Its forms work without scripts. */
export const handler = define.handlers({
  async GET(ctx) {
    const { assistant } = ctx.state;
    const [boot, rules, toolsets] = await Promise.all([
      bootOf(ctx, "permissions"),
      assistant.approvals.rules(),
      withTables(assistant.toolsets(), dirname(assistant.config.file)),
    ]);
    const revoked = ctx.url.searchParams.get("revoked");
    return page({ boot, rules, revoked, agents: assistant.agents(), toolsets });
  },
  async POST(ctx) {
    const { approvals } = ctx.state.assistant;
    const form = await readForm(ctx);
    const [revoke, restore] = [form.get("revoke"), form.get("restore")];
    try {
      if (revoke !== null) await approvals.revoke(revoke);
      if (restore !== null) await approvals.restore(restore);
    } catch (error) {
      if (!(error instanceof RuleNotFound)) throw error;
      if (restore !== null) throw new HttpError(404, "This rule cannot be brought back any more", { cause: error });
    }
    const undo = revoke === null ? "" : `?revoked=${encodeURIComponent(revoke)}`;
    return ctx.redirect(`${ctx.config.basePath}/permissions${undo}`, 303);
  },
});

export default define.page<typeof handler>(({ data: { boot, rules, revoked, agents, toolsets } }) => (
  <Shell boot={boot} head={<PlainTitle text="Permissions" />}>
    <Head>
      <title>Permissions · Malama</title>
    </Head>
    <main class="log page hang" id="log" aria-labelledby="title" tabIndex={-1}>
      <p class="lede">What may run without asking, what asks first, and what the code behind it may reach.</p>
      <Rules rules={rules} revoked={revoked} />
      <Gates agents={agents} />
      <Toolsets toolsets={toolsets} />
    </main>
    <div class="dock bare">
      <Alerts boot={boot} />
    </div>
  </Shell>
));
