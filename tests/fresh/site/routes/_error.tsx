import { define } from "../trace.ts";

export default define.page(({ error }) => <p>sorry: {error instanceof Error ? error.message : "?"}</p>);
