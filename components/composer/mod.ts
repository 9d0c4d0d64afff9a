/** The composer: what a person writes in, how it is to be answered, and what is on its way. */
export { Asking } from "./Asking.tsx";
export { AttachButton, Attachments, useDropAndPaste } from "./Attachments.tsx";
export { Bar } from "./Bar.tsx";
export { Field } from "./Field.tsx";
export { Hints, Jump } from "./Hints.tsx";
export { useComposerKeys } from "./keys.ts";
export { holdWhilePressed } from "./pressing.ts";
export { QueueList } from "./QueueList.tsx";
export { type Sending, useSending } from "./sending.ts";
