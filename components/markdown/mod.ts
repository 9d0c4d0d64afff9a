/** Markdown: parsed as it grows, drawn as Preact nodes. */
export { Markdown } from "./Markdown.tsx";
export { growMarkdown, type MarkdownDocument, parseMarkdown } from "./document.ts";
export { Listing } from "./Listing.tsx";
export { safeLink } from "./safe_link.ts";
