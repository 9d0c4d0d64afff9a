import { asset, Head } from "fresh/runtime";
import { Sprite } from "../components/shell/Icon.tsx";
import { define } from "../web/mod.ts";

/** The document of every page. The theme is known here, so that no page flashes in the wrong one. */
export default define.layout(({ Component, state, config }) => {
  const pinned = state.theme === "auto" || state.theme === undefined ? undefined : state.theme;
  return (
    <html lang="en" data-theme={pinned}>
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        {pinned !== "dark" && (
          <meta name="theme-color" content="#f6f8f5" media={pinned ? undefined : "(prefers-color-scheme: light)"} />
        )}
        {pinned !== "light" && (
          <meta name="theme-color" content="#121614" media={pinned ? undefined : "(prefers-color-scheme: dark)"} />
        )}
        <link rel="stylesheet" href={asset("/malama.css")} />
        <link
          rel="icon"
          type="image/svg+xml"
          href={asset("/jar.svg")}
          data-plain={asset("/jar.svg")}
          data-asking={asset("/jar_asking.svg")}
        />
        <link rel="apple-touch-icon" href={asset("/icons/apple-touch-icon.png")} />
        <link rel="manifest" href={`${config.basePath}/manifest.webmanifest`} />
        <Head>
          <title>Malama</title>
        </Head>
      </head>
      <body>
        <Sprite />
        <Component />
      </body>
    </html>
  );
});
