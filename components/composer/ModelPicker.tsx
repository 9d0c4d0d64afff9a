/**
 * Which model answers: the agent's own, or one of those that are there.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { groupModels, type ModelGroup } from "../state/answering.ts";
import type { ModelChoice } from "../state/api.ts";
import type { Page } from "../state/page.ts";
import { count, isFree, modelName } from "../words.ts";
import { Chevron, Choice, Picker } from "./Picker.tsx";

/** With more than this many there is a field to filter them. */
const MANY = 6;

export function ModelPicker({ page }: { page: Page }): VNode {
  const { answering, boot } = page;
  const filter = useSignal("");
  const name = modelName(answering.model.value);
  const models = answering.models.value;
  const groups = groupModels(models, filter.value);
  return (
    <Picker
      label="Model"
      value={name}
      class="models"
      face={
        <>
          <span class="value">
            <span class="only-narrow">Model:&#32;</span>
            {name}
          </span>
          <Chevron />
        </>
      }
      onOpen={() => {
        filter.value = "";
        page.attempt(() => answering.load());
      }}
    >
      {models.length > MANY && (
        <input
          class="field-box"
          type="search"
          aria-label="Filter the models"
          placeholder="Filter"
          autocomplete="off"
          value={filter.value}
          onInput={({ currentTarget }) => filter.value = currentTarget.value}
        />
      )}
      <div class="scroll">
        {filter.value.trim() === "" && (
          <ul role="list">
            <Choice chosen={answering.chosen.value === null} onChoose={() => answering.choose(null)}>
              <span class="what">The agent’s own</span>
              <span class="help">{modelName(boot.model)}</span>
            </Choice>
          </ul>
        )}
        {groups.map((group) => <Group key={group.label} page={page} group={group} />)}
        <p class="help" role="status">{models.length === 0 ? "Looking for models" : noneFits(groups)}</p>
      </div>
    </Picker>
  );
}

function noneFits(groups: readonly ModelGroup[]): string | null {
  return groups.length === 0 ? "No model is called so" : null;
}

function Group({ page, group: { label, models } }: { page: Page; group: ModelGroup }): VNode {
  const { answering } = page;
  return (
    <>
      <p class="picker-head" aria-hidden="true">{label}</p>
      <ul role="list" aria-label={label}>
        {models.map((model) => (
          <Choice
            key={model.string}
            chosen={model.string === answering.chosen.value}
            disabled={model.needs_key !== null}
            onChoose={() => answering.choose(model.string)}
          >
            <span class="what">{modelName(model.string)}</span>
            <span class="help">{factsOf(model)}</span>
          </Choice>
        ))}
      </ul>
    </>
  );
}

/** `anthropic · 200K · $3 in, $15 out`, or what it needs first. */
function factsOf(model: ModelChoice): string {
  const { provider, context_window, needs_key, price } = model;
  const facts = [
    provider,
    context_window === undefined ? "" : windowOf(context_window),
    price ? `$${price.input} in, $${price.output} out` : isFree(model.string) ? "no cost" : "",
    needs_key === null ? "" : `needs ${needs_key}`,
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

/** A context window: `200K`, `1M`. */
function windowOf(tokens: number): string {
  if (tokens < 1000) return count(tokens);
  return tokens < 1_000_000 ? `${Math.round(tokens / 1000)}K` : `${Math.round(tokens / 100_000) / 10}M`;
}
