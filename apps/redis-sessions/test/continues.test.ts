import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "@reins/test-servers/redis";
import { startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";

interface Chat {
  readonly child: ChildProcess;
  readonly say: (line: string) => void;
  /** Waits for an answer. */
  readonly hear: (answer: string) => Promise<void>;
}

test("a chat that is killed goes on in another process, with nothing but Redis between them", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 20_000 });
  await using server = await startRedis({ durable: true });
  // What a killed process leaves of its own, home folders included.
  const folder = await mkdtemp(join(tmpdir(), `reins-chats-${process.pid}-`));
  const chats: ChildProcess[] = [];
  const start = (...flags: string[]): Chat => {
    const chat = startChat(server.url, folder, flags);
    chats.push(chat.child);
    return chat;
  };
  try {
    const first = start();
    first.say("I am Ada.");
    await first.hear('Answer 1: you said "I am Ada.".');
    first.say("I like herons.");
    await first.hear('Answer 2: you said "I like herons.".');
    await end(first.child, "SIGKILL");

    const second = start("--continue");
    second.say("Who am I?");
    await second.hear('Answer 3: you said "Who am I?".');
    await end(second.child, "SIGKILL");

    const third = start("--continue");
    third.say("And what do I like?");
    await third.hear('Answer 4: you said "And what do I like?".');
    third.child.stdin?.end();
    expect(await end(third.child)).toEqual([0, null]);
  } finally {
    for (const child of chats) await end(child, "SIGKILL");
    // The CLI of a killed chat ends by itself, and may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}, 120_000);

/** As `npm start` starts it: on the built packages. */
function startChat(redisUrl: string, folder: string, flags: readonly string[]): Chat {
  const argv = ["--import=tsx", join(import.meta.dirname, "../src/main.ts"), ...flags];
  const env = { ...process.env, REDIS_URL: redisUrl, TMPDIR: folder };
  const child = spawn(process.execPath, argv, {
    cwd: join(import.meta.dirname, ".."),
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  // Writing to a chat that died shows as an answer that does not come.
  child.stdin.on("error", () => {});
  return {
    child,
    say: (line) => void child.stdin.write(`${line}\n`),
    hear: (answer) => vi.waitFor(() => expect(said).toContain(`${answer}\n`), { timeout: 50_000, interval: 50 }),
  };
}

async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<unknown[]> {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode];
  const exited = once(child, "exit");
  if (signal !== undefined) child.kill(signal);
  return exited;
}
