/** The parts of a transcript: what a conversation looks like, on the server and in the browser. */
export { Actions, type TranscriptActions } from "./actions.ts";
export { Said } from "./Said.tsx";
export { TurnSection } from "./TurnSection.tsx";
export { toEnd, useFollowing } from "./following.ts";
export { PendingTurns, Queue } from "./Pending.tsx";
export { useSpeech } from "./speech.ts";
