/**
 * Messages between the agents that work on one turn.
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { MESSAGES, type SendReceipt } from "../core/turn/mod.ts";

/** `messaging`: write to the other agents of a turn, and see who there is (K-132…K-135). */
export const messaging = defineToolset({
  name: "messaging",
  description: "Writing to the other agents that work on the same turn",
  guidance:
    "With `send_message` you write to agents that work on this turn beside you; `list_agents` says who there is. " +
    "What is accepted may still not be read. The person is not among them: to tell them something, answer.",
  crossCutting: true,
  tools: () => [
    tool({
      name: "send_message",
      description:
        "Writes to another agent of this turn. It reads the message before its next step, if it takes another one.",
      input: z.object({
        to: z.string().describe(
          'An address such as "researcher#1", a name such as "researcher" for all that have it, or "everyone"',
        ),
        text: z.string().describe("What it should know"),
      }),
      run: ({ to, text }, { service }) => receiptText(service(MESSAGES).send(to, text)),
    }),
    tool({
      name: "list_agents",
      description: "Lists who can be written to in this turn.",
      input: z.object({}),
      run(_, { service }) {
        const { address, roster } = service(MESSAGES);
        return [
          ...roster().map((each) => (each === address ? `- ${each} (you)` : `- ${each}`)),
          "- everyone",
          "An address may be that of an agent that is done. The person is not on this list and cannot be written to: answer instead.",
        ].join("\n");
      },
    }),
  ],
});

function receiptText(receipt: SendReceipt): string {
  if (receipt.status === "accepted") {
    const { to, covers } = receipt;
    const whom = covers.length > 0 ? ` for ${covers.join(", ")}` : to === "everyone" ? "; nobody is listed yet" : "";
    return `Accepted${whom}. That does not mean it will be read: an agent that takes no further step reads nothing.`;
  }
  switch (receipt.why) {
    case "over":
      return "Not sent: the turn is over";
    case "no address":
      return "Not sent: you have no address, so nobody could tell who wrote";
    case "blank":
      return "Not sent: the text is empty";
    case "nobody":
      return `Not sent: nobody here is "${receipt.to}". You can write to ${[...receipt.roster, "everyone"].join(", ")}`;
    default:
      return receipt satisfies never;
  }
}
