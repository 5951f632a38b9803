import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  createSandbox,
  findTestBinary,
  type Sandbox,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { type ConformancePeer, conformanceScripts, runConformance } from "../src/conformance/index.ts";

const folder = import.meta.dirname;
const hosts: readonly (readonly [string, string])[] = [
  ["python3", "host.py"],
  ["bash", "host.sh"],
];

interface HostRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a host that starts Node.js as its bridge. */
function runHost(
  [interpreter, file]: readonly [string, string],
  bridge: readonly string[],
  sandbox: Sandbox,
  env: Readonly<Record<string, string>> = {},
): Promise<HostRun> {
  const argv = [join(folder, "..", "examples", file), process.execPath, ...bridge];
  return new Promise((resolve, reject) => {
    const options = { cwd: sandbox.cwd, env: { ...sandbox.env, ...env }, timeout: 45_000 };
    execFile(interpreter, argv, options, (error, stdout, stderr) => {
      if (error && "code" in error && error.code === "ENOENT")
        reject(new Error(`${interpreter} is needed for this test.`));
      else resolve({ code: error ? Number(error.code ?? Number.NaN) : 0, stdout, stderr });
    });
  });
}

test.each(hosts)("%s examples/%s holds two turns with a tool of its own and a permission question", async (...host) => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([
    toolUse("mcp__host__add", { a: 2, b: 40 }),
    text("It is 42."),
    toolUse("Bash", { command: "date > now.txt; echo done", description: "Tell the time" }),
    text("It is late."),
  ]);
  await using sandbox = await createSandbox({ model });
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  await symlink(findTestBinary(), join(bin, "claude"));
  const bridge = [
    "--conditions=@reins/source",
    `--import=${import.meta.resolve("tsx")}`,
    join(folder, "..", "examples", "bridge.ts"),
  ];
  const run = await runHost(host, bridge, sandbox, { PATH: `${bin}:${sandbox.env["PATH"]}` });
  expect(run).toEqual({ code: 0, stdout: "completed: It is 42.\ncompleted: It is late.\n", stderr: "" });
  expect(model.requests.map(({ toolResults }) => toolResults[0]?.text)).toEqual([undefined, "42", undefined, "done"]);
  expect(await readFile(join(sandbox.cwd, "now.txt"), "utf8")).not.toBe("");
  model.assertDone();
});

/** A place where one bridge is waited for, and the kit in it. */
async function openKit(path: string): Promise<{ peer: Promise<ConformancePeer>; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  // The host ends its side first, and the kit still has something to say.
  const server = createServer({ allowHalfOpen: true });
  const peer = new Promise<ConformancePeer>((resolve) => {
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      resolve({
        output: socket,
        write: (lines) => void socket.write(lines),
        end: () => void socket.end(),
        close: async () => void socket.destroy(),
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { peer, close };
}

describe.each(hosts)("%s examples/%s keeps to the protocol", (...host) => {
  const scripts = conformanceScripts.filter(({ plays }) => plays === "bridge");
  test.each(scripts)("$name: $about", async (script) => {
    await using _leaks = startLeakCheck();
    await using sandbox = await createSandbox();
    const path = join(sandbox.root, "kit");
    const kit = await openKit(path);
    const running = runHost(host, [join(folder, "fixtures", "relay.cjs"), path], sandbox);
    const { failure, log } = await runConformance(script, () => kit.peer);
    const run = await running;
    await kit.close();
    expect(failure, JSON.stringify([run, log], undefined, 1)).toBeUndefined();
    expect(run.code).toBe(script.name === "host-without-a-session" ? 1 : 0);
  });
});
