/**
 * The demonstration models: `demo:tour`, `demo:echo` and `demo:script@<file>`. They run in this process, need no network and
 * no key, and emit the events every other model does.
 *
 * @module
 */
import type { ModelClient, ModelInfo } from "../contract.ts";
import { BadModelString, type ModelString } from "../model_string.ts";
import { echo } from "./echo.ts";
import { type Pace, playBack, realPace } from "./playback.ts";
import { scriptFromFile } from "./scripted.ts";
import { tour } from "./tour.ts";

export { type ScriptedModel, scriptedModel } from "./scripted.ts";
export { BadScript, readScript, type ScriptedTurn } from "./script.ts";
export { TOUR_NOTICE, type TourOpening, tourOpenings } from "./openings.ts";

/** Words a second when the model string does not say (`;tps=`): quick to read along, slow enough to be seen. */
const WORDS_PER_SECOND = 60;

/** Makes a demonstration model. Throws `BadScript` when a script cannot be read, `BadModelString` for an unknown one. */
export async function createDemo(model: ModelString, info: ModelInfo, pace?: Pace): Promise<ModelClient> {
  const rate = typeof model.flags.tps === "string" ? Number(model.flags.tps) : WORDS_PER_SECOND;
  switch (model.id) {
    case "tour":
    case "echo": {
      const answer = model.id === "tour" ? tour : echo;
      const name = `demo:${model.id}`;
      return {
        info,
        stream: (request, signal) => playBack(name, request, answer(request), pace ?? realPace(rate), signal),
      };
    }
    case "script":
      return scriptFromFile(await Deno.readTextFile(model.baseUrl ?? ""), info);
    default:
      throw new BadModelString(
        model.string,
        "the demonstration models are demo:tour, demo:echo and demo:script@<file>",
      );
  }
}
