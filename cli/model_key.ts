/**
 * Whether a model can be asked at all, for the command line.
 *
 * @module
 */
import { missingKey } from "../core/model/mod.ts";

/** What is missing for this model, as one line, or `null`. */
export function keyFault(model: string, env: (name: string) => string | undefined): string | null {
  const variable = missingKey(model, env);
  return variable === null
    ? null
    : `The model "${model}" needs a key: set ${variable}, or choose another model with --model`;
}
