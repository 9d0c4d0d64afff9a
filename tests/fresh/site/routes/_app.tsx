import { Head } from "fresh/runtime";
import { define } from "../trace.ts";

export default define.layout(({ Component, state }) => (
  <html lang="en">
    <head>
      <title>Site</title>
      <meta name="description" content="The site's own" />
      <Head>
        <meta name="through" content={state.through?.join()} />
      </Head>
    </head>
    <body>
      <Component />
    </body>
  </html>
));
