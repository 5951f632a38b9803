/**
 * What is wrong with the names of the MCP servers of one session, in words that follow "mcpServers"; `undefined` for nothing.
 *
 * The CLI takes such names and does not do what was meant: of two servers whose names it writes alike for the model, the first gets all
 * calls (verified against 2.1.328).
 *
 * @param names All names, those in this process among them.
 */
export function serverNamesProblem(names: readonly string[], inProcess: readonly string[]): string | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    if (name === "") return "has a server with an empty name.";
    const modelName = name.replace(/[^A-Za-z0-9_-]/g, "_");
    const other = seen.get(modelName);
    if (other !== undefined) {
      return `has servers ${JSON.stringify(other)} and ${JSON.stringify(name)}, which are both mcp__${modelName} to the model. Rename one.`;
    }
    seen.set(modelName, name);
  }
  return inProcess.includes("ide")
    ? 'has a server "ide" in this process, whose tools the CLI hides from the model. Rename it.'
    : undefined;
}
