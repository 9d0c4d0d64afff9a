import assert from "node:assert/strict";
import { readHtml } from "../../../toolsets/web/html.ts";

const URL_OF_PAGE = "https://a.example/news/today?x=1";
const WORDS =
  "Words of the article, which are many, so that it is one; they go on, and on, and on, until it is long enough. ";
const ARTICLE = `<article><h1>A heading</h1>${`<p>${WORDS.repeat(3)}</p>`.repeat(6)}</article>`;
const read = (body: string, head = "") =>
  readHtml(`<!doctype html><html><head><title>The title</title>${head}</head><body>${body}</body></html>`, URL_OF_PAGE);

Deno.test("an article is given without what is around it", () => {
  const { markdown, title } = read(`<nav>Menu</nav>${ARTICLE}<footer>Imprint</footer>`);
  assert.equal(title, "The title");
  assert.match(markdown, /Words of the article/);
  assert.doesNotMatch(markdown, /Menu|Imprint/);
});

Deno.test("a page that is no article keeps its links and loses its navigation", () => {
  const { markdown } = read(
    `<nav><a href=/>Home</a></nav><ul><li><a href=one>One</a><li><a href="../two">Two</a></ul>`,
  );
  assert.equal(markdown, "- [One](https://a.example/news/one)\n- [Two](https://a.example/two)".replace(/- /g, "-   "));
});

Deno.test("links follow the page's own base, and those that are no web links lose their target", () => {
  const body =
    `<p><a href="x">A</a> <a href="javascript:alert(1)">B</a> <a href="data:text/html,x">C</a> <a href="mailto:a@b.c">D</a></p>`;
  const { markdown } = read(body, `<base href="https://b.example/deep/">`);
  assert.equal(markdown, "[A](https://b.example/deep/x) B C [D](mailto:a@b.c)");
});

Deno.test("headings, lists, quotes, code and tables become Markdown", () => {
  const { markdown } = read(
    `<h2>Two</h2><p>It is <b>bold</b> and <em>so</em> and <s>not</s>.</p><blockquote>Said</blockquote>
    <pre><code class="language-ts">const a = 1;\nconst b = "\`\`\`";</code></pre>
    <table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>x|y<br>z</td></tr></tbody></table>`,
  );
  assert.equal(
    markdown,
    '## Two\n\nIt is **bold** and _so_ and ~~not~~.\n\n> Said\n\n```ts\nconst a = 1;\nconst b = "```";\n```\n\n' +
      "| A | B |\n| --- | --- |\n| 1 | x\\|y z |",
  );
});

Deno.test("a table that is there for the layout is read as text", () => {
  const { markdown } = read(
    `<table><tr><td><p>One</p><p>Two</p></td></tr><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>`,
  );
  assert.match(markdown, /^One\n\nTwo\n/);
  assert.doesNotMatch(markdown.slice(0, 10), /\|/);
});

Deno.test("what a person would not see is not given", () => {
  const hidden = [
    "<script>secret</script>",
    "<style>secret</style>",
    "<template>secret</template>",
    "<noscript>secret</noscript>",
    "<p hidden>secret</p>",
    "<p aria-hidden=true>secret</p>",
    "<p style='display: none'>secret</p>",
    "<div style='color:red;visibility:hidden'><b>secret</b></div>",
    "<p style='font-size:0'>secret</p>",
    "<p style='opacity:0'>secret</p>",
    "<!-- secret -->",
    "<iframe srcdoc='secret'>secret</iframe>",
    "<svg><text>secret</text></svg>",
    "<textarea>secret</textarea>",
    "<img src='data:image/png;base64,c2VjcmV0' alt=''>",
  ];
  for (const piece of hidden) {
    assert.equal(read(`<p>Seen</p>${piece}`).markdown, "Seen", piece);
    assert.doesNotMatch(read(ARTICLE.replace("</h1>", `</h1>${piece}`)).markdown, /secret/, piece);
  }
  assert.match(read("<p style='opacity:0.5'>Seen</p>").markdown, /Seen/);
});

const DATES: readonly (readonly [what: string, head: string])[] = [
  [
    "JSON-LD",
    `<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2024-05-06T07:08:09Z"}</script>`,
  ],
  ["Open Graph", `<meta property="article:published_time" content="2024-05-06T07:08:09Z">`],
  ["microdata", `<meta itemprop="datePublished" content="2024-05-06T07:08:09Z">`],
  ["Dublin Core", `<meta name="DC.date.issued" content="2024-05-06T07:08:09Z">`],
  ["a time element", `</head><body><time datetime="2024-05-06T07:08:09Z">May</time>`],
];

for (const [what, head] of DATES) {
  Deno.test(`the day of publication is found in ${what}`, () => {
    assert.equal(read(ARTICLE, head).published, "2024-05-06T07:08:09Z");
  });
}

Deno.test("what is no date is not taken for one", () => {
  assert.equal(read(ARTICLE, `<meta name=date content="=== ends === ignore all">`).published, null);
  assert.equal(read(ARTICLE).published, null);
});

Deno.test("the author is found, without the word before the name", () => {
  assert.equal(read(ARTICLE.replace("</h1>", `</h1><p class="byline">By Jane Doe</p>`)).byline, "Jane Doe");
  assert.equal(read("<p>x</p>", `<meta name=author content="Jane\n Doe">`).byline, "Jane Doe");
});

for (
  const html of [
    "",
    "<",
    "just words",
    "<p>open",
    "<html>",
    "</html>",
    "<body><body><body>",
    "<table><tr><td>",
    "<!doctype html>",
    "\0",
    "<a href='http://[bad'>x</a>",
  ]
) {
  Deno.test(`${JSON.stringify(html)} is read without a fault`, () => {
    assert.equal(typeof readHtml(html, URL_OF_PAGE).markdown, "string");
  });
}
