import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { OptionError } from "./errors.ts";
import { buildLaunch, type Launch, type LaunchHost } from "./launch.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { launchOptionNames } from "./option-table.ts";
import type { LaunchWarning } from "./warnings.ts";

const base = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

function hostWith(changes: Partial<LaunchHost> = {}): LaunchHost {
  return {
    platform: "linux",
    env: { PATH: "/usr/bin" },
    interpreter: "node",
    locate: (path) => path ?? "/opt/claude",
    uid: 1000,
    trace: {},
    ...changes,
  };
}

function launchOf(options: LaunchOptions): Launch {
  return buildLaunch(options, hostWith());
}

/** The arguments behind those that are always there. */
function flags(options: LaunchOptions): readonly string[] {
  return launchOf(options).args.slice(base.length);
}

const uuid = "11111111-1111-4111-8111-111111111111";

describe("the command line", () => {
  test("begins with what makes the CLI speak stream-json, and has nothing else by default", () => {
    expect(launchOf({}).args).toEqual(base);
  });

  test("is in the order of the official SDK", () => {
    const options: LaunchOptions = {
      extraArgs: { x: null },
      sessionId: uuid,
      forkSession: true,
      additionalDirectories: ["/d"],
      tools: [],
      allowedTools: ["Read"],
      resume: uuid,
      model: "m",
      maxTurns: 1,
      effort: "low",
    };
    expect(flags(options).map((flag) => flag.split("=")[0])).toEqual([
      "--effort",
      "--max-turns",
      "--model",
      "--resume",
      "--allowedTools",
      "--tools",
      "--add-dir",
      "--fork-session",
      "--session-id",
      "--x",
    ]);
  });

  test("takes options that are undefined or null for not given", () => {
    const unset = Object.fromEntries(launchOptionNames().map((name) => [name, undefined]));
    const nulls = Object.fromEntries(Object.keys(unset).map((name) => [name, null]));
    expect(buildLaunch(unset, hostWith())).toEqual(launchOf({}));
    // Callers without types do that.
    expect(buildLaunch(nulls as unknown as LaunchOptions, hostWith())).toEqual(launchOf({}));
  });

  test("is the path of the CLI with executableArgs in front", () => {
    const { command, args, cliPath } = launchOf({
      pathToClaudeCodeExecutable: "/x/claude",
      executableArgs: ["--bare"],
    });
    expect({ command, cliPath }).toEqual({ command: "/x/claude", cliPath: "/x/claude" });
    expect(args).toEqual(["--bare", ...base]);
  });

  test("is an interpreter for a script, with executableArgs before the script", () => {
    for (const ending of ["js", "mjs", "ts", "tsx", "jsx"]) {
      const path = `/x/cli.${ending}`;
      const { command, args, cliPath } = launchOf({ pathToClaudeCodeExecutable: path, executableArgs: ["--a"] });
      expect({ command, cliPath, args }).toEqual({ command: "node", cliPath: path, args: ["--a", path, ...base] });
    }
    expect(launchOf({ pathToClaudeCodeExecutable: "/x/cli.js", executable: "deno" }).command).toBe("deno");
    expect(buildLaunch({ pathToClaudeCodeExecutable: "/cli.js" }, hostWith({ interpreter: "bun" })).command).toBe(
      "bun",
    );
    for (const path of ["/x/cli.cjs", "/x/cli.JS", "/x/js"]) {
      expect(launchOf({ pathToClaudeCodeExecutable: path }).command).toBe(path);
    }
  });
});

describe("the initialize request", () => {
  test("carries what is long, so that the command line stays short", () => {
    const launch = launchOf({
      systemPrompt: "s".repeat(200_000),
      agents: { a: { description: "d", prompt: "p".repeat(150_000) } },
      outputFormat: { type: "json_schema", schema: { title: "t".repeat(150_000) } },
    });
    expect(launch.args).toEqual(base);
    expect(Object.keys(launch.initialize)).toEqual(["jsonSchema", "systemPrompt", "agents"]);
  });

  test("is not changed by what happens to the options later", () => {
    const schema = { type: "object" };
    const launch = launchOf({ outputFormat: { type: "json_schema", schema } });
    schema.type = "array";
    expect(launch.initialize["jsonSchema"]).toEqual({ type: "object" });
  });
});

