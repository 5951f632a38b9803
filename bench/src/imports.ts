import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { alternate } from "./measure.ts";
import type { Cost, Row } from "./row.ts";

/** Packages of ours, and what they are compared with. */
const own = ["streamjson", "messages", "control", "process", "toolhost", "sessions", "testkit", "sdk"];

/** What it costs a program to import a package in its published form: time, and memory that stays. Each in a process of its own. */
export const imports: Row = {
  name: "imports",
  title: "Import of a package",
  measure: (effort) =>
    alternate(effort, {
      ...Object.fromEntries(own.map((name) => [`@reins/${name}`, () => measure(`@reins/${name}`)])),
      "official SDK": () => measure("@anthropic-ai/claude-agent-sdk"),
    }),
};

async function measure(name: string): Promise<Cost> {
  const program = `
    const before = process.memoryUsage().rss;
    const start = performance.now();
    await import(${JSON.stringify(name)});
    const ms = performance.now() - start;
    console.log(JSON.stringify({ ms, MB: (process.memoryUsage().rss - before) / 1e6 }));
  `;
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    // Here, where the names resolve.
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"] },
  });
  return JSON.parse(stdout);
}
