/** Fake providers: real HTTP servers on loopback for all five protocols, driven by one protocol-neutral script. */
export { type FakeOptions, type FakeProvider, startFakeProvider } from "./fake_provider.ts";
export { at, listAt, textAt } from "./json_path.ts";
export {
  type FakeCall,
  type FakeFault,
  type FakeRequest,
  type FakeUsage,
  type Protocol,
  PROTOCOLS,
  type Reply,
  type Script,
} from "./script.ts";
