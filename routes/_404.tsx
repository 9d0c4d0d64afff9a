import { HttpError } from "fresh";
import { Head } from "fresh/runtime";
import { TitlePage } from "../components/shell/TitlePage.tsx";
import { define } from "../web/mod.ts";

export default define.page(({ url, config, error }) => (
  <>
    <Head>
      <title>Not found · Malama</title>
    </Head>
    <TitlePage
      title={error instanceof HttpError && error.message || "There is no such page"}
      lede="It may have been deleted, or the link is cut short. Nothing else was affected."
      small={
        <>
          404 at <code>{url.pathname}</code>
        </>
      }
    >
      <p class="pair ways-out">
        <a class="button strong" href={`${config.basePath}/`}>New conversation</a>
      </p>
    </TitlePage>
  </>
));
