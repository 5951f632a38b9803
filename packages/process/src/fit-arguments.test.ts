import { describe, expect, test } from "vitest";
import { OptionTooLongError } from "./errors.ts";
import { buildLaunch, type Launch } from "./launch.ts";
import type { LaunchOptions } from "./launch-options.ts";

const platforms = ["linux", "darwin", "win32"];

function launchOf(options: LaunchOptions, platform = "linux"): Launch {
  const quiet = { onWarning: () => {}, ...options };
  return buildLaunch(quiet, { platform, env: {}, locate: () => "/opt/claude", uid: 1000, trace: {} });
}

function lineOf({ command, args }: Launch): string {
  return [command, ...args].join(" ");
}

function names(count: number, prefix = "mcp__server__"): string[] {
  return Array.from({ length: count }, (_, i) => prefix + String(i).padStart(40 - prefix.length, "0"));
}

const text = "x".repeat(200_000);

describe("what is long leaves the command line", () => {
  test.each<[string, LaunchOptions, string]>([
    ["a system prompt", { systemPrompt: text }, "systemPrompt"],
    ["text for the preset", { systemPrompt: { type: "preset", preset: "claude_code", append: text } }, "append"],
    ["agents", { agents: { a: { description: "d", prompt: text } } }, "agents"],
    ["a schema", { outputFormat: { type: "json_schema", schema: { title: text } } }, "jsonSchema"],
    ["servers", { mcpServers: { s: { command: "c", env: { A: text } } } }, "mcpServers"],
    ["settings", { settings: { env: { A: text } } }, "settings"],
    ["settings as text", { settings: JSON.stringify({ env: { A: text } }) }, "settings"],
    ["a sandbox", { sandbox: { network: { allowedDomains: [text] } } }, "settings"],
    ["managed settings", { managedSettings: { env: { A: text } } }, "managedSettings"],
    ["plugins", { plugins: names(2000, "/plugins/").map((path) => ({ type: "local", path })) }, "plugins"],
    ["rules that deny", { disallowedTools: names(2000) }, "disallowedTools"],
    ["rules that allow", { allowedTools: names(2000) }, "settings"],
    ["skills", { skills: names(2000, "skill-") }, "skills"],
    ["folders", { additionalDirectories: names(2000, "/folders/") }, "settings"],
  ])("for the initialize request, on every system: %s", (_, options, field) => {
    for (const platform of platforms) {
      const { args, initialize, files } = launchOf(options, platform);
      expect(args.join(" ").length).toBeLessThan(1000);
      expect(files).toEqual([]);
      expect(Object.keys(initialize).join()).toContain(field);
    }
  });

  test("and stays where it is short", () => {
    const options: LaunchOptions = {
      allowedTools: names(300),
      disallowedTools: names(100),
      additionalDirectories: ["/a"],
    };
    const launch = launchOf(options);
    expect(launch.args.map((arg) => arg.split("=")[0]).slice(5)).toEqual([
      "--allowedTools",
      "--disallowedTools",
      "--add-dir",
    ]);
    expect(launch.initialize).toEqual({ systemPrompt: [""] });
  });

  test("the longest first, and no more than is needed", () => {
    const { args, initialize } = launchOf({ allowedTools: names(500), disallowedTools: names(600), plugins: [] });
    expect(args).toContain("--initialize-fields=disallowedTools");
    expect(initialize["disallowedTools"]).toHaveLength(600);
    expect(args.some((arg) => arg.startsWith("--allowedTools="))).toBe(true);
  });

  test("as the same rules, which only the command line takes apart", () => {
    const rules = [...names(1000), "Read,Edit", "Bash(a, b) Glob", "Bash(unfinished"];
    const apart = [...names(1000), "Read", "Edit", "Bash(a, b)", "Glob", "Bash(unfinished"];
    const { initialize } = launchOf({ allowedTools: rules, disallowedTools: rules });
    expect(initialize).toMatchObject({ settings: { permissions: { allow: apart } }, disallowedTools: apart });
  });

  test("as the same permissions, merged into the settings that there are", () => {
    const settings = { permissions: { allow: ["Edit"], deny: ["Bash"], additionalDirectories: ["/x"] }, model: "m" };
    const { args, initialize } = launchOf({
      settings,
      allowedTools: names(1000),
      additionalDirectories: names(1000, "/folders/"),
    });
    expect(initialize["settings"]).toEqual({
      model: "m",
      permissions: {
        allow: ["Edit", ...names(1000)],
        deny: ["Bash"],
        additionalDirectories: ["/x", ...names(1000, "/folders/")],
      },
    });
    expect(args.join(" ")).not.toMatch(/--allowedTools|--add-dir/);
  });
});

