import type { McpServerManifest } from "@reins/messages";
import type { InProcessConnection, JsonRpcMessage } from "./mcp-router.ts";

/**
 * Shakes hands with a server as the CLI would do it (seen with 2.1.328). `undefined` for a server that fails, or speaks another version:
 * the CLI takes no other in a manifest. Never rejects.
 *
 * @param isLate Whether nobody waits for the manifest any more.
 */
export async function captureManifest(
  connect: () => InProcessConnection | undefined,
  isLate: () => boolean,
): Promise<McpServerManifest | undefined> {
  try {
    const connection = connect();
    const ask = async (id: string, method: string, params?: object): Promise<Readonly<Record<string, unknown>>> => {
      const request: JsonRpcMessage = { jsonrpc: "2.0", id: `manifest:${id}`, method, ...(params && { params }) };
      const { result } = (await connection?.handle(request)) ?? {};
      return typeof result === "object" && result !== null ? { ...result } : {};
    };
    const initializeResult = await ask("initialize", "initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "claude-code", version: "unknown" },
    });
    // When it is late, the CLI itself speaks on this connection.
    if (isLate() || initializeResult["protocolVersion"] !== protocolVersion) return undefined;
    await connection?.handle({ jsonrpc: "2.0", method: "notifications/initialized" });
    if (isLate()) return undefined;
    const { capabilities } = initializeResult;
    if (typeof capabilities !== "object" || capabilities === null || !("tools" in capabilities))
      return { initializeResult };
    const toolsListResult = await ask("tools/list", "tools/list");
    const isWhole = Array.isArray(toolsListResult["tools"]) && toolsListResult["nextCursor"] === undefined;
    return isWhole ? { initializeResult, toolsListResult } : { initializeResult };
  } catch {
    return undefined;
  }
}

const protocolVersion = "2025-11-25";
