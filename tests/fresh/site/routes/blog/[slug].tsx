import { HttpError, page } from "fresh";
import { Head } from "fresh/runtime";
import { define } from "../../trace.ts";

export const handler = define.handlers({
  GET: (ctx) => {
    if (ctx.params.slug === "missing") throw new HttpError(404);
    if (ctx.params.slug === "secret") throw new HttpError(403, "not for you");
    return page({ title: `On ${ctx.params.slug}` }, { headers: { "x-slug": ctx.params.slug ?? "" } });
  },
  POST: (ctx) => ctx.redirect("/blog/posted", 303),
});

export default define.page<typeof handler>(({ data }) => (
  <article>
    <Head>
      <title>{data.title}</title>
      <meta name="description" content="of the page" />
      <link key="canonical" rel="canonical" href="/one" />
      <link key="canonical" rel="canonical" href="/two" />
    </Head>
    {data.title}
  </article>
));
