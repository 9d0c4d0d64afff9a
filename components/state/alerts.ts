/**
 * Alerts: said once, standing until dismissed; a newer one of the same group takes the place of the older (K-288).
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Frame } from "./live_socket.ts";

export interface Alert {
  readonly id: string;
  readonly text: string;
  readonly level: "info" | "warning" | "error";
  readonly group?: string;
  /** The conversation it is about; it may be gone. */
  readonly conversation?: string;
  readonly url?: string;
}

export class Alerts {
  readonly #list = signal<readonly Alert[]>([]);
  #count = 0;

  get list(): ReadonlySignal<readonly Alert[]> {
    return this.#list;
  }

  /** Shows one of the page's own. The same words twice are one alert. */
  say(alert: Omit<Alert, "id">): void {
    this.#count++;
    this.#put({ group: alert.text, ...alert, id: `page-${this.#count}` });
  }

  /** Takes in an `alert` or an `error` frame; one without words is ignored. */
  take(frame: Frame): void {
    if (frame.op === "error") {
      const text = frame.detail ?? frame.title;
      if (typeof text === "string") this.say({ text, level: "error" });
      return;
    }
    if (typeof frame.text !== "string" || frame.text === "") return;
    this.#count++;
    const text = (value: unknown) => typeof value === "string" && value !== "" ? value : undefined;
    this.#put({
      id: text(frame.id) ?? `live-${this.#count}`,
      text: frame.text,
      level: frame.level === "error" || frame.level === "warning" ? frame.level : "info",
      group: text(frame.group),
      conversation: text(frame.conversation),
      url: text(frame.url),
    });
  }

  dismiss(id: string): void {
    this.#list.value = this.#list.value.filter((alert) => alert.id !== id);
  }

  /** Takes away what was said about a conversation: it was looked at, here or elsewhere. */
  dismissAbout(conversation: string): void {
    if (!this.#list.value.some((alert) => alert.conversation === conversation)) return;
    this.#list.value = this.#list.value.filter((alert) => alert.conversation !== conversation);
  }

  #put(alert: Alert): void {
    const others = this.#list.value.filter((other) =>
      other.id !== alert.id && (alert.group === undefined || other.group !== alert.group)
    );
    this.#list.value = [...others, alert].slice(-5);
  }
}
