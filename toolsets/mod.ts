/** The toolsets that come with Malama, in the order they are offered. */
import type { Toolset } from "malama";
import { capabilities } from "./capabilities.ts";
import { compute } from "./compute.ts";
import { config } from "./config.ts";
import { conversations } from "./conversations.ts";
import { core } from "./core.ts";
import { documents } from "./documents.ts";
import { fs } from "./fs.ts";
import { fsWrite } from "./fs_write.ts";
import { image } from "./image.ts";
import { memory } from "./memory.ts";
import { messaging } from "./messaging.ts";
import { misc } from "./misc.ts";
import { speech } from "./speech.ts";
import { time } from "./time.ts";
import { transcription } from "./transcription.ts";
import { web } from "./web.ts";

/** Every built-in toolset. */
export const builtInToolsets: readonly Toolset[] = [
  core,
  time,
  compute,
  web,
  capabilities,
  messaging,
  memory,
  documents,
  fs,
  fsWrite,
  conversations,
  config,
  misc,
  image,
  speech,
  transcription,
];
