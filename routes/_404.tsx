import { Head } from "fresh/runtime";
import { TitlePage } from "../components/shell/TitlePage.tsx";
import { define } from "../web/mod.ts";

export default define.page(({ url, config }) => (
  <>
    <Head>
      <title>Not found · Malama</title>
    </Head>
    <TitlePage
      title="There is no such page"
      lede="The link may be cut short. Nothing else was affected."
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