describe("an option that cannot work", () => {
  const cyclic: Record<string, unknown> = { description: "d", prompt: "p" };
  cyclic["self"] = cyclic;

  test.each<[string, unknown, string]>([
    // What cannot be written as JSON.
    ["agents", { agents: { a: cyclic } }, "can't be sent"],
    ["settings", { settings: cyclic }, "can't be sent"],
    ["mcpServers", { mcpServers: { a: { command: "c", at: 1n } } }, "can't be sent"],
    ["managedSettings", { managedSettings: { at: Number.NaN } }, "can't be sent"],
    ["toolAliases", { toolAliases: { a: () => {} } }, "a function"],
    [
      "mcpServers",
      {
        mcpServers: {
          s: {
            get command() {
              return "c";
            },
            get env() {
              throw new Error("boom");
            },
          },
        },
      },
      "boom",
    ],
    [
      "mcpServers",
      {
        mcpServers: {
          s: {
            get command() {
              throw new Error("boom");
            },
          },
        },
      },
      "cannot be read: Error: boom",
    ],
    // What has another shape.
    ["mcpServers", { mcpServers: { calc: { type: "sdk", name: "calc", instance: {} } } }, "in-process server"],
    ["mcpServers", { mcpServers: { s: null } }, 'has under the name "s" no server'],
    ["mcpServers", { mcpServers: { s: {} } }, "a server without a command"],
    ["mcpServers", { mcpServers: { s: { type: "http" } } }, "a server without a url"],
    ["mcpServers", { mcpServers: { s: { url: "http://h" } } }, "without a type"],
    ["mcpServers", { mcpServers: "servers.json" }, "has to be an object"],
    ["agents", { agents: { a: { description: "d" } } }, "without description or prompt"],
    ["agents", { agents: ["a"] }, "has to be an object"],
    ["settings", { settings: "{model:m}" }, "begins like JSON"],
    ["settings", { settings: 3 }, "has to be an object, JSON text, or the path"],
    ["sandbox", { settings: "/s.json", sandbox: {} }, "settings that are a file"],
    ["outputFormat", { outputFormat: { type: "json" } }, 'the type "json_schema"'],
    ["outputFormat", { outputFormat: { type: "json_schema", schema: "{bad" } }, "a schema, which is an object"],
    ["systemPrompt", { systemPrompt: { type: "custom" } }, "a list of strings"],
    ["systemPrompt", { systemPrompt: { type: "file" } }, "path"],
    ["tools", { tools: "Read" }, "list of strings"],
    ["allowedTools", { allowedTools: "Read" }, "list of strings"],
    ["additionalDirectories", { additionalDirectories: [1] }, "list of strings"],
    ["executableArgs", { executableArgs: "x" }, "list of strings"],
    ["extraArgs", { extraArgs: { "--name": "x" } }, "without the dashes"],
    ["extraArgs", { extraArgs: { name: 3 } }, "a string or null"],
    ["plugins", { plugins: [{ type: "git", path: "x" }] }, "unsupported plugin type: git"],
    ["plugins", { plugins: ["/a"] }, "no plugin"],
    ["plugins", { plugins: [{ type: "local" }] }, "without a path"],
    ["skills", { skills: ["a b "] }, "white space"],
    ["skills", { skills: "pdf" }, 'a list of names or "all"'],
    ["model", { model: {} }, "a string, not an object"],
    ["continue", { continue: "yes" }, "true or false"],
    ["onWarning", { onWarning: true }, "a function"],
    // Values that there are not.
    ["effort", { effort: "zzz" }, "one of low, medium, high, xhigh, max"],
    [
      "permissionMode",
      { permissionMode: "bogus" },
      'acceptEdits, auto, bypassPermissions, dontAsk, manual, plan, not "bogus"',
    ],
    ["permissionPrompts", { permissionPrompts: "all" }, "one of host, none"],
    ["settingSources", { settingSources: ["foo"] }, 'unknown source: "foo"'],
    ["thinking", { thinking: { type: "zzz" } }, "one of adaptive, enabled, disabled"],
    ["thinking", { thinking: { type: "enabled", budgetTokens: -1 } }, "budgetTokens"],
    ["thinking", { thinking: { type: "adaptive", display: "all" } }, "summarized, omitted"],
    ["toolConfig", { toolConfig: { askUserQuestion: { previewFormat: "pdf" } } }, "markdown, html"],
    ["mcpServersDelivery", { mcpServersDelivery: "file" }, "one of argv, initialize"],
    ["sessionId", { sessionId: "bad" }, "a UUID"],
    ["maxBudgetUsd", { maxBudgetUsd: 0 }, "above 0"],
    ["maxBudgetUsd", { maxBudgetUsd: Number.NaN }, "above 0"],
    ["taskBudget", { taskBudget: { total: 0 } }, "above 0"],
    ["maxTurns", { maxTurns: Number.POSITIVE_INFINITY }, "finite"],
    ["maxTurns", { maxTurns: -3 }, "from 0"],
    ["model", { model: "a\0b" }, "NUL"],
    ["env.X", { env: { X: "a\0b" } }, "NUL"],
    // What contradicts something else.
    ["fallbackModel", { model: "m", fallbackModel: "m" }, "cannot be the same as the main model"],
    ["continue", { continue: true, resume: uuid }, "cannot be used with resume"],
    ["sessionId", { sessionId: uuid, continue: true }, "needs forkSession"],
    ["sessionId", { sessionId: uuid, resume: uuid }, "needs forkSession"],
    ["resumeSessionAt", { resumeSessionAt: uuid }, "needs resume"],
    ["resumeDropsTurn", { resumeDropsTurn: "", resume: uuid }, "needs resumeSessionAt"],
    ["permissionMode", { permissionMode: "bypassPermissions" }, "only together with allowDangerouslySkipPermissions"],
    ["persistSession", { persistSession: false, sessionMirror: true }, "session store"],
    ["enableFileCheckpointing", { enableFileCheckpointing: true, sessionMirror: true }, "session store"],
  ])("is named in a typed error: %s", (option, options, words) => {
    // The values are wrong on purpose, as those of callers without types can be.
    const build = (): Launch => launchOf(options as LaunchOptions);
    expect(build).toThrow(OptionError);
    expect(build).toThrow(words);
    expect(build).toThrow(expect.objectContaining({ option, code: "REINS_OPTION_INVALID" }));
  });

  test("is to skip permissions as root, unless the CLI is told that this is a sandbox", () => {
    const options: LaunchOptions = { allowDangerouslySkipPermissions: true, permissionMode: "bypassPermissions" };
    const build = (uid: number | undefined, env: Record<string, string> = {}) => {
      return () => buildLaunch({ ...options, env }, hostWith({ uid }));
    };
    expect(build(0)).toThrow(expect.objectContaining({ option: "allowDangerouslySkipPermissions" }));
    expect(build(0)).toThrow("cannot be used by root");
    expect(build(0, { IS_SANDBOX: "1" })).not.toThrow();
    expect(build(0, { CLAUDE_CODE_BUBBLEWRAP: "1" })).not.toThrow();
    expect(build(1000)).not.toThrow();
    expect(build(undefined)).not.toThrow();
  });
});

