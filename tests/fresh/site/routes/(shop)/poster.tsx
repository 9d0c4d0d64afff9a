import type { RouteConfig } from "fresh";

export const config: RouteConfig = { skipInheritedLayouts: true, routeOverride: "/posters/:id" };

export const css = ["/poster.css"];

export default async function Poster({ params }: { params: Readonly<Record<string, string>> }) {
  return await Promise.resolve(<p>poster {params.id}</p>);
}
