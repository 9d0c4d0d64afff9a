/** Models for pictures, speech and transcription: named by variables, asked through the one door out. */
import { serviceKey } from "../tool/mod.ts";
import type { Media } from "./media.ts";

/** The models, for a toolset's `service(MEDIA)`. */
export const MEDIA = serviceKey<Media>("media");

export { MEDIA_KINDS, type MediaKind, mediaProblems, MediaRefused, mediaVariable } from "./endpoint.ts";
export { AUDIO_BYTES, createMedia, type Media, SPEECH_FORMATS, type SpeechFormat } from "./media.ts";
