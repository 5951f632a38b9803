import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as official from "@anthropic-ai/claude-agent-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import * as ours from "../src/index.ts";
import { machineSettings } from "../src/resolve-settings-policy.ts";

// What the official package does without the CLI, beside ours.

/** In the official package without being declared. */
const undeclared = [
  "CommandMatcher",
  "DirectConnectError",
  "DirectConnectTransport",
  "FileIndex",
  "parseDirectConnectUrl",
];

test("each declared name of the official package is there", () => {
  const missing = Object.keys(official).filter((name) => !(name in ours) && !undeclared.includes(name));
  expect(missing).toEqual([]);
});

test("the values of constants are the official ones", () => {
  const constants = Object.entries(official).filter(([, value]) => typeof value !== "function");
  expect(constants.length).toBeGreaterThan(8);
  for (const [name, value] of constants) expect([name, Reflect.get(ours, name)]).toEqual([name, value]);
});

interface Folders {
  readonly cwd: string;
  readonly write: (source: "user" | "project" | "local", content: unknown) => Promise<void>;
}

let folders: Folders;

beforeEach(async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), `reins-settings-${process.pid}-`)));
  const cwd = join(root, "project");
  const config = join(root, "config");
  await mkdir(join(cwd, ".claude"), { recursive: true });
  await mkdir(config);
  vi.stubEnv("CLAUDE_CONFIG_DIR", config).stubEnv("HOME", root);
  const files = {
    user: join(config, "settings.json"),
    project: join(cwd, ".claude/settings.json"),
    local: join(cwd, ".claude/settings.local.json"),
  };
  folders = {
    cwd,
    write: (source, content) =>
      writeFile(files[source], typeof content === "string" ? content : JSON.stringify(content)),
  };
  return () => rm(root, { recursive: true });
});

async function expectTheSame(
  options: Omit<ours.ResolveSettingsOptions, "managedSettings"> & { managedSettings?: object } = {},
): Promise<void> {
  const all = { cwd: folders.cwd, ...options };
  // The official type has mutable lists and its own Settings.
  const expected = await official.resolveSettings(all as official.ResolveSettingsOptions);
  expect(await ours.resolveSettings(all)).toEqual(expected);
}

describe("resolveSettings gives what the official one gives", () => {
  test("without any file", () => expectTheSame());

  test("for all files, and for some", async () => {
    await folders.write("user", {
      model: "a",
      permissions: { allow: ["Read", "Edit"], defaultMode: "acceptEdits" },
      env: { A: "1", B: "2" },
      later: { list: [1], text: "x" },
      cleanupPeriodDays: 5,
    });
    await folders.write("project", {
      model: "b",
      permissions: { allow: ["Edit", "Write"], deny: ["Bash"], defaultMode: "plan" },
      env: { B: "3" },
      later: { list: [2, 1], text: { x: 1 } },
    });
    await folders.write("local", {
      permissions: { allow: ["Glob"] },
      hooks: { Stop: [{ hooks: [{ type: "command", command: "x" }] }] },
      later: { list: [3], text: [1] },
    });
    await expectTheSame();
    await expectTheSame({ settingSources: ["user"] });
    await expectTheSame({ settingSources: ["local", "user"] });
    await expectTheSame({ settingSources: [] });
  });

  test.each([
    ["half of one", '{"model":'],
    ["an empty one", ""],
    ["one with a byte order mark", '\uFEFF{"model":"x"}'],
    ["one with comments", '// x\n{"model":"x"}'],
    ["a list", "[1]"],
    ["null", "null"],
    ["an empty object", "{}"],
    ["a mode that is none", { permissions: { defaultMode: "fast" }, model: "x" }],
    ["the mode manual", { permissions: { defaultMode: "manual" } }],
    ["rules that are no list", { permissions: { allow: "Bash" } }],
    ["rules that are no text", { permissions: { allow: [5, "Bash", null], ask: [""] }, model: "x" }],
    ["folders that are no text", { permissions: { additionalDirectories: ["a", 1] }, model: "x" }],
    ["variables that are no text", { env: { A: 1, B: true, C: null } }],
    ["what only a policy may say", { deniedModels: ["x"], model: "y" }],
  ])("for a file that is or holds %s", async (_, content) => {
    await folders.write("user", content);
    await expectTheSame();
  });

  test("for members of all types", async () => {
    const members: [string, ...unknown[]][] = [
      ["model", "x", 1, true, [], {}, null],
      ["includeCoAuthoredBy", "x", 1, true, [], {}, null],
      ["cleanupPeriodDays", "x", 1, true, [], {}, null],
      ["permissions", "x", 1, true, [], {}, null],
      ["sandbox", "x", 1, true, [], {}, null],
      ["availableModels", "x", 1, true, [], {}, null, ["x"], [1]],
      ["sshHostCommands", "x", 1, true, [], {}, ["x"]],
    ];
    for (const [name, ...values] of members) {
      for (const value of values) {
        await folders.write("user", { other: 1, [name]: value });
        await expectTheSame();
      }
    }
  });

  test("for restrictions of the program, and what else it tries to say", () =>
    expectTheSame({
      managedSettings: {
        model: "x",
        env: { A: "1" },
        allowManagedHooksOnly: true,
        allowManagedMcpServersOnly: false,
        allowedMcpServers: [{ serverName: "a" }],
        deniedModels: ["opus"],
        availableModels: ["sonnet"],
        enableWorkflows: false,
        forceLoginOrgUUID: "11111111-2222-4333-8444-555555555555",
        strictKnownMarketplaces: [],
        permissions: {
          allow: ["Read"],
          deny: ["Bash"],
          ask: ["Edit"],
          defaultMode: "plan",
          disableAutoMode: "disable",
        },
        sandbox: {
          enabled: true,
          failIfUnavailable: true,
          excludedCommands: ["git"],
          network: {
            allowedDomains: ["a.example"],
            allowUnixSockets: ["/x"],
            allowLocalBinding: false,
            httpProxyPort: 1,
          },
          filesystem: { allowWrite: ["/a"], denyWrite: ["/b"] },
        },
      },
    }));

  test("for settings of the service", async () => {
    await folders.write("user", { model: "u", permissions: { allow: ["Read"] } });
    const serverManagedSettings = { model: "s", permissions: { allow: ["Edit"] } };
    await expectTheSame({ serverManagedSettings });
    await expectTheSame({ serverManagedSettings, managedSettings: { permissions: { deny: ["Bash"] } } });
    const merging = { ...serverManagedSettings, parentSettingsBehavior: "merge" };
    await expectTheSame({ serverManagedSettings: merging, managedSettings: { permissions: { deny: ["Bash"] } } });
    await expectTheSame({ serverManagedSettings: {}, managedSettings: { permissions: { deny: ["Bash"] } } });
  });
});

