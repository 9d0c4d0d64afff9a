import { notFound, serveOperations } from "../../../../web/mod.ts";

export const handler = serveOperations({
  answerApproval({ params, body, state: { assistant } }) {
    const { conversation, seq } = params;
    if (!/^[1-9]\d{0,14}$/.test(seq)) throw notFound(`"${seq}" is no number of an entry`);
    return assistant.approvals.answer(conversation, Number(seq), body);
  },
});
