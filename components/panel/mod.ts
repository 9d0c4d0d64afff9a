/**
 * The panel of the model calls. Loaded when it is opened first.
 *
 * @module
 */
export { RoundsPanel } from "./RoundsPanel.tsx";