test("the settings of the machine are one file and the files of a folder, in the order of their names", async () => {
  const folder = join(folders.cwd, "policy");
  await mkdir(join(folder, "managed-settings.d"), { recursive: true });
  const write = (name: string, content: unknown): Promise<void> =>
    writeFile(join(folder, name), JSON.stringify(content));
  await write("managed-settings.json", { model: "m", permissions: { deny: ["Read"] } });
  await write("managed-settings.d/b.json", { model: "b", permissions: { deny: ["Write"] } });
  await write("managed-settings.d/a.json", { model: "a", language: "x" });
  await write("managed-settings.d/.hidden.json", { language: "hidden" });
  await write("managed-settings.d/c.txt", { language: "text" });
  const settings = { model: "b", language: "x", permissions: { deny: ["Read", "Write"] } };
  expect(await machineSettings(folder)).toEqual({ settings, isComplete: true });
  await writeFile(join(folder, "managed-settings.json"), "{");
  expect(await machineSettings(folder)).toMatchObject({ isComplete: false });
});

test("filterEscalatingDefaultMode leaves out the modes that the official one leaves out", () => {
  const modes = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"] as const;
  const places = ["user", "project", "local", "flag", "managed"] as const;
  const cases = modes.flatMap((defaultMode) => {
    const settings = { permissions: { defaultMode, allow: ["Read"] }, model: "x" };
    return places.flatMap((first) =>
      [undefined, ...places].map((second) => ({
        effective: settings,
        provenance: {},
        sources: [{ source: first, settings }, ...(second ? [{ source: second, settings: { model: "y" } }] : [])],
      })),
    );
  });
  for (const resolved of [...cases, { effective: {}, provenance: {}, sources: [] }])
    expect(ours.filterEscalatingDefaultMode(resolved)).toEqual(official.filterEscalatingDefaultMode(resolved));
});

describe("matchDeniedModels", () => {
  const models = [
    ..."opus sonnet haiku opusplan best default OPUS opus[1m] my-opus claude-octopus-4 claude-opus claude-opus-latest".split(
      " ",
    ),
    ..."claude-opus-4 claude-opus-4-1 claude-opus-4-60 claude-opus-4-20250514 claude-4-opus-20250514 opus-4-5".split(
      " ",
    ),
    ..."claude-opus-4-5 claude-opus-4-5-20251101 claude-opus-4-5@20251101 claude-opus-4-6[1m] claude-fable-5".split(
      " ",
    ),
    ..."us.anthropic.claude-opus-4-5-20251101-v1:0 anthropic/claude-opus-4-6 claude-3-5-sonnet-20241022".split(" "),
    "",
    " claude-opus-4-6 ",
    "foo-model",
  ];
  const entries = [
    ..."opus OPUS opus[1m] sonnet haiku fable best default opusplan opus-4 opus-4-5 claude-opus claude-opus-4".split(
      " ",
    ),
    ..."claude-opus-4-5 claude-opus-4-6[1m] claude-opus-4-5-20251101 claude-opus-4-20250514 claude-3-5-sonnet".split(
      " ",
    ),
    ..."us.anthropic.claude-opus-4-5-20251101-v1:0 sonnet-4 claude-* foo-model claude".split(" "),
    "",
    " opus ",
  ];

  test.each(entries)("denies by the entry %j what the official one denies", async (entry) => {
    const { denied, warnings } = await ours.matchDeniedModels(models, [entry]);
    const expected = await official.matchDeniedModels(models, [entry]);
    expect(denied).toEqual(expected.denied);
    // The words are ours; whether there is something to say is the same.
    expect(warnings.length > 0).toBe(expected.warnings.length > 0);
  });

  test.each<[unknown, unknown]>([
    [["opus"], undefined],
    [["opus"], "opus"],
    ["opus", ["opus"]],
    [[5, "opus", null], ["opus"]],
    [["opus"], [5, null, "opus"]],
  ])("does not throw for %j and %j", async (some, list) => {
    // Wrong on purpose.
    const arguments_ = [some as string[], list as string[]] as const;
    const { denied } = await ours.matchDeniedModels(...arguments_);
    expect(denied).toEqual((await official.matchDeniedModels(...arguments_)).denied);
  });
});
