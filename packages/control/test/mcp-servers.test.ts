import { expect, test } from "vitest";
import type { InProcessServer, JsonRpcMessage } from "../src/index.ts";
import { answerTo, session } from "./session.ts";

const greeting = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };

/** A server that greets when it is told to. */
function slow(): { readonly server: InProcessServer; readonly greet: () => void; readonly closed: () => number } {
  let greet = (): void => {};
  let closed = 0;
  const gate = new Promise<void>((resolve) => {
    greet = resolve;
  });
  const handle = async ({ id }: JsonRpcMessage): Promise<JsonRpcMessage | undefined> => {
    await gate;
    return id === undefined || id === null ? undefined : { jsonrpc: "2.0", id, result: greeting };
  };
  const close = (): void => {
    closed += 1;
  };
  return { server: { connect: () => ({ handle, close }) }, greet, closed: () => closed };
}

test("what is sent while a server is asked for its manifest comes behind the initialize request", async () => {
  const { server, greet } = slow();
  const { client, read } = session({ mcpServers: { s: server } });
  void client.initialize().catch(() => {});
  void client.setModel("m").catch(() => {});
  const sent = client.send({ type: "user", message: { role: "user", content: "go" } });
  greet();
  const initialize = await read();
  expect(initialize["request"]).toMatchObject({
    subtype: "initialize",
    sdkMcpServers: ["s"],
    sdkMcpServerManifests: { s: { initializeResult: greeting } },
  });
  expect((await read())["request"]).toMatchObject({ subtype: "set_model" });
  expect((await read()).type).toBe("user");
  await sent;
});

test("the initialize request is written before the input ends, though there is no prompt", async () => {
  const { server, greet } = slow();
  const { client, cli } = session({ mcpServers: { s: server } });
  void client.initialize().catch(() => {});
  const finished = client.finish(0);
  greet();
  expect((await cli.read())?.value["request"]).toMatchObject({ subtype: "initialize" });
  expect(await cli.read()).toBeUndefined();
  await finished;
});

test("a server that does not answer delays the initialize request no longer than its time", async () => {
  const { server } = slow();
  const { client, read, cli } = session({ mcpServers: { s: server } });
  const initialized = client.initialize();
  const request = await read();
  expect(request["request"]).toMatchObject({ subtype: "initialize", sdkMcpServers: ["s"] });
  expect(request["request"]).not.toHaveProperty("sdkMcpServerManifests.s");
  await cli.send(answerTo(request, {}));
  await initialized;
});

test("a session that ends while a server is asked closes the server, and later ones are not opened", async () => {
  const { server, greet, closed } = slow();
  const { client } = session({ mcpServers: { s: server } });
  const initialized = client.initialize();
  await client.close();
  greet();
  await expect(initialized).rejects.toThrow("the session was closed by the host");
  await expect(client.initialize()).rejects.toThrow("the session was closed by the host");
  expect(closed()).toBe(1);
});

test("a server is told the id of the session, as the CLI says it", async () => {
  const ids: (string | undefined)[] = [];
  const server: InProcessServer = {
    connect: (_, info) => ({
      handle: async ({ id }) => {
        ids.push(info.sessionId);
        return { jsonrpc: "2.0", id: id ?? 0, result: {} };
      },
      close: () => {},
    }),
  };
  const { cli, ask } = session({ mcpServers: { s: server } });
  const ping = { subtype: "mcp_message", server_name: "s", message: { jsonrpc: "2.0", id: 1, method: "ping" } };
  await ask("1", ping as never);
  await cli.send({ type: "system", subtype: "init", session_id: "one" });
  await ask("2", ping as never);
  await cli.send({ type: "system", subtype: "init", session_id: { wrong: true } });
  await cli.send({ type: "system", subtype: "init", session_id: "two" });
  await ask("3", ping as never);
  expect(ids).toEqual([undefined, "one", "two"]);
});

test("servers that are set later carry their settings", async () => {
  const { client, read, cli } = session();
  const settings = { timeout: 2000, tools: [{ name: "t", permission_policy: "always_ask" as const }] };
  const set = client.setMcpServers({ x: { command: "x", args: [] } }, { s: { ...slow().server, settings } });
  const request = await read();
  expect(request["request"]).toEqual({
    subtype: "mcp_set_servers",
    servers: { x: { command: "x", args: [] }, s: { type: "sdk", name: "s", ...settings } },
  });
  await cli.send(answerTo(request, { added: ["s", "x"], removed: [], errors: {} }));
  expect(await set).toMatchObject({ added: ["s", "x"] });
});
