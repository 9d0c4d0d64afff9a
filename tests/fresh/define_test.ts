import assert from "node:assert/strict";
import { createDefine, HttpError, page, type RouteData } from "fresh";

const define = createDefine<{ user: string }>();

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

Deno.test("define gives back what it is given", () => {
  const handler = { GET: () => page({ name: "x" }) };
  assert.equal(define.handlers(handler), handler);
  const draw = () => null;
  assert.equal(define.page(draw), draw);
  assert.equal(define.layout(draw), draw);
  const middleware = [() => new Response()];
  assert.equal(define.middleware(middleware), middleware);
});

Deno.test("the data of a page is what its handlers hand to page(), whatever else they answer", () => {
  const handler = define.handlers({
    GET: (ctx) => ctx.state.user === "" ? ctx.redirect("/login") : page({ name: ctx.state.user }),
    POST: async (ctx) => {
      await ctx.req.body?.cancel();
      throw new HttpError(400);
    },
  });
  const isSame: Same<RouteData<typeof handler>, { name: string }> = true;
  assert.ok(isSame);
  const one = define.handlers(async () => await Promise.resolve(page([1, 2])));
  const isList: Same<RouteData<typeof one>, number[]> = true;
  assert.ok(isList);
  const none = define.handlers({ GET: (ctx) => ctx.text("") });
  const isNothing: Same<RouteData<typeof none>, never> = true;
  assert.ok(isNothing);
});

Deno.test("page() keeps data, headers and status", () => {
  assert.deepEqual(page({ a: 1 }, { status: 201, headers: { x: "y" } }), {
    data: { a: 1 },
    status: 201,
    headers: { x: "y" },
  });
  assert.deepEqual(page(), { data: undefined });
});
