import { define } from "../trace.ts";

export default define.layout(({ Component }) => (
  <main>
    <Component />
  </main>
));
