import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";

const argv = ["--import=tsx", join(import.meta.dirname, "../src/main.ts")];

test("serves the sample sessions on the address that it prints, until it is stopped", async () => {
  await using _leaks = startLeakCheck();
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"], timeout: 50_000 });
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const url = await new Promise<URL>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const address = /http:\S+(?=\n)/.exec(said)?.[0];
      if (address !== undefined) resolve(new URL(address));
    });
    child.once("exit", () => reject(new Error(`The viewer ended: ${errors}`)));
  });
  expect(url.hostname).toBe("127.0.0.1");
  const headers = { authorization: `Bearer ${url.hash.replace("#token=", "")}`, connection: "close" };
  const get = async (path: string): Promise<unknown> => (await fetch(new URL(path, url), { headers })).json();
  expect(await get("/api/about")).toMatchObject({ demo: true });
  expect(await get("/api/sessions")).toHaveLength(12);
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  expect(errors).toBe("");
});

test("says how it is called when it does not understand", async () => {
  await using _leaks = startLeakCheck();
  const run = promisify(execFile)(process.execPath, [...argv, "--wrong"], { timeout: 50_000 });
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("Usage: npm start") });
});
