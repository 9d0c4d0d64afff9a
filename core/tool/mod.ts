/** Tools and toolsets: what an agent can do, and how a call is checked and run. */
export * from "./call.ts";
export * from "./approval/mod.ts";
export * from "./gate.ts";
export * from "./services.ts";
export * from "./tool.ts";
export * from "./toolset.ts";
export * from "./registry.ts";
export * from "./settings_access.ts";
export * from "./entry_only_toolset.ts";
export * from "./unknown_toolset.ts";
