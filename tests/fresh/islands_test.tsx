import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import { csp } from "fresh";
import { asset, Head } from "fresh/runtime";
import { App } from "fresh";
import type { ComponentChildren, JSX } from "preact";
import { readTable } from "../../fresh/deserialize.ts";
import type { PageTable } from "../../fresh/table.ts";
import { fakeSnapshot, render } from "./fake_snapshot.ts";

function Box({ children, isHidden, label }: {
  children?: ComponentChildren;
  isHidden?: boolean;
  label?: ComponentChildren;
  onPick?: () => void;
  items?: readonly unknown[];
}): JSX.Element {
  return <div>{label}{isHidden ? null : children}</div>;
}

function Other({ children }: { children?: ComponentChildren }): JSX.Element {
  return (
    <section>
      <Box label="own" />
      {children}
    </section>
  );
}

const snapshot = fakeSnapshot({ Box, Other });

function tableOf(html: string): PageTable {
  const json = /<script type="application\/json" id="__FRSH_STATE"[^>]*>(.*?)<\/script>/.exec(html)?.[1];
  return readTable(JSON.parse(json ?? "[]")) as PageTable;
}

function bodyOf(html: string): string {
  return /<body>(.*?)(?:<template|<script|<\/body>)/s.exec(html)?.[1] ?? "";
}

Deno.test("an island made in a handler is recognised", async () => {
  const html = await render(snapshot, (ctx) => ctx.render(<Box label="x" />));
  assert.equal(bodyOf(html), "<!--frsh:island:0--><div>x</div><!--/frsh:island-->");
  assert.deepEqual(tableOf(html), {
    basePath: "",
    assets: {},
    islands: [{ module: "/_fresh/js/abc/islands/Box.js", exportName: "default", props: { label: "x" } }],
  });
});

Deno.test("an island rendered twice from one element has two places", async () => {
  const box = <Box label="x" />;
  const html = await render(snapshot, (ctx) => ctx.render(<p>{box}{box}</p>));
  assert.match(bodyOf(html), /frsh:island:0.*frsh:island:1/);
  const again = await render(snapshot, (ctx) => ctx.render(box));
  assert.equal(bodyOf(again), "<!--frsh:island:0--><div>x</div><!--/frsh:island-->");
});

Deno.test("an island inside an island has no markers", async () => {
  const html = await render(snapshot, (ctx) => ctx.render(<Other />));
  assert.equal(bodyOf(html), "<!--frsh:island:0--><section><div>own</div></section><!--/frsh:island-->");
  assert.equal(tableOf(html).islands.length, 1);
});

Deno.test("an island inside a slot has markers", async () => {
  const html = await render(snapshot, (ctx) =>
    ctx.render(
      <Other>
        a<Box label="in" />
      </Other>,
    ));
  assert.equal(
    bodyOf(html),
    "<!--frsh:island:0--><section><div>own</div><!--frsh:slot:0-->a" +
      "<!--frsh:island:1--><div>in</div><!--/frsh:island--><!--/frsh:slot--></section><!--/frsh:island-->",
  );
});

Deno.test("a slot that is not drawn is kept in a template", async () => {
  const html = await render(
    snapshot,
    (ctx) =>
      ctx.render(
        <Box isHidden>
          <Box isHidden label="inner">
            <i>deep</i>
          </Box>
        </Box>,
      ),
  );
  assert.match(
    html,
    /<template id="frsh-slot-0"><!--frsh:island:1--><div>inner<\/div><!--\/frsh:island--><\/template>/,
  );
  assert.match(html, /<template id="frsh-slot-1"><i>deep<\/i><\/template>/);
  assert.equal(tableOf(html).islands.length, 2);
});

Deno.test("text and signals handed to an island are props, not slots", async () => {
  const html = await render(snapshot, (ctx) => ctx.render(<Box label={signal("s")}>text</Box>));
  assert.doesNotMatch(html, /frsh:slot/);
  assert.equal(tableOf(html).islands[0]?.props.children, "text");
});

Deno.test("a function as a prop is an error that names the island and the prop", async () => {
  const html = await render(snapshot, (ctx) => ctx.render(<Box onPick={() => {}} />));
  assert.equal(
    html,
    `error: The island "Box" was given a function in the prop "onPick", which cannot be sent to the browser; ` +
      `pass plain data, a signal, or markup as a prop of its own`,
  );
  const nested = await render(snapshot, (ctx) => ctx.render(<Box items={[{ icon: [<b key="b" />] }]} />));
  assert.match(nested, /The island "Box" was given markup nested in the prop "items\[0\].icon\[0\]"/);
});