describe("what a CLI without --await-initialize has to get", () => {
  const settings = { env: { A: text } };
  const mcpServers = { s: { command: "c", env: { A: text } } };
  const old = { mcpServersDelivery: "argv", settingsDelivery: "argv" } as const;

  test("is on the command line while it is short", () => {
    const { args, files } = launchOf({ ...old, settings: { model: "m" }, mcpServers: { s: { command: "c" } } });
    expect(args).toContain('--settings={"model":"m"}');
    expect(files).toEqual([]);
  });

  test("goes into private files where it is long", () => {
    for (const platform of platforms) {
      const { args, files = [], initialize } = launchOf({ ...old, settings, mcpServers }, platform);
      expect(files.map(({ option, argument, content }) => [option, argument, JSON.parse(content)])).toEqual([
        ["mcpServers", "--mcp-config=", { mcpServers }],
        ["settings", "--settings=", settings],
      ]);
      expect(args).toEqual(expect.arrayContaining(["--mcp-config=", "--settings="]));
      expect(initialize).toEqual({ systemPrompt: [""] });
    }
  });

  test("takes rules with it into the settings file", () => {
    const { files = [] } = launchOf({ ...old, settings: { model: "m" }, allowedTools: names(2000) });
    expect(files.map(({ content }) => JSON.parse(content))).toEqual([
      { model: "m", permissions: { allow: names(2000) } },
    ]);
  });

  test("is also a flag of the caller's own that reads files", () => {
    const { args, files = [] } = launchOf({ extraArgs: { "append-system-prompt": text, "mcp-config": "{}" } });
    expect(files).toEqual([{ argument: "--append-system-prompt-file=", option: "extraArgs", content: text }]);
    expect(args).toContain("--mcp-config={}");
  });
});

describe("what has no other way is an error with the option, its size, and what to do", () => {
  test.each<[string, string, LaunchOptions, string]>([
    ["linux", "tools", { tools: names(4000) }, "as disallowedTools"],
    ["win32", "tools", { tools: names(900) }, "as disallowedTools"],
    [
      "linux",
      "allowedTools",
      { allowedTools: names(4000), settings: "/s.json" },
      "Put the rules into the settings file",
    ],
    [
      "win32",
      "allowedTools",
      { allowedTools: names(900), settings: "/s.json" },
      "Put the rules into the settings file",
    ],
    [
      "linux",
      "managedSettings",
      { managedSettings: { a: text }, managedSettingsDelivery: "argv" },
      'Set managedSettingsDelivery to "initialize"',
    ],
    [
      "win32",
      "plugins",
      { plugins: names(900, "/plugins/").map((path) => ({ type: "local", path })), pluginDelivery: "argv" },
      'Set pluginDelivery to "initialize"',
    ],
    ["linux", "extraArgs", { extraArgs: { name: text } }, "Shorten it"],
    ["linux", "env.A", { env: { A: text } }, "Shorten it"],
    ["linux", "model", { model: text }, "Shorten it"],
  ])("%s: %s", (platform, option, options, remedy) => {
    const build = (): Launch => launchOf(options, platform);
    expect(build).toThrow(OptionTooLongError);
    expect(build).toThrow(expect.objectContaining({ option, limit: platform === "linux" ? 131_071 : 32_767 }));
    expect(build).toThrow(remedy);
    expect(build).toThrow(expect.objectContaining({ remedy: expect.stringContaining(remedy) }));
    expect(build).toThrow(platform === "linux" ? /takes \d{6} bytes/ : /takes \d{5} UTF-16 units/);
  });
});

test("what is secret is never on the command line", () => {
  const launch = launchOf({
    mcpServers: {
      a: { command: "c", args: ["--key", "SECRET"], env: { A: "SECRET" } },
      b: { type: "http", url: "https://user:SECRET@h", headers: { Authorization: "Bearer SECRET" } },
    },
    settings: { env: { A: "SECRET" }, apiKeyHelper: "echo SECRET" },
    managedSettings: { env: { A: "SECRET" } },
    sandbox: { credentials: { envVars: ["SECRET"] } },
    agents: { a: { description: "d", prompt: "SECRET" } },
    systemPrompt: "SECRET",
  });
  expect(lineOf(launch)).not.toContain("SECRET");
});
