import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

// The example of the README as its users run it: a program of its own.

const folder = join(import.meta.dirname, "..");
const example = "examples/serve.ts";

test("the README shows the example as it is", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`ts\n${await readFile(join(folder, example), "utf8")}\`\`\`\n`);
});

test("the example serves over its standard input and output, and ends with its client", async () => {
  const { child, exited } = start();
  // The two ends of stdio speak alike.
  expect(await addWith(new StdioServerTransport(child.stdout, child.stdin))).toEqual(fortyTwo);
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
});

test("the example serves over HTTP", async () => {
  const { child, exited } = start("--http");
  const [url] = await once(child.stdout, "data");
  const transport = new StreamableHTTPClientTransport(new URL(String(url).trim())) as Transport;
  expect(await addWith(transport)).toEqual(fortyTwo);
  child.kill();
  await exited;
});

const fortyTwo = { content: [{ type: "text", text: "42" }] };

function start(...argv: string[]): { child: ChildProcessByStdio<Writable, Readable, null>; exited: Promise<unknown> } {
  const [command, args] = exampleCommand(join(folder, example), argv);
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "inherit"],
    // A test that fails leaves it, for this long.
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  return { child, exited: once(child, "exit") };
}

async function addWith(transport: Transport): Promise<unknown> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const result = await client.callTool({ name: "add", arguments: { a: 2, b: 40 } });
  await client.close();
  return result;
}