Deno.test("the page fetches an island's own files at once, and lazy ones not", async () => {
  const html = await render(snapshot, (ctx) => ctx.render(<Box />));
  const loaded = [...html.matchAll(/<link rel="modulepreload" href="\/_fresh\/js\/abc\/([^"]+)">/g)].map(([, f]) => f);
  assert.deepEqual(loaded.sort(), ["boot.js", "chunk-1.js", "islands/Box.js"]);
  assert.match(html, /<script type="module" src="\/_fresh\/js\/abc\/boot.js"><\/script><\/body>/);
});

Deno.test("under a base path every address starts with it", async () => {
  const html = await render(snapshot, (ctx) => ctx.render(<Box />), "/base");
  const addresses = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
  assert.ok(addresses.length >= 4);
  for (const address of addresses) assert.match(address ?? "", /^\/base\/_fresh\/js\/abc\//);
  assert.equal(tableOf(html).basePath, "/base");
});

Deno.test("asset() gives the base path and the content hash, wherever it is called", async () => {
  const early = (path: string) => <a href={path}>{asset("/known.css?a=1#b")}</a>;
  const html = await render(snapshot, async (ctx) => {
    await Promise.resolve();
    return await ctx.render(
      <>
        {early(asset("/known.css"))}
        {asset("/unknown.css")} {asset("https://x/y")}
        <Box />
      </>,
    );
  }, "/base");
  assert.match(html, /<a href="\/base\/known.css\?__frsh_c=k1">\/base\/known.css\?a=1&amp;__frsh_c=k1#b<\/a>/);
  assert.match(html, /\/base\/unknown.css https:\/\/x\/y/);
  assert.equal(asset("/known.css"), "/known.css");
});

Deno.test("an island that asks for a static file finds its hash in the browser too", async () => {
  const Styled = () => <p>{asset("/known.css")}</p>;
  const html = await render(fakeSnapshot({ Styled }), (ctx) => ctx.render(<Styled />));
  assert.deepEqual(tableOf(html).assets, { "/known.css": "k1" });
});

Deno.test("Head inside an island is hoisted too", async () => {
  const Titled = () => (
    <>
      <Head>
        <title>{"<Titled>"}</title>
      </Head>
    </>
  );
  const html = await render(fakeSnapshot({ Titled }), (ctx) => ctx.render(<Titled />));
  assert.match(html, /<head>.*<title>&lt;Titled><\/title>.*<\/head>/);
});

Deno.test("when the scripts cannot be built the page is still readable, and the reason is logged", async () => {
  const { error } = console;
  const logged: unknown[] = [];
  console.error = (line) => logged.push(line);
  try {
    const broken = fakeSnapshot({ Box }, () => Promise.reject(new Error("no bundler")));
    const html = await render(broken, (ctx) => ctx.render(<Box label="still here" />));
    assert.match(html, /still here/);
    assert.doesNotMatch(html, /<script/);
    assert.deepEqual(logged, ["no bundler"]);
  } finally {
    console.error = error;
  }
});

Deno.test("two pages rendered at once keep their own islands", async () => {
  const app = new App().applySnapshot(snapshot).get("/:n", async (ctx) => {
    await Promise.resolve();
    return await ctx.render(<Box label={ctx.params.n} />);
  });
  const handler = app.handler();
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (n) => tableOf(await (await handler(new Request(`http://localhost/${n}`))).text())),
  );
  assert.deepEqual(pages.map((page) => page.islands.map((island) => island.props.label)), [["1"], ["2"], ["3"], ["4"]]);
});

Deno.test("csp({useNonce}) gives every script and style of the page the nonce of the header", async () => {
  const app = new App().applySnapshot(snapshot).use(csp({ useNonce: true }))
    .get("/", (ctx) =>
      ctx.render(
        <>
          <style>{"p{}"}</style>
          <script src="/x.js" />
          <Box />
        </>,
      ));
  const handler = app.handler();
  const nonces = new Set<string>();
  for (let turn = 0; turn < 2; turn++) {
    const answer = await handler(new Request("http://localhost/"));
    const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1];
    const html = await answer.text();
    const tags = html.match(/<(?:script|style)[^>]*>/g) ?? [];
    assert.equal(tags.length, 4);
    for (const tag of tags) assert.ok(tag.includes(`nonce="${nonce}"`), tag);
    nonces.add(nonce ?? "");
  }
  assert.equal(nonces.size, 2);
});
