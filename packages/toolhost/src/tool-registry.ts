import { ToolDefinitionError } from "./errors.ts";
import { type RegisteredTool, registerTool } from "./registration.ts";
import type { ToolDefinition } from "./tool.ts";

/** The tools of a server, which may change while it is in use. */
export class ToolRegistry {
  readonly #server: string;
  readonly #alwaysLoad: boolean | undefined;
  readonly #tools = new Map<string, RegisteredTool>();
  /** Names of the tools by what the CLI makes of them. */
  readonly #namesByModelName = new Map<string, string>();

  /** @param alwaysLoad What holds for tools that do not say. */
  constructor(server: string, alwaysLoad: boolean | undefined) {
    this.#server = server;
    this.#alwaysLoad = alwaysLoad;
  }

  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  values(): readonly RegisteredTool[] {
    return [...this.#tools.values()];
  }

  /**
   * Adds tools, all or none.
   *
   * @throws {@link ToolDefinitionError}
   */
  add(tools: readonly ToolDefinition[]): void {
    const added = new Map<string, { readonly modelName: string; readonly tool: RegisteredTool }>();
    const namesByModelName = new Map<string, string>();
    for (const tool of tools) {
      const name = this.#requireName(tool);
      const modelName = this.#modelNameOf(name);
      const other = this.#namesByModelName.get(modelName) ?? namesByModelName.get(modelName);
      if (other !== undefined) {
        const both =
          other === name ? "is there twice" : `has the same name as ${JSON.stringify(other)} in the CLI, ${modelName}`;
        throw new ToolDefinitionError(name, `${both}. The second would vanish, so rename one.`);
      }
      if (modelName.length > 128)
        throw new ToolDefinitionError(name, `becomes ${modelName}, and the model API takes 128 characters at most.`);
      namesByModelName.set(modelName, name);
      added.set(name, { modelName, tool: registerTool(tool, this.#alwaysLoad) });
    }
    for (const [name, { modelName, tool }] of added) {
      this.#tools.set(name, tool);
      this.#namesByModelName.set(modelName, name);
    }
  }

  /** Whether there was such a tool. */
  remove(name: string): boolean {
    if (!this.#tools.delete(name)) return false;
    this.#namesByModelName.delete(this.#modelNameOf(name));
    return true;
  }

  /** @throws {@link ToolDefinitionError}, also when there is no tool of that name. */
  replace(tool: ToolDefinition): void {
    const name = this.#requireName(tool);
    if (!this.#tools.has(name)) throw new ToolDefinitionError(name, "is no tool of the server yet. Add it.");
    this.#tools.set(name, registerTool(tool, this.#alwaysLoad));
  }

  #modelNameOf(name: string): string {
    return `mcp__${mangle(this.#server)}__${mangle(name)}`;
  }

  #requireName(tool: ToolDefinition): string {
    // What callers without types could pass.
    const name: unknown = typeof tool === "object" && tool !== null ? tool.name : undefined;
    if (typeof name === "string" && name !== "") return name;
    throw new ToolDefinitionError(this.#server, "has a tool without a name.");
  }
}

/** How the CLI writes names for the model (verified against 2.1.328). */
function mangle(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}
