import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { serve } from "@hono/node-server";
import { createSandbox, findTestBinary, startScriptedModel, text, toolUse } from "@reins/testkit";
import { createGateway } from "./gateway.ts";

// The CLI asks on its standard output about tools that no rule decides.
const argv = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
argv.push("--permission-prompt-tool", "stdio");

const isLive = process.argv.includes("--live");
// Offline: the real CLI in a sandbox, with a script in place of the model. Live: your own, in this folder.
const model = isLive
  ? undefined
  : await startScriptedModel(({ userText, toolResults: [result] }) =>
      result
        ? text(`The tool said: ${result.text}`)
        : toolUse("Bash", { command: `touch ${userText.replace(/\W+/g, "-")}` }),
    );
const sandbox = model && (await createSandbox({ model }));

const command = sandbox ? findTestBinary() : "claude";
const token = randomUUID();
const gateway = createGateway(
  () => spawn(command, argv, { ...sandbox?.spawnOptions(), stdio: ["pipe", "pipe", "inherit"] }),
  token,
);

const page = await readFile(new URL("./page.html", import.meta.url), "utf8");
const script = await readFile(new URL("./page.js", import.meta.url), "utf8");
const policy = "default-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
gateway.app.get("/", (c) => c.html(page, 200, { "Content-Security-Policy": policy }));
gateway.app.get("/page.js", (c) => c.body(script, 200, { "Content-Type": "text/javascript" }));

const server = serve(
  { fetch: gateway.app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 0) },
  ({ port }) => console.log(`http://127.0.0.1:${port}/?token=${token}`),
);

await new Promise((resolve) => process.on("SIGINT", resolve).on("SIGTERM", resolve));
await gateway.close();
// The readers get to know that their sessions ended. A connection that is kept alive does not count.
const closed = once(server, "close");
server.close();
setTimeout(() => "closeAllConnections" in server && server.closeAllConnections(), 1_000).unref();
await closed;
await sandbox?.close();
await model?.close();
