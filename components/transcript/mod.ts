/** The parts of a transcript: what a conversation looks like, on the server and in the browser. */
export { Actions, type TranscriptActions } from "./actions.ts";
export { Following } from "./Following.tsx";
export { PendingTurns } from "./Pending.tsx";
export { Said } from "./Said.tsx";
export { openAround } from "./reading.ts";
export { goToEnd, toEnd } from "./scrolling.ts";
export { useSpeech } from "./speech.ts";
export { Asked } from "./Asked.tsx";
export { TurnSection } from "./TurnSection.tsx";
export { Nearness, NearTurn } from "./NearTurn.tsx";
