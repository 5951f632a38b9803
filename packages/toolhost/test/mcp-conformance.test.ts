import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { serveHttp } from "../src/mcp/serve/index.ts";
import { createConformanceServer } from "./conformance-server.ts";

/** What the suite asks for that servers of this package do not do, and why. A scenario that passes all the same makes the test fail. */
const notServed: Readonly<Record<string, string>> = {
  "completion-complete": "no completion of arguments: the CLI never asks for it",
  "tools-call-sampling": "handlers ask nothing of the client: the CLI refuses all that servers in a process ask",
  "tools-call-elicitation": "the same",
  "elicitation-sep1034-defaults": "the same",
  "elicitation-sep1330-enums": "the same",
  "resources-templates-read": "no templates: the CLI never lists them",
  "resources-subscribe": "no subscriptions: the CLI never subscribes",
  "resources-unsubscribe": "the same",
};

test("the conformance suite of the Model Context Protocol passes, but for what is not served", async () => {
  const require = createRequire(import.meta.url);
  const program = join(require.resolve("@modelcontextprotocol/conformance/package.json"), "../dist/index.js");
  const shim = pathToFileURL(join(import.meta.dirname, "fixtures/node-20-globsync.mjs")).href;
  await using serving = await serveHttp(createConformanceServer());
  const child = spawn(process.execPath, ["--import", shim, program, "server", "--url", serving.url], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const verdicts = [...output.matchAll(/^([✓✗]) ([\w-]+): /gm)];
  const failed = verdicts.flatMap(([, mark, scenario]) => (mark === "✗" ? [scenario] : []));
  expect(failed.sort(), output).toEqual(Object.keys(notServed).sort());
  expect(verdicts).toHaveLength(30);
});
