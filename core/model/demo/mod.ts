/**
 * The demonstration models: `demo:tour`, `demo:echo` and `demo:script@<file>`. They run in this process, need no network and
 * no key, and emit the events every other model does.
 *
 * @module
 */
import type { ModelClient, ModelInfo } from "../contract.ts";
import { BadModelString, type ModelString } from "../model_string.ts";
import { echo } from "./echo.ts";
import { playBack, realPace } from "./playback.ts";
import { scriptFile } from "./scripted.ts";
import { tour } from "./tour.ts";

export { KEYED_EXAMPLES } from "./answers.ts";
export { TOUR_NOTICE, type TourOpening, tourOpenings } from "./openings.ts";
export { BadScript, readScript, type ScriptedTurn } from "./script.ts";
export { type ScriptedModel, scriptedModel } from "./scripted.ts";

/** Words a second when the model string does not say (`;tps=`): quick to read along, slow enough to be seen. */
const WORDS_PER_SECOND = 60;

/** Makes a demonstration model. Throws `BadModelString` for one there is not. */
export function createDemo(model: ModelString, info: ModelInfo): ModelClient {
  switch (model.id) {
    case "tour":
    case "echo": {
      const answer = model.id === "tour" ? tour : echo;
      const pace = realPace(typeof model.flags.tps === "string" ? Number(model.flags.tps) : WORDS_PER_SECOND);
      return {
        info,
        stream: (request, signal) => playBack(`demo:${model.id}`, request, answer(request), pace, signal),
      };
    }
    case "script":
      return scriptFile(model.baseUrl ?? "", info);
    default:
      throw new BadModelString(
        model.string,
        "the demonstration models are demo:tour, demo:echo and demo:script@<file>",
      );
  }
}
