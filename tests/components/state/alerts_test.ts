import assert from "node:assert/strict";
import { Alerts } from "../../../components/state/alerts.ts";

const texts = (alerts: Alerts) => alerts.list.value.map(({ text }) => text);

Deno.test("a newer alert of the same group takes the older one's place, others stack", () => {
  const alerts = new Alerts();
  alerts.take({ op: "alert", id: "1", text: "Brief failed", level: "error", group: "brief" });
  alerts.take({ op: "alert", id: "2", text: "Something else" });
  alerts.take({ op: "alert", id: "3", text: "Brief finished", group: "brief" });
  assert.deepEqual(texts(alerts), ["Something else", "Brief finished"]);
});

Deno.test("the same words twice are one alert, and what has no words is none", () => {
  const alerts = new Alerts();
  alerts.say({ text: "Not connected", level: "error" });
  alerts.say({ text: "Not connected", level: "error" });
  alerts.take({ op: "alert", id: "1" });
  alerts.take({ op: "alert", id: "2", text: "" });
  alerts.take({ op: "error", detail: "No such graph" });
  alerts.take({ op: "error" });
  assert.deepEqual(texts(alerts), ["Not connected", "No such graph"]);
});

Deno.test("an unknown level is plain, and dismissing takes one away", () => {
  const alerts = new Alerts();
  alerts.take({ op: "alert", id: "1", text: "A", level: "shouting" });
  alerts.take({ op: "alert", id: "2", text: "B", level: "warning" });
  assert.deepEqual(alerts.list.value.map(({ level }) => level), ["info", "warning"]);
  alerts.dismiss("1");
  assert.deepEqual(texts(alerts), ["B"]);
});

Deno.test("there are never more than five", () => {
  const alerts = new Alerts();
  for (let n = 1; n <= 9; n++) alerts.take({ op: "alert", id: String(n), text: `Number ${n}` });
  assert.deepEqual(texts(alerts), [5, 6, 7, 8, 9].map((n) => `Number ${n}`));
});

Deno.test("alerts about a conversation go when it was read, and no others", () => {
  const alerts = new Alerts();
  alerts.take({ op: "alert", id: "1", text: "Reply ready in “Bread”", conversation: "c1", group: "c1" });
  alerts.take({ op: "alert", id: "2", text: "Reply ready in “Lamps”", conversation: "c2", group: "c2" });
  alerts.dismissAbout("c1");
  alerts.dismissAbout("c9");
  assert.deepEqual(alerts.list.value.map(({ id }) => id), ["2"]);
});
