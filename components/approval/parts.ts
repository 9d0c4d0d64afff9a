/** What a question is drawn with: loaded when there is one. */
export { AskCard } from "./AskCard.tsx";
export { Decided } from "./Decided.tsx";
