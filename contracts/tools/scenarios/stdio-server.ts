import { readFileSync } from "node:fs";

/** Puts the MCP server of stdio-server.mjs into the working directory of a scenario. */
export const stdioServerFile: Readonly<Record<string, string>> = {
  "server.mjs": readFileSync(new URL("./stdio-server.mjs", import.meta.url), "utf8"),
};

/** How the CLI starts it. */
export const stdioServerConfig: { command: string; args: string[] } = { command: "node", args: ["{{cwd}}/server.mjs"] };

/** Arguments that declare it under the name `ask`, with its tools loaded at once. */
export function stdioServerArgv(): string[] {
  const ask = { ...stdioServerConfig, alwaysLoad: true };
  return ["--mcp-config", JSON.stringify({ mcpServers: { ask } }), "--allowedTools", "mcp__ask"];
}
