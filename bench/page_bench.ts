/** The first byte of the page, and the JavaScript it loads before anything is clicked. */
import { type Bench, median, spread } from "./figure.ts";
import { signIn, type Subject, withSubject } from "./subject.ts";

const RUNS = 50;

export const bench: Bench = {
  about: "first byte and first-load JavaScript of the page",
  async measure() {
    return await withSubject({}, async (subject) => {
      const headers = { cookie: await signIn(subject), accept: "text/html" };
      const page = await (await fetch(`${subject.served.url}/`, { headers })).text();
      const times: number[] = [];
      for (let run = 0; run < RUNS; run++) times.push(await firstByte(`${subject.served.url}/`, headers));
      const files = await scriptsOf(subject, page);
      const bytes = (await Promise.all([...files.values()].map(gzipped))).reduce((sum, size) => sum + size, 0);
      return [
        { name: "first byte of the page", value: median(times), unit: "ms", aim: null, note: spread(times) },
        {
          name: "first-load JavaScript",
          value: bytes / 1000,
          unit: "kB",
          aim: 90,
          note: `gzip, ${files.size} files, without KaTeX and the words of languages`,
        },
      ];
    });
  },
};

async function firstByte(url: string, headers: Record<string, string>): Promise<number> {
  const asked = performance.now();
  const response = await fetch(url, { headers });
  const reader = response.body!.getReader();
  await reader.read();
  const ms = performance.now() - asked;
  await reader.cancel();
  return ms;
}

/** The scripts a page names, and all that those import at once; an `import()` is for later. */
async function scriptsOf({ served }: Subject, page: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const waiting = [...page.matchAll(/(?:src|href)="([^"]+\.js[^"]*)"/g)].map(([, path]) =>
    new URL(path!, served.url).href
  );
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (files.has(url)) continue;
    const text = await (await fetch(url)).text();
    files.set(url, text);
    for (const [, path] of text.matchAll(/(?:\bfrom|\bimport)\s*"([^"]+)"/g)) waiting.push(new URL(path!, url).href);
  }
  return files;
}

async function gzipped(text: string): Promise<number> {
  const stream = new Response(text).body!.pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).bytes()).byteLength;
}
