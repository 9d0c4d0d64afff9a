import { asset } from "fresh/runtime";
import { HttpError } from "fresh";
import { define } from "../web/mod.ts";

/** What the shell needs besides the built scripts. */
const STATIC_FILES = ["/malama.css", "/jar.svg", "/offline.js"];

/**
 * The service worker: what it is to keep, and `static/worker.js`, which keeps it. Its text changes with every file of the
 * page, so that the browser installs it anew, and drops what an older one kept.
 */
export const handler = define.handlers({
  async GET({ config: { basePath }, state: { shell } }) {
    if (shell === null) throw new HttpError(404);
    const statics = STATIC_FILES.map((path) => asset(path));
    const kept = {
      base: basePath,
      hash: await shell.hash(),
      files: [...await shell.scripts(), ...statics],
    };
    const text = `self.shell = ${JSON.stringify(kept)};\nimportScripts(${JSON.stringify(asset("/worker.js"))});\n`;
    const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
    return new Response(text, { headers });
  },
});