describe("an option that does not do what was probably meant", () => {
  function warningsOf(options: object): readonly string[] {
    const warnings: LaunchWarning[] = [];
    launchOf({ ...options, onWarning: (warning) => warnings.push(warning) });
    return warnings.map(({ code, option, message }) => `${code} ${option}: ${message}`);
  }

  test.each([
    [{ allowedTool: ["Read"] }, "REINS_OPTION_UNKNOWN allowedTool", "Did you mean allowedTools?"],
    [{ add_dirs: ["/a"] }, "REINS_OPTION_UNKNOWN add_dirs", "Did you mean additionalDirectories?"],
    [{ setting_sources: [] }, "REINS_OPTION_UNKNOWN setting_sources", "Did you mean settingSources?"],
    [{ permisionMode: "plan" }, "REINS_OPTION_UNKNOWN permisionMode", "Did you mean permissionMode?"],
    [{ temperature: 1 }, "REINS_OPTION_UNKNOWN temperature", "It is ignored."],
    [{ thinking: { type: "adaptive" }, maxThinkingTokens: 5 }, "WITHOUT_EFFECT maxThinkingTokens", "thinking"],
    [{ forkSession: true }, "WITHOUT_EFFECT forkSession", "resume or continue"],
  ])("is warned of: %j", (options, code, words) => {
    const [warning, ...more] = warningsOf(options);
    expect(warning).toContain(code);
    expect(warning).toContain(words);
    expect(more).toEqual([]);
  });

  test("is a permission callback that is not asked", () => {
    const asked = { permissionPromptToolName: "stdio" };
    const shadowed = (options: LaunchOptions): readonly string[] => warningsOf({ ...asked, ...options });
    for (const rule of ["Read", "Read()", "Read(*)", "mcp__calc", "Bash(git *), Read"]) {
      const [warning] = shadowed({ allowedTools: [rule, "Bash(git *)"] });
      expect(warning, rule).toContain(
        "REINS_PERMISSION_SHADOWED allowedTools: The permission callback is not asked about",
      );
      expect(warning, rule).not.toContain("Bash(git *)");
    }
    expect(shadowed({ allowedTools: ["Bash(git *)", "Bash(a, b)", "Read(//tmp/**)"] })).toEqual([]);
    expect(shadowed({ settings: { permissions: { allow: ["Edit"] } } })[0]).toContain("settings.permissions.allow");
    expect(shadowed({ permissionMode: "dontAsk" })[0]).toContain("never asked");
    expect(shadowed({ permissionPrompts: "none" })[0]).toContain("never asked");
    const bypass = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true } as const;
    expect(shadowed(bypass)[0]).toContain("allows everything");
    expect(warningsOf({ allowedTools: ["Read"] })).toEqual([]);
  });

  test("is warned of with a warning of the process where nobody else wants it", () => {
    const emit = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
    launchOf({ forkSession: true });
    expect(emit).toHaveBeenCalledWith(expect.stringContaining("forkSession"), {
      type: "ReinsWarning",
      code: "REINS_OPTION_WITHOUT_EFFECT",
    });
  });

  test("does not fail a start when whoever is warned throws", async () => {
    expect(() => {
      launchOf({
        forkSession: true,
        onWarning: () => {
          throw new Error("log is full");
        },
      });
    }).not.toThrow();
    const rejects = async (): Promise<void> => {
      throw new Error("log is gone");
    };
    expect(() => launchOf({ forkSession: true, onWarning: rejects })).not.toThrow();
  });
});

test("the types let null and undefined through where the official SDK does", () => {
  expectTypeOf({ model: undefined, resume: undefined }).toExtend<LaunchOptions>();
  expectTypeOf<LaunchOptions["extraArgs"]>()
    .extract<object>()
    .toEqualTypeOf<Readonly<Record<string, string | null | undefined>>>();
});
