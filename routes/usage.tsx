import { page } from "fresh";
import { Head } from "fresh/runtime";
import { bootOf } from "../components/server/boot.ts";
import { PlainTitle, Shell } from "../components/shell/Shell.tsx";
import { Figures, UsageTable } from "../components/server/usage.tsx";
import { periodIn, PERIODS, spread } from "../components/server/usage_period.ts";
import Alerts from "../islands/Alerts.tsx";
import { define } from "../web/mod.ts";

/** What was used: figures, then the same by day, by model and by agent. */
export const handler = define.handlers({
  async GET(ctx) {
    const period = periodIn(ctx.url.searchParams);
    const [boot, report] = await Promise.all([
      bootOf(ctx, "usage"),
      ctx.state.assistant.usage(period === null ? {} : { days: period }),
    ]);
    return page({ boot, report, period, time: spread(report.day, period, Temporal.Now.plainDateISO().toString()) });
  },
});

export default define.page<typeof handler>(({ data: { boot, report, period, time } }) => (
  <Shell boot={boot} head={<PlainTitle text="Usage" />}>
    <Head>
      <title>Usage · Malama</title>
    </Head>
    <main class="log page hang" id="log" aria-labelledby="title" tabIndex={-1}>
      <p class="lede">What the models were sent and what they wrote, as their providers reported it.</p>
      <nav class="tabs periods" aria-label="Period">
        {PERIODS.map(({ days, name }) => (
          <a
            key={name}
            href={`${boot.basePath}/usage?days=${days ?? "all"}`}
            aria-current={days === period ? "page" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {report.day.length === 0
        ? (
          <p class="lede">
            {period === null ? "Nothing yet. " : "Nothing in this time. "}
            What each turn used appears here, by day, model and agent.
          </p>
        )
        : (
          <>
            <Figures rows={report.model} />
            <UsageTable
              name={time.unit === "day" ? "By day" : "By month"}
              label={time.unit === "day" ? "Day" : "Month"}
              rows={time.rows}
              kind="day"
              chart={time.keys}
            />
            <UsageTable name="By model" label="Model" rows={report.model} kind="model" />
            <UsageTable name="By agent" label="Agent" rows={report.agent} kind="agent" />
          </>
        )}
    </main>
    <div class="dock bare">
      <Alerts boot={boot} />
    </div>
  </Shell>
));
