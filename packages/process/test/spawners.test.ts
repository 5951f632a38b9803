import { chmodSync, existsSync, readFileSync } from "node:fs";
import {
  createSandbox,
  findTestBinary,
  scriptedCliExecutable,
  startLeakCheck,
  startScriptedModel,
  text,
} from "@reins/testkit";
import { describe, expect, test } from "vitest";
import {
  dockerSpawner,
  type Launch,
  type LaunchOptions,
  type SpawnClaudeCodeProcess,
  sshSpawner,
  startClaude,
  userSpawner,
} from "../src/index.ts";
import { allFrames, isAlive, launchOf, scratchFolder, until } from "./setup.ts";

// Against stand-ins for `docker` and `ssh` that run the command on this machine, with the environment that the other side would have. No Docker
// daemon and no sshd took part.

const far = "env -i PATH=/usr/bin:/bin HOME=/far";

/** `docker exec -i ... box COMMAND`, and `ssh ... -- far COMMAND`. Both write down how they were called. */
const dockerScript = `#!/bin/sh
echo "$@" >> "$0.log"
while [ "$1" != box ]; do shift; done
shift
exec ${far} "$@"
`;
const sshScript = `#!/bin/sh
echo "$@" >> "$0.log"
echo "Warning: Permanently added 'far' to the list of known hosts." >&2
while [ "$1" != -- ]; do shift; done
shift 2
exec ${far} sh -c "$*"
`;

interface StandIn {
  readonly spawner: SpawnClaudeCodeProcess;
  calls(): string;
}

function standIns(
  folder: ReturnType<typeof scratchFolder>,
  forwardEnv: readonly string[] = [],
): Record<string, StandIn> {
  const docker = folder.write("docker", dockerScript);
  const ssh = folder.write("ssh", sshScript);
  return {
    docker: {
      spawner: dockerSpawner({ container: "box", program: docker, args: ["--user", "app"], forwardEnv }),
      calls: () => readFileSync(`${docker}.log`, "utf8"),
    },
    ssh: {
      spawner: sshSpawner({ destination: "far", program: ssh, args: ["-p", "2222"], forwardEnv }),
      calls: () => readFileSync(`${ssh}.log`, "utf8"),
    },
  };
}

function launchWith(path: string, options: LaunchOptions = {}): Launch {
  // `env` is not given, so the child's would be that of this host.
  return launchOf(path, { env: undefined, onWarning: () => {}, ...options });
}

describe.each(["docker", "ssh"])("%s", (kind) => {
  function standIn(folder: ReturnType<typeof scratchFolder>, forwardEnv?: readonly string[]): StandIn {
    const found = standIns(folder, forwardEnv)[kind];
    if (found === undefined) throw new Error(kind);
    return found;
  }

  test("runs the command line, the folder and the variables as they are, and shows none of them", async () => {
    await using _leaks = startLeakCheck();
    using folder = scratchFolder();
    await using cli = await scriptedCliExecutable({
      steps: [
        { do: "read", match: { type: "user" } },
        { do: "stderr", text: "a word\n" },
        { do: "write", frame: { type: "result" } },
        { do: "readEnd", ms: 10_000 },
        { do: "exit", code: 3 },
      ],
    });
    const odd = `it's "odd"\n$HOME \`x\` \\n; é`;
    const { spawner, calls } = standIn(folder, ["LANG"]);
    const env = { ...process.env, LANG: process.env["LANG"] ?? "C", ODD: odd, SECRET: "s3cret", "NOT-A-NAME": "1" };
    const options = { cwd: folder.path, additionalDirectories: [odd, "-x"], resume: "-odd title", env };
    const launch = launchWith(cli.path, options);
    const claude = startClaude(launch, { spawnClaudeCodeProcess: spawner });
    await claude.send({ type: "user", text: odd });
    for await (const [frame] of claude.frames) if (frame?.type === "result") await claude.endInput();
    const { error, code, stderrTail } = await claude.closed;
    expect({ code, error }).toMatchObject({ code: 3, error: { name: "ProcessError", exitCode: 3 } });
    expect(stderrTail).not.toContain("reins-remote-pid");
    expect(stderrTail).toMatch(kind === "ssh" ? /^Warning: .*\na word\n$/ : /^a word\n$/);

    const log = await cli.log();
    expect(log.argv).toEqual(launch.args);
    expect(log.cwd).toBe(folder.path);
    expect(log.frames).toEqual([{ type: "user", text: odd }]);
    // HOME and PATH of this machine stay here.
    expect(log.env).toMatchObject({ ODD: odd, SECRET: "s3cret", HOME: "/far", CLAUDE_CODE_ENTRYPOINT: "sdk-ts" });
    expect(log.env["PATH"]).toBe("/usr/bin:/bin");
    expect(calls()).not.toMatch(/s3cret|odd|resume/);
    expect(calls()).toContain(kind === "ssh" ? "-p 2222 -T -o BatchMode=yes -- far" : "exec -i --user app box sh -c");
  });

  test("reaches a process that ends neither with its input nor on SIGTERM", async () => {
    await using _leaks = startLeakCheck();
    using folder = scratchFolder();
    await using cli = await scriptedCliExecutable({
      steps: [{ do: "trap", signals: ["SIGTERM"] }, { do: "write", frame: { type: "system" } }, { do: "hang" }],
    });
    const { spawner } = standIn(folder);
    const claude = startClaude(launchWith(cli.path), {
      spawnClaudeCodeProcess: spawner,
      endGraceMs: 300,
      killGraceMs: 300,
    });
    for await (const _ of claude.frames) break;
    const { pid, events } = await cli.log();
    expect(events).toContainEqual(expect.objectContaining({ kind: "signal", signal: "SIGTERM" }));
    await until("the process is gone", () => !isAlive(pid));
    expect(await claude.closed).not.toHaveProperty("error");
  });

  test("says what is wrong on the other side", async () => {
    await using _leaks = startLeakCheck();
    using folder = scratchFolder();
    const { spawner } = standIn(folder);
    const missing = startClaude(launchWith("/nowhere/claude"), { spawnClaudeCodeProcess: spawner });
    expect((await missing.closed).error).toMatchObject({ name: "ProcessError", exitCode: 127 });
    const noFolder = startClaude(launchWith("/bin/true", { cwd: "/nowhere" }), { spawnClaudeCodeProcess: spawner });
    const { error } = await noFolder.closed;
    expect(error).toMatchObject({ name: "ProcessError", stderrTail: expect.stringContaining("/nowhere") });
  });

  test("runs a session of the real CLI", async () => {
    await using _leaks = startLeakCheck();
    using folder = scratchFolder();
    await using model = await startScriptedModel([text("42")]);
    await using sandbox = await createSandbox({ model });
    const launch = launchWith(findTestBinary(), {
      env: sandbox.env,
      cwd: sandbox.cwd,
      settings: { cleanupPeriodDays: 3 },
    });
    sandbox.assertSafe(launch.env);
    await using claude = startClaude(launch, { spawnClaudeCodeProcess: standIn(folder).spawner });
    await claude.send({
      type: "control_request",
      request_id: "i",
      request: { subtype: "initialize", ...launch.initialize },
    });
    await claude.send({ type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null });
    await claude.endInput();
    const results = (await allFrames(claude)).filter(({ type }) => type === "result");
    expect(results.map(({ value }) => value["result"])).toEqual(["42"]);
    expect(await claude.closed).toMatchObject({ code: 0 });
  });
});

