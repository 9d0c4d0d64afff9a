import { HttpError } from "fresh";
import { Head } from "fresh/runtime";
import { TitlePage } from "../components/shell/TitlePage.tsx";
import { ReadOnlyStorage, StorageClosed, StorageFull } from "../core/storage/mod.ts";
import { define } from "../web/mod.ts";

/** What went wrong on a page, in words. What nobody foresaw is in the process's log, not here. */
export default define.page(({ error, url, config }) => {
  const { status, title, lede } = wordsFor(error);
  return (
    <>
      <Head>
        <title>{title} · Malama</title>
      </Head>
      <TitlePage
        title={title}
        lede={lede}
        small={
          <>
            {status} at <code>{url.pathname}</code>
          </>
        }
      >
        <p class="pair ways-out">
          <a class="button strong" href={`${config.basePath}/`}>New conversation</a>
          <a class="button" href={url.pathname}>Try again</a>
        </p>
      </TitlePage>
    </>
  );
});

function wordsFor(error: unknown): { status: number; title: string; lede: string } {
  if (error instanceof HttpError && error.status === 404) {
    return {
      status: 404,
      title: error.message || "There is no such page",
      lede: "It may have been deleted, or the link is cut short. Nothing else was affected.",
    };
  }
  if (error instanceof HttpError && error.status < 500) {
    return { status: error.status, title: "That cannot be done", lede: `${error.message}.` };
  }
  if (error instanceof ReadOnlyStorage || error instanceof StorageFull || error instanceof StorageClosed) {
    return { status: 503, title: "Nothing can be kept now", lede: `${error.message}.` };
  }
  return {
    status: 500,
    title: "This page could not be drawn",
    lede: "What was stored before is as it was. The log of the process that runs Malama says what happened.",
  };
}
