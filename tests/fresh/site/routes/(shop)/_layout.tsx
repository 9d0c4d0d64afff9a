import { define } from "../../trace.ts";

export default define.layout(({ Component }) => (
  <div class="shop">
    <Component />
  </div>
));
