import { HttpError, page } from "fresh";
import { Head } from "fresh/runtime";
import { bootOf } from "../../components/server/boot.ts";
import { DamagedBanner } from "../../components/server/Damaged.tsx";
import { readForm, toConversation } from "../../components/server/form.ts";
import { type Place, placeIn } from "../../components/server/stretch.ts";
import { ModelReading, Shell } from "../../components/shell/Shell.tsx";
import type { Assistant } from "../../core/assistant.ts";
import {
  BadRequest,
  type ConversationDetail,
  ConversationNotFound,
  TurnInFlight,
  TurnNotFound,
} from "../../core/conversation/mod.ts";
import { AlreadyDecided, QuestionNotFound } from "../../core/turn/mod.ts";
import Alerts from "../../islands/Alerts.tsx";
import Composer from "../../islands/Composer.tsx";
import Contents from "../../islands/Contents.tsx";
import Title from "../../islands/Title.tsx";
import Transcript from "../../islands/Transcript.tsx";
import { define } from "../../web/mod.ts";

/** A conversation. Its form writes, stops and goes on, also without scripts. */
export const handler = define.handlers({
  async GET(ctx) {
    const { assistant } = ctx.state;
    const detail = await known(() => branchAt(assistant, ctx.params.id!, placeIn(ctx.url.searchParams)));
    if (detail.unread) await assistant.conversations.markRead(detail.id).catch(() => {});
    return page({ boot: await bootOf(ctx, "conversation", detail) });
  },
  async POST(ctx) {
    const id = ctx.params.id!;
    const form = await readForm(ctx);
    const { turns, conversations, approvals } = ctx.state.assistant;
    const show = form.get("show");
    if (show !== null) {
      const { path } = await known(() => conversations.setHead(id, show));
      return ctx.redirect(`${ctx.config.basePath}/c/${id}#turn-${path.find((turn) => turn.id === show)?.n ?? 1}`, 303);
    }
    await known(async () => {
      switch (form.get("do")) {
        case "stop":
          return await turns.stop(id);
        case "continue":
          return await turns.resume(id);
        case "allow":
        case "deny":
          return await approvals.answer(id, Number(form.get("question")), {
            decision: form.get("do") as "allow" | "deny",
          });
        default:
          if ((form.get("text") ?? "").trim() !== "") await turns.submit(id, { text: form.get("text")! });
      }
    });
    return toConversation(ctx, id);
  },
});

/** The conversation; where the address names an entry of another branch, with that branch in view. */
async function branchAt({ conversations, log }: Assistant, id: string, place: Place): Promise<ConversationDetail> {
  const detail = await conversations.get(id);
  if (place.kind !== "at") return detail;
  const { items } = await log.entries(id, { after: place.seq - 1, before: place.seq + 1, all: true });
  const turn = items[0]?.turn ?? null;
  if (turn === null || detail.path.some((one) => one.id === turn)) return detail;
  return await conversations.setHead(id, turn);
}

/** The errors a person can make on this page, as pages. */
async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConversationNotFound) {
      throw new HttpError(404, "There is no such conversation", { cause: error });
    }
    if (error instanceof TurnNotFound) {
      throw new HttpError(404, "There is no such turn in this conversation", { cause: error });
    }
    if (error instanceof BadRequest) throw new HttpError(400, error.message, { cause: error });
    if (error instanceof QuestionNotFound) throw new HttpError(404, error.message, { cause: error });
    if (error instanceof TurnInFlight || error instanceof AlreadyDecided) {
      throw new HttpError(409, error.message, { cause: error });
    }
    throw error;
  }
}

export default define.page<typeof handler>(({ data: { boot }, state }) => {
  const { health } = state.assistant.storage;
  const conversation = boot.conversation as ConversationDetail;
  return (
    <Shell
      boot={boot}
      head={
        <Title boot={boot}>
          <ModelReading boot={boot} />
        </Title>
      }
      banner={health.state === "damaged" && <DamagedBanner health={health} basePath={boot.basePath} />}
    >
      <Head>
        <title>{conversation.title} · Malama</title>
      </Head>
      <main class="log hang" id="log" aria-labelledby="title" tabIndex={-1}>
        <Transcript boot={boot} />
      </main>
      <div class="dock hang">
        <Alerts boot={boot} />
        <Composer boot={boot} />
      </div>
      <aside class="margin" aria-label="Contents">
        <Contents boot={boot} />
      </aside>
    </Shell>
  );
});
