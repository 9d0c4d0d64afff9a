/**
 * A home folder with things in it that may and may not be touched.
 *
 * @module
 */
import { OWN_PLACES } from "../../../core/sandbox/mod.ts";
import { Services } from "../../../core/tool/mod.ts";

export interface FsFixture extends AsyncDisposable {
  readonly home: string;
  /** A folder beside it that is not open. */
  readonly outside: string;
  readonly services: Services;
}

/** Makes it. `home` holds `notes/a.txt`, `.ssh/id`, Malama's data in `own`, and links that lead out. */
export async function openHome(): Promise<FsFixture> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const home = `${base}/home`;
  const outside = `${base}/outside`;
  for (const folder of [`${home}/notes`, `${home}/.ssh`, `${home}/own`, outside]) {
    await Deno.mkdir(folder, { recursive: true });
  }
  for (const file of [`${home}/notes/a.txt`, `${home}/.ssh/id`, `${home}/own/token`, `${outside}/secret.txt`]) {
    await Deno.writeTextFile(file, `text of ${file.slice(base.length + 1)}\n`);
  }
  await Deno.symlink(`${outside}/secret.txt`, `${home}/notes/link.txt`);
  await Deno.symlink(outside, `${home}/notes/out`);
  await Deno.symlink(`${home}/.ssh`, `${home}/notes/keys`);
  await Deno.symlink(`${outside}/nothing.txt`, `${home}/notes/dangling.txt`);
  await Deno.symlink(`${home}/notes/a.txt`, `${home}/inside.txt`);
  return {
    home,
    outside,
    services: new Services().provide(
      OWN_PLACES,
      () => ({ closed: [`${home}/own`], readable: [`${home}/own/downloads`] }),
    ),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
}
