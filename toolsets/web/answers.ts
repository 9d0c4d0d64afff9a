/**
 * What a model reads when nothing could be had, and what is asked of the door.
 *
 * @module
 */
import { type Egress, EgressError, type EgressRequest, type EgressResponse } from "../../core/egress/mod.ts";
import { shownUrl } from "../fence.ts";

/** An answer, or the sentence that stands for it. */
export type Fetched = { readonly answer: EgressResponse } | { readonly problem: string };

/** Fetches; what a model can do something about is a sentence (K-328). Throws the signal's reason. */
export async function tryFetch(egress: Egress, url: string, request: EgressRequest): Promise<Fetched> {
  try {
    return { answer: await egress.fetch(url, request) };
  } catch (error) {
    if (error instanceof EgressError) return { problem: `${error.message}.` };
    throw error;
  }
}

/** Meanings of the statuses that are met most, and what to do about them. */
const STATUSES: Readonly<Record<number, string>> = {
  400: "it did not understand the address",
  401: "it wants a sign-in: use another source",
  402: "it wants to be paid: use another source",
  403: "it refuses to answer programs, or wants a sign-in: use another source",
  404: "there is no such page: check the address, or search for it",
  405: "it does not answer this kind of request",
  410: "the page was taken away: search for another source",
  429: "it was asked too often: wait, or use another source",
  451: "it may not be shown for legal reasons: use another source",
  500: "it failed: try again in a while",
  502: "what is behind it does not answer: try again in a while",
  503: "it is overloaded or closed: try again in a while",
  504: "what is behind it is too slow: try again in a while",
};

/** The sentence for an answer whose status is no success, or `null` for one that is. */
export function statusProblem({ status, url, headers }: EgressResponse): string | null {
  if (status >= 200 && status < 300) return null;
  const meaning = STATUSES[status] ?? (status >= 500 ? "it failed: try again in a while" : "it gave no page");
  const wait = /^\d{1,6}$/.exec(headers.get("retry-after") ?? "")?.[0];
  return `${shownUrl(url)} answered with status ${status}, which means that ${meaning}.${
    wait ? ` It asks to wait ${wait} seconds.` : ""
  }`;
}

/** The JSON of an answer, or the sentence that says that it is none. */
export function jsonOf(answer: EgressResponse): { readonly json: unknown } | { readonly problem: string } {
  const problem = statusProblem(answer);
  if (problem !== null) return { problem };
  try {
    return { json: JSON.parse(new TextDecoder().decode(answer.bytes)) };
  } catch {
    return {
      problem: `${shownUrl(answer.url)} did not answer with JSON: it is not the service that it was taken for.`,
    };
  }
}
