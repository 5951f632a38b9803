import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { s3Credentials, startS3 } from "@reins/test-servers/s3";
import { expect, test, vi } from "vitest";

const program = join(import.meta.dirname, "..", "src", "main.ts");
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** A chat in a process of its own, on the built packages. */
class Chat {
  readonly child: ChildProcessWithoutNullStreams;
  readonly closed: Promise<unknown>;
  stdout = "";
  stderr = "";

  constructor(folder: string, env: NodeJS.ProcessEnv, args: readonly string[]) {
    this.child = spawn(process.execPath, [`--import=${tsx}`, program, ...args], { cwd: folder, env });
    this.closed = once(this.child, "close");
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.child.stdin.on("error", () => {});
  }

  async say(line: string, answer: string): Promise<void> {
    this.child.stdin.write(`${line}\n`);
    await vi.waitFor(() => expect(`${this.stdout}${this.stderr}`).toContain(answer), {
      timeout: 120_000,
      interval: 50,
    });
  }
}

test("a chat that is killed goes on in another process, and is compacted at its end", async () => {
  await using server = await startS3({ enforceConditions: true });
  // What a killed process leaves of its own is in here, too.
  const folder = await realpath(await mkdtemp(join(tmpdir(), `reins-s3-chat-${process.pid}-`)));
  const env = {
    PATH: process.env["PATH"],
    TMPDIR: folder,
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    BUCKET: server.bucket,
  };
  const chats: Chat[] = [];
  const start = (...args: string[]): Chat => {
    const chat = new Chat(folder, env, args);
    chats.push(chat);
    return chat;
  };
  try {
    const first = start();
    await first.say("My word is heron", "Your words: heron.");
    const sessionId = /^session (\S+)$/m.exec(first.stdout)?.[1] ?? "";
    expect(sessionId).not.toBe("");
    first.child.kill("SIGKILL");
    await first.closed;

    const second = start(sessionId);
    await second.say("My word is ibis", "Your words: heron, ibis.");
    second.child.stdin.end();
    await second.closed;
    expect(second.stderr).toBe("");
    expect(second.stdout).toMatch(/^\d+ parts became 1$/m);
    expect(second.child.exitCode).toBe(0);
  } finally {
    for (const { child, closed } of chats) {
      child.kill("SIGKILL");
      await closed;
    }
    await vi.waitFor(() => rm(folder, { recursive: true, force: true }), { timeout: 10_000 });
  }
}, 300_000);
