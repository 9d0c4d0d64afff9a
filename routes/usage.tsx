import { page } from "fresh";
import { Head } from "fresh/runtime";
import { bootOf } from "../components/server/boot.ts";
import { PlainTitle, Shell } from "../components/shell/Shell.tsx";
import { Figures, UsageTable } from "../components/server/usage.tsx";
import Alerts from "../islands/Alerts.tsx";
import { define } from "../web/mod.ts";

/** What was used: figures, then the same by day, by model and by agent. */
export const handler = define.handlers({
  async GET(ctx) {
    const { assistant } = ctx.state;
    const [boot, days, models, agents] = await Promise.all([
      bootOf(ctx, "usage"),
      assistant.usage("day"),
      assistant.usage("model"),
      assistant.usage("agent"),
    ]);
    return page({ boot, days, models, agents });
  },
});

export default define.page<typeof handler>(({ data: { boot, days, models, agents } }) => (
  <Shell boot={boot} head={<PlainTitle text="Usage" />}>
    <Head>
      <title>Usage · Malama</title>
    </Head>
    <main class="log page hang" id="log" aria-labelledby="title" tabIndex={-1}>
      {days.length === 0
        ? <p class="lede">Nothing yet. What each turn used appears here, by day, model and agent.</p>
        : (
          <>
            <p class="lede">What the models were sent and what they wrote, as their providers reported it.</p>
            <Figures rows={models} />
            <UsageTable name="By day" label="Day" rows={days} kind="day" />
            <UsageTable name="By model" label="Model" rows={models} kind="model" />
            <UsageTable name="By agent" label="Agent" rows={agents} kind="agent" />
          </>
        )}
    </main>
    <div class="dock bare">
      <Alerts boot={boot} />
    </div>
  </Shell>
));
