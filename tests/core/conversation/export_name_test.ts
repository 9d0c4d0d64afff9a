import assert from "node:assert/strict";
import fc from "fast-check";
import { exportName } from "../../../core/conversation/export_name.ts";

const conversation = { id: "01K7Q2M00000000000004C9FK2", created_at: "2026-11-30T09:00:00.000Z" };

Deno.test("exportName() is the day, the title and the end of the id", () => {
  const { name, ascii } = exportName({ ...conversation, title: "When is low water?" }, "md", false);
  assert.equal(name, "2026-11-30-when-is-low-water-4c9fk2.md");
  assert.equal(ascii, name);
});

Deno.test("exportName() says that it is full, and of what kind", () => {
  const { name } = exportName({ ...conversation, title: "Tides" }, "jsonl", true);
  assert.equal(name, "2026-11-30-tides-4c9fk2.full.jsonl");
});

Deno.test("exportName() keeps a title in any script, beside one in ASCII", () => {
  const { name, ascii } = exportName({ ...conversation, title: "Übersicht 潮汐 / now" }, "md", false);
  assert.deepEqual([name, ascii], ["2026-11-30-übersicht-潮汐-now-4c9fk2.md", "2026-11-30-bersicht-now-4c9fk2.md"]);
  assert.equal(exportName({ ...conversation, title: "潮汐" }, "md", false).ascii, "2026-11-30-4c9fk2.md");
});

Deno.test("exportName() is a bare name, whatever it is made of", () => {
  const any = fc.string({ unit: "binary" });
  fc.assert(fc.property(any, any, any, (id, title, created_at) => {
    const { name, ascii } = exportName({ id, title, created_at }, "md", false);
    assert.match(ascii, /^[a-z0-9-]*\.md$/);
    assert.match(name, /^[\p{L}\p{M}\p{N}-]*\.md$/u);
  }));
});
