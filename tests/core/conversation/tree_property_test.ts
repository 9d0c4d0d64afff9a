import fc from "fast-check";
import { openTree } from "./tree_fixture.ts";
import { type Move, TreePair } from "./tree_model.ts";

const room = fc.nat(20);
const turn = fc.nat(50);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ op: "new" as const }) },
  {
    weight: 8,
    arbitrary: fc.record({ op: fc.constantFrom("answer" as const, "rerun" as const), room, turn }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constantFrom("head" as const, "truncate" as const, "branch" as const),
      room,
      turn,
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("duplicate" as const), room }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("import" as const), room }) },
);

Deno.test("a tree of turns stays what its model says, whatever is answered, shown, taken away, copied or imported", async () => {
  await using fixture = await openTree();
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 14 }), async (moves) => {
      const pair = new TreePair(fixture);
      await pair.take({ op: "new" });
      for (const each of moves) await pair.take(each);
      await pair.check();
    }),
    { numRuns: 40 },
  );
});
