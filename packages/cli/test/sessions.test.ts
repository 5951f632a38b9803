import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectKeyForPath } from "@reins/sessions";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BuiltCli, buildCli, type Ran } from "./built-cli.ts";

let cli: BuiltCli;
beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const first = "11111111-1111-4111-8111-111111111111";
const second = "22222222-2222-4222-8222-222222222222";
const cwd = "/srv/project";
const projectKey = projectKeyForPath(cwd);

interface Home {
  readonly folder: string;
  readonly configDir: string;
  reins(...args: readonly string[]): Promise<Ran>;
  /** The values that it wrote with `--json`; it must not have failed. */
  json(...args: readonly string[]): Promise<unknown[]>;
  transcript(sessionId: string): string;
}

/** A configuration folder with two sessions; the second is newer, and its texts would drive a terminal. */
async function createHome(): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), "reins-cli-sessions-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const configDir = join(folder, "config");
  const transcript = (sessionId: string): string => join(configDir, "projects", projectKey, `${sessionId}.jsonl`);
  await mkdir(dirname(transcript(first)), { recursive: true });
  await writeFile(transcript(first), conversation(first, "Where is VAT computed?", "In tax.ts.", "2026-01-01"));
  await writeFile(
    transcript(second),
    conversation(second, "Clear \u001b[2Jthe screen", "Done\u001b]0;x\u0007\u009b1m.", "2026-02-01"),
  );
  const reins = (...args: readonly string[]): Promise<Ran> =>
    cli.run(args, { cwd: folder, env: { HOME: folder, CLAUDE_CONFIG_DIR: configDir } });
  return {
    folder,
    configDir,
    transcript,
    reins,
    json: async (...args) => {
      const ran = await reins(...args, "--json");
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      return ran.stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line): unknown => JSON.parse(line));
    },
  };
}

function conversation(sessionId: string, question: string, answer: string, day: string): string {
  const common = { sessionId, cwd, version: "2.1.328", isSidechain: false, userType: "external", entrypoint: "cli" };
  const uuid = (end: number): string => `${sessionId.slice(0, -1)}${end}`;
  const entries = [
    {
      ...common,
      type: "user",
      uuid: uuid(6),
      parentUuid: null,
      timestamp: `${day}T10:00:00.000Z`,
      message: { role: "user", content: question },
    },
    {
      ...common,
      type: "assistant",
      uuid: uuid(7),
      parentUuid: uuid(6),
      timestamp: `${day}T10:00:01.000Z`,
      requestId: `req_${sessionId}`,
      message: {
        id: `msg_${sessionId}`,
        type: "message",
        role: "assistant",
        model: "claude-test",
        content: [
          { type: "text", text: answer },
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
        ],
        usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 2, cache_creation_input_tokens: 1 },
      },
    },
  ];
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

test("sessions are listed, shown and searched, as text that cannot drive a terminal and as JSON", async () => {
  const home = await createHome();
  const list = await home.reins("sessions", "ls");
  expect(list).toMatchObject({ code: 0, stderr: "" });
  const lines = list.stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^SESSION +CHANGED +SUMMARY$/);
  expect(
    lines
      .slice(1)
      .map((line) => line.slice(0, 36))
      .sort(),
  ).toEqual([first, second]);

  expect(await home.json("sessions", "ls", "--dir", cwd, "--limit", "1")).toMatchObject([{ sessionId: second }]);

  const shown = await home.reins("sessions", "show", second.slice(0, 6));
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain("Clear ␛[2Jthe screen");
  expect(shown.stdout).toContain("Done␛]0;x␇\\u{9b}1m.");
  expect(shown.stdout).toContain("> Bash ls");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(list.stdout + shown.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  const raw = await home.reins("sessions", "show", second, "--json");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(raw.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  const messages = raw.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages).toMatchObject([
    { type: "user" },
    { message: { content: [{ text: "Done\u001b]0;x\u0007\u009b1m." }, {}] } },
  ]);

  const found = await home.reins("sessions", "search", "vat COMPUTED");
  expect(found.stdout).toMatch(/^1{8}-.* user\n {2}Where is VAT computed\?\n$/);
  expect(await home.json("sessions", "search", "--regex", "tax\\.ts$|tax\\.ts\\.")).toMatchObject([
    { sessionId: first, type: "assistant" },
  ]);
  expect(await home.reins("sessions", "search", "nowhere")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "Nothing was found.\n",
  });
});

