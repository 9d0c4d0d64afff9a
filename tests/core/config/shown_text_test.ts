import assert from "node:assert/strict";
import { ConfigError, EXAMPLE_CONFIG, shownText } from "../../../core/config/mod.ts";

const around = (server: string) => `# mine\n${server}\n[assistant]\nmax_iterations = 3 # three\n`;

Deno.test("the environment of MCP servers is not shown, in whatever form the file writes it (K-318)", () => {
  const forms = [
    '[[mcp.server]]\nname = "one"\nenv = { TOKEN = "s3cret", "A B" = \'s3cret\' } # comment',
    '[[mcp.server]]\nname = "one"\nenv.TOKEN = "s3cret"',
    '[[mcp.server]]\nname = "one"\n[mcp.server.env]\nTOKEN = "\\u0073"\nLONG = """\ns3cret\n"""',
    '[[mcp.server]]\nname = "one"\n"env" = { TOKEN = "s3c\\u0072et" }',
    '[mcp]\nserver = [{ name = "one", env = { TOKEN = "s3cret" } }]',
    'mcp = { server = [{ name = "one", env = { TOKEN = "s3cret" } }] }',
  ];
  for (const form of forms) {
    const shown = shownText("config.toml", around(form));
    assert.doesNotMatch(shown, /s3c|\\u0073/, form);
    assert.ok(shown.startsWith("# mine\n") && shown.endsWith("\n[assistant]\nmax_iterations = 3 # three\n"), shown);
  }
  assert.equal(
    shownText("config.toml", around(forms[0] ?? "")),
    around('[[mcp.server]]\nname = "one"\nenv = { TOKEN = "(hidden)", "A B" = "(hidden)" } # comment'),
  );
});

Deno.test("a value that stands elsewhere too is hidden in its secret place alone", () => {
  const text = '[[mcp.server]]\nname = "warn"\nenv = { LEVEL = "warn" }\n';
  assert.equal(shownText("config.toml", text), '[[mcp.server]]\nname = "warn"\nenv = { LEVEL = "(hidden)" }\n');
});

Deno.test("a file without secrets is shown as it is", () => {
  assert.equal(shownText("config.toml", EXAMPLE_CONFIG), EXAMPLE_CONFIG);
});

Deno.test("a file that is not TOML is not shown, since its secrets cannot be told", () => {
  assert.throws(() => shownText("config.toml", "[mcp\nenv = 1"), ConfigError);
});
