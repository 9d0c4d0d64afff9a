import { asset } from "fresh/runtime";
import { define } from "../web/mod.ts";

/** What a browser installs: the same for everyone, since it is fetched without a cookie. */
export const handler = define.handlers({
  GET({ config: { basePath } }) {
    const icon = (name: string, size: number, purpose = "any") => ({
      src: asset(`/icons/${name}.png`),
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose,
    });
    const manifest = {
      id: `${basePath}/`,
      name: "Mālama",
      short_name: "Mālama",
      description: "A personal assistant on your own machine",
      lang: "en",
      start_url: `${basePath}/`,
      scope: `${basePath}/`,
      display: "standalone",
      background_color: "#f6f8f5",
      theme_color: "#f6f8f5",
      icons: [
        icon("icon-192", 192),
        icon("icon-512", 512),
        icon("maskable-512", 512, "maskable"),
        { src: asset("/jar.svg"), sizes: "any", type: "image/svg+xml", purpose: "any" },
      ],
      shortcuts: [{ name: "New conversation", url: `${basePath}/`, icons: [icon("icon-192", 192)] }],
    };
    const headers = { "content-type": "application/manifest+json", "cache-control": "no-cache" };
    return new Response(JSON.stringify(manifest), { headers });
  },
});
