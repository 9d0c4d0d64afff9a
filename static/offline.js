/**
 * On the page that is shown when nothing answers: lists what this browser keeps for other conversations, and goes to the
 * page that was asked for as soon as there is an answer. What is written meanwhile is kept by the page itself.
 */
const base = new URL(".", document.currentScript.src).pathname.slice(0, -1);
const LOOK_MS = 2000;
/** How long the page has to send what waits before it is left. */
const SEND_MS = 1500;

const theme = /(?:^|;\s*)malama_theme=(light|dark)/.exec(document.cookie);
if (theme) document.documentElement.dataset.theme = theme[1];

/** Texts that were not sent, but for those the page shows itself: the ones that begin a conversation. */
function keptTexts() {
  const prefix = `malama:${base}:`;
  return Object.keys(localStorage).sort().flatMap((key) => {
    const value = localStorage.getItem(key) ?? "";
    if (key.startsWith(`${prefix}draft:`)) return key.endsWith(":new") ? [] : [{ kind: "Draft", text: value }];
    if (!key.startsWith(`${prefix}outbox:`)) return [];
    try {
      const { conversation, state, text } = JSON.parse(value);
      return conversation && state === "waiting" && text ? [{ kind: "Not sent yet", text: String(text) }] : [];
    } catch {
      return [];
    }
  });
}

function showKept() {
  const list = document.querySelector("#kept ul");
  for (const { kind, text } of keptTexts()) {
    const item = document.createElement("li");
    const label = document.createElement("b");
    label.textContent = kind;
    item.append(label, ` ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`);
    list.append(item);
  }
  document.querySelector("#kept").hidden = list.childElementCount === 0;
}

/** Where the person wanted to go, on this very site and below the base path. */
function wanted() {
  const to = new URL(new URLSearchParams(location.search).get("to") ?? `${base}/`, location.origin);
  return to.origin === location.origin && to.pathname.startsWith(`${base}/`) ? to : new URL(`${base}/`, location.origin);
}

async function look() {
  try {
    const response = await fetch(`${base}/healthz`, { cache: "no-store" });
    if (response.ok) return back();
  } catch {
    // Nobody there yet.
  }
  setTimeout(look, LOOK_MS);
}

function back() {
  const isBlank = !document.querySelector("#say")?.value && !document.querySelector(".queue, .pending");
  dispatchEvent(new Event("online")); // the page connects, and sends what waits
  setTimeout(() => {
    // A message that began a conversation has taken the page there.
    if (location.pathname === `${base}/offline`) location.replace(wanted());
    else location.reload();
  }, isBlank ? 0 : SEND_MS);
}

addEventListener("DOMContentLoaded", () => {
  document.querySelector("#say").placeholder = "Write a message";
  try {
    showKept();
  } catch {
    // The browser keeps its storage closed: there is nothing to show.
  }
  look();
});
