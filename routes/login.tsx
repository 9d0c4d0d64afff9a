import { type Context, page } from "fresh";
import { asset, Head } from "fresh/runtime";
import type { VNode } from "preact";
import { TitlePage } from "../components/shell/TitlePage.tsx";
import { some } from "../components/words.ts";
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import { define, login, type LoginView, type State } from "../web/mod.ts";

/** The door: a code opens it. */
export const handler = define.handlers({ GET: open, POST: open });

async function open(ctx: Context<State>) {
  const view = await login(ctx);
  return view instanceof Response ? view : page({ view }, { status: view.status, headers: { ...view.headers } });
}

export default define.page<typeof handler>(({ data: { view }, config }) => (
  <>
    <Head>
      <title>{view.kind === "signed_out" ? "Signed out" : "Locked"} · Malama</title>
    </Head>
    <TitlePage
      title={view.kind === "signed_out" ? "You are signed out" : "Mālama is locked"}
      lede={view.kind === "signed_out"
        ? "This browser no longer opens it. To come back, follow a new link, or type its code."
        : "When it starts, it prints a link that opens this page once. Follow that link, or type its code."}
      small={
        <>
          For a new code, run <code>{MALAMA_COMMAND} login</code>{" "}
          on the machine that hosts it. Wrong codes close this door for a while.
        </>
      }
    >
      {view.kind === "signed_out" && <script src={asset("/signed_out.js")} defer></script>}
      <form method="post" action={`${config.basePath}/login`}>
        <label class="label-line" for="code">Code</label>
        <div class="pair">
          <input
            class="field-box"
            id="code"
            type="text"
            name="code"
            autocomplete="one-time-code"
            spellcheck={false}
            autocapitalize="off"
            autofocus
            required
            aria-invalid={problemOf(view) ? "true" : undefined}
            aria-describedby={problemOf(view) ? "problem" : undefined}
          />
          <button class="button strong" type="submit">Open</button>
        </div>
        <Problem view={view} />
      </form>
    </TitlePage>
  </>
));

function Problem({ view }: { view: LoginView }): VNode | null {
  const problem = problemOf(view);
  if (!problem) return null;
  return (
    <p class="error-line" id="problem" role="alert">
      <span class="mark bad" />
      {problem}
    </p>
  );
}

function problemOf(view: LoginView): string | null {
  switch (view.kind) {
    case "ask":
    case "signed_out":
      return null;
    case "wrong":
      return "That code was already used, or is older than ten minutes.";
    case "limited":
      return `Too many wrong codes. Wait ${some(view.waitSeconds, "second")}, then try again.`;
    default:
      return view.kind satisfies never;
  }
}
