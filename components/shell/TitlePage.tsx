/**
 * A title page: the jar, one sentence that says what is so, one way on, one small line for whoever runs the machine.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { Icon } from "./Icon.tsx";

export interface TitlePageProps {
  readonly title: string;
  readonly lede: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly small?: ComponentChildren;
}

export function TitlePage({ title, lede, children, small }: TitlePageProps): VNode {
  return (
    <div class="title-page">
      <main id="log">
        <Icon name="jar" />
        <h1>{title}</h1>
        <p class="lede">{lede}</p>
        {children}
        {small && <p class="small">{small}</p>}
      </main>
    </div>
  );
}
