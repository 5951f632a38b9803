import { type CliStep, scriptedCli, startLeakCheck, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { type Options, query } from "../src/index.ts";
import { realCli } from "./real-cli.ts";

// Options that the CLI has to have taken before it is given a prompt.

const init = { type: "system", subtype: "init", session_id: "s", tools: [], mcp_servers: [] };
const result = { type: "result", subtype: "success", is_error: false, result: "done", session_id: "s" };

/** A session with a stand-in that answers the initialize request in a certain way. What the reader got, and what the CLI was sent. */
async function session(
  answer: Record<string, unknown>,
  options: Options,
): Promise<{ outcome: unknown; sent: readonly string[] }> {
  const steps: CliStep[] = [
    { do: "init", response: answer },
    { do: "read", match: { type: "user" } },
    { do: "write", frame: init },
    { do: "write", frame: result },
    { do: "readEnd", ms: 5000 },
    { do: "exit", code: 0 },
  ];
  await using cli = scriptedCli({ steps });
  const read = async (): Promise<unknown> => {
    let last: unknown;
    for await (const message of query({ prompt: "hi", options: { ...options, transport: cli.transport } }))
      last = message;
    return last;
  };
  const outcome = await read().catch((error: unknown) => error);
  const { frames } = await cli.log();
  return { outcome, sent: frames.map(({ type }) => String(type)) };
}

test.each<[string, Options, Record<string, unknown>]>([
  ["settings", { settings: { permissions: { deny: ["Bash"] } } }, { settings_applied: false }],
  ["settings", { sandbox: { enabled: true } }, {}],
  ["managedSettings", { managedSettings: { permissions: { deny: ["Bash"] } } }, { managed_settings_applied: false }],
  ["mcpServers", { mcpServers: { s: { command: "c" } } }, {}],
])("no prompt is sent to a CLI that did not take %s", async (option, options, answer) => {
  await using _leaks = startLeakCheck();
  const { outcome, sent } = await session(answer, { ...options, onWarning: () => {} });
  expect(outcome).toMatchObject({ name: "OptionNotAppliedError", option });
  expect(sent).toEqual(["control_request"]);
});

test("servers that a policy keeps away are a warning, and the prompt is sent", async () => {
  await using _leaks = startLeakCheck();
  const warnings: string[] = [];
  const options: Options = {
    mcpServers: { s: { command: "c" } },
    onWarning: ({ code, option }) => warnings.push(`${code} ${option}`),
  };
  const { outcome, sent } = await session({ mcp_servers_applied: false }, options);
  expect(outcome).toMatchObject({ type: "result" });
  expect(sent).toEqual(["control_request", "user"]);
  expect(warnings).toEqual(["REINS_NOT_APPLIED mcpServers"]);
});

test("the real CLI takes them, and obeys", async () => {
  await using cli = await realCli([toolUse("Bash", { command: "touch made" }), text("done")]);
  const messages: string[] = [];
  const session = query({
    prompt: "hi",
    options: {
      ...cli.options,
      tools: undefined,
      permissionMode: "acceptEdits",
      allowedTools: ["Bash(touch *)"],
      managedSettings: { permissions: { deny: ["Bash"] } },
      settings: { cleanupPeriodDays: 3 },
      mcpServers: { silent: { command: "/bin/false", env: { TOKEN: "secret" } } },
      onWarning: ({ message }) => messages.push(message),
    },
  });
  for await (const message of session) messages.push(JSON.stringify(message));
  expect(messages.join()).toContain("Bash is disabled for this session");
});