test("a client that is not there is a failed start", async () => {
  await using _leaks = startLeakCheck();
  for (const spawner of [
    dockerSpawner({ container: "box", program: "/nowhere/docker" }),
    sshSpawner({ destination: "far", program: "/nowhere/ssh" }),
  ]) {
    const claude = startClaude(launchWith("/opt/claude"), { spawnClaudeCodeProcess: spawner });
    expect((await claude.closed).error).toMatchObject({
      name: "LaunchError",
      reason: "other",
      cause: { code: "ENOENT" },
    });
  }
});

test("names that the client would take for flags are refused", () => {
  expect(() => dockerSpawner({ container: "--privileged" })).toThrow(TypeError);
  expect(() => sshSpawner({ destination: "-oProxyCommand=x" })).toThrow(TypeError);
});

// Only root may become somebody else. Everybody may stay what he is, which still shows all but the change itself.
const isRoot = process.getuid?.() === 0;
const uid = isRoot ? 65_534 : (process.getuid?.() ?? -1);
const gid = isRoot ? 65_534 : (process.getgid?.() ?? -1);

describe.skipIf(process.platform === "win32")("another user", () => {
  const script = `#!/bin/sh
printf '{"type":"system","uid":%s,"gid":%s,"home":"%s","user":"%s","config":"%s"}\\n' \\
  "$(id -u)" "$(id -g)" "$HOME" "$USER" "$CLAUDE_CONFIG_DIR"
trap "" TERM
sleep 100 &
echo "$!" > "$OUT"
wait
`;

  test("is who runs the CLI, in a home of its own, and an end by force takes all of it", async () => {
    await using _leaks = startLeakCheck();
    using folder = scratchFolder();
    const path = folder.write("claude", script);
    const out = folder.write("out", "", 0o666);
    // The folder of a test is private.
    chmodSync(folder.path, 0o755);
    const claude = startClaude(
      launchWith(path, { env: { PATH: "/usr/bin:/bin", HOME: "/root", OUT: out, USER: "x" } }),
      {
        spawnClaudeCodeProcess: userSpawner({ uid, gid, home: folder.path }),
        endGraceMs: 300,
        killGraceMs: 300,
      },
    );
    const grandchild = (): number => Number(existsSync(out) ? readFileSync(out, "utf8") : "");
    for await (const [frame] of claude.frames) {
      expect(frame?.value).toMatchObject({ uid, gid, home: folder.path, user: "x", config: "" });
      await until("the grandchild runs", () => grandchild() > 0);
      break;
    }
    const pid = grandchild();
    await until("the grandchild is gone", () => !isAlive(pid));
    expect(isAlive(claude.pid ?? 0)).toBe(false);
  });
});