test("sessions are renamed, tagged, archived, forked and deleted", async () => {
  const home = await createHome();
  expect(await home.reins("sessions", "rename", first, "VAT for Norway")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await home.json("sessions", "tag", first, "tax")).toEqual([{ sessionId: first, tag: "tax" }]);
  const [info] = await home.json("sessions", "ls", "--limit", "1");
  expect(info).toMatchObject({ sessionId: first, customTitle: "VAT for Norway", tag: "tax" });

  expect(await home.json("sessions", "archive", first)).toEqual([{ sessionId: first, archived: true }]);
  expect(await home.json("sessions", "ls")).toMatchObject([{ sessionId: second }]);
  expect(await home.json("sessions", "ls", "--archived")).toHaveLength(2);
  await home.json("sessions", "archive", first, "--undo");
  expect(await home.json("sessions", "ls")).toHaveLength(2);

  const [forked] = await home.json("sessions", "fork", first, "--title", "A copy");
  expect(forked).toMatchObject({ forkedFrom: first });
  expect(await home.json("sessions", "ls")).toHaveLength(3);

  const refused = await home.reins("sessions", "rm", first);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("Give --yes");
  expect(await home.json("sessions", "rm", "--yes", first)).toEqual([{ sessionId: first, deleted: true }]);
  const gone = await home.reins("sessions", "show", first);
  expect(gone).toMatchObject({ code: 1, stdout: "" });
  expect(gone.stderr).toMatch(/not found.*\nNext: `reins sessions ls`/s);
});

test("usage is summed over sessions, by model and by day", async () => {
  const home = await createHome();
  const [total] = await home.json("sessions", "usage");
  const tokens = {
    responses: 2,
    inputTokens: 20,
    outputTokens: 10,
    cacheReadInputTokens: 4,
    cacheCreationInputTokens: 2,
  };
  expect(total).toMatchObject({ sessions: 2, tokens, byModel: { "claude-test": tokens } });
  expect(await home.json("sessions", "usage", first)).toMatchObject([{ sessions: 1, tokens: { inputTokens: 10 } }]);
  const byDay = await home.reins("sessions", "usage", "--by", "day");
  expect(byDay.stdout).toMatch(
    /^DAY +RESPONSES.*\n2026-01-01 +1 +10 +5 +2 +1\n2026-02-01 .*\nTOTAL +2 +20 +10 +4 +2\n2 sessions\n$/,
  );
});

test("sessions go into a store of files and back, and what is damaged is found", async () => {
  const home = await createHome();
  const store = ["--store", "file:kept"] as const;
  const missing = await home.reins("sessions", "ls", ...store);
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toContain("there is no folder");

  expect(await home.json("sessions", "import", "--all", ...store)).toMatchObject([
    { appended: 2, alreadyThere: 0, projectKey },
    { appended: 2, alreadyThere: 0, projectKey },
  ]);
  expect(await home.json("sessions", "import", first, ...store)).toMatchObject([{ appended: 0, alreadyThere: 2 }]);
  const there = [...store, "--project", projectKey] as const;
  expect(await home.json("sessions", "ls", ...there)).toHaveLength(2);
  expect(await home.json("sessions", "search", "tax.ts", ...there)).toMatchObject([{ sessionId: first, projectKey }]);
  expect(await home.json("sessions", "copy", first, ...there, "--to", "file:other", "--to-project", "p")).toMatchObject(
    [{ appended: 2 }],
  );
  await home.json("sessions", "rename", first, "In the store", ...there);
  await home.json("sessions", "export", first, ...there, "--to", "out");
  expect(await readFile(join(home.folder, "out", `${first}.jsonl`), "utf8")).toContain("In the store");
  expect(await readdir(join(home.folder, "out"))).toEqual([`${first}.jsonl`]);
  const again = await home.reins("sessions", "export", first, ...there, "--to", "out");
  expect(again).toMatchObject({ code: 1 });
  expect(await home.json("sessions", "verify", ...there)).toMatchObject([{ ok: true }, { ok: true }]);

  const lines = (await readFile(home.transcript(first), "utf8")).split("\n");
  await writeFile(home.transcript(first), [lines[0], '{"type":"user",', lines[0], lines[1], ""].join("\n"));
  const verified = await home.reins("sessions", "verify", first);
  expect(verified).toMatchObject({ code: 1, stderr: "1 checked, 1 damaged.\n" });
  expect(verified.stdout).toMatch(/damaged, 3 entries.*error broken-line: .*duplicate-uuid/s);
  expect(await home.reins("sessions", "verify", second)).toMatchObject({ code: 0 });
});

test("a search by an expression that never ends is ended by Ctrl-C", async () => {
  const { folder, configDir, transcript } = await createHome();
  await writeFile(transcript(first), conversation(first, "Found.", `${"a".repeat(60)}!`, "2026-01-01"));
  const child = cli.start(["sessions", "search", "--regex", "Found|(a+)+$"], {
    cwd: folder,
    env: { HOME: folder, CLAUDE_CONFIG_DIR: configDir },
  });
  const exit = once(child, "exit");
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  // What is found in the question. Then it is at the answer.
  await once(child.stdout, "data");
  child.kill("SIGINT");
  const ended = await exit;
  clearTimeout(timer);
  expect(ended).toEqual([null, "SIGINT"]);
});
