import { isObject, isTexts, type OptionRule, oneOfProblem, problemOf, shown } from "./option-rules.ts";
import { skillNameProblem } from "./skills.ts";

// What is wrong with the options that are more than one word or number. Each says it as the end of a sentence that begins with the
// name of the option. What the CLI looks at itself, and tells of, is left to it.

export function thinkingProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `has to be an object with a type, not ${shown(value)}.`;
  const { type, budgetTokens, display } = value;
  return (
    member("type", ["adaptive", "enabled", "disabled"], type ?? "nothing") ??
    member("budgetTokens", "count", budgetTokens) ??
    member("display", ["summarized", "omitted"], display)
  );
}

export function taskBudgetProblem(value: unknown): string | undefined {
  const total = isObject(value) ? value["total"] : undefined;
  return Number.isSafeInteger(total) && Number(total) > 0
    ? undefined
    : "has to have a total, a whole number above 0 of tokens.";
}

export function outputFormatProblem(value: unknown): string | undefined {
  if (!isObject(value) || value["type"] !== "json_schema") return 'has to have the type "json_schema".';
  return isObject(value["schema"]) ? undefined : "has to have a schema, which is an object.";
}

export function toolsProblem(value: unknown): string | undefined {
  if (isTexts(value) || (isObject(value) && value["type"] === "preset")) return undefined;
  return 'has to be a list of strings, or { type: "preset", preset: "claude_code" }.';
}

export function toolConfigProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `has to be an object, not ${shown(value)}.`;
  const { askUserQuestion } = value;
  if (askUserQuestion == null) return undefined;
  if (!isObject(askUserQuestion)) return "has to have an object as askUserQuestion.";
  return member("askUserQuestion.previewFormat", ["markdown", "html"], askUserQuestion["previewFormat"]);
}

export function settingSourcesProblem(value: unknown): string | undefined {
  const sources = ["user", "project", "local"];
  if (!isTexts(value)) return `has to be a list of strings, not ${shown(value)}.`;
  const wrong = value.find((source) => !sources.includes(source));
  return wrong === undefined
    ? undefined
    : `has an unknown source: ${shown(wrong)}. There are ${sources.join(", ")}, and [] for none.`;
}

export function settingsProblem(value: unknown): string | undefined {
  return typeof value === "string" || isObject(value)
    ? undefined
    : `has to be an object, JSON text, or the path of a file, not ${shown(value)}.`;
}

export function skillsProblem(value: unknown): string | undefined {
  if (value === "all") return undefined;
  if (!Array.isArray(value)) return `has to be a list of names or "all", not ${shown(value)}.`;
  for (const name of value as readonly unknown[]) {
    const problem = skillNameProblem(name);
    if (problem !== undefined) return `has a name that ${problem}: ${shown(name)}.`;
  }
  return undefined;
}

export function agentsProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `has to be an object with the agents by name, not ${shown(value)}.`;
  for (const [name, agent] of Object.entries(value)) {
    // The CLI drops all agents for one that is not right, without a word (verified against 2.1.328).
    const isComplete =
      isObject(agent) && typeof agent["description"] === "string" && typeof agent["prompt"] === "string";
    if (!isComplete)
      return `has an agent without description or prompt: ${shown(name)}. The CLI would drop all agents.`;
  }
  return undefined;
}

export function pluginsProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `has to be a list of plugins, not ${shown(value)}.`;
  for (const plugin of value as readonly unknown[]) {
    if (!isObject(plugin)) return `has an entry that is no plugin: ${shown(plugin)}.`;
    const { type, path } = plugin;
    if (type !== "local") return `has an unsupported plugin type: ${String(type)}. There is "local" only.`;
    if (typeof path !== "string" || path === "") return "has a plugin without a path.";
  }
  return undefined;
}

export function mcpServersProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `has to be an object with the servers by name, not ${shown(value)}.`;
  for (const [name, server] of Object.entries(value)) {
    const problem = serverProblem(server);
    if (problem !== undefined) return `has under the name ${shown(name)} ${problem}`;
  }
  return undefined;
}

function serverProblem(server: unknown): string | undefined {
  if (!isObject(server)) return `no server, but ${shown(server)}. Leave the name out.`;
  const { type, command, url } = server;
  // Its functions cannot leave this process, and a CLI that is told of it would wait for answers that nobody gives.
  if (type === "sdk") return "an in-process server, which only a session can serve. Use @reins/sdk for it.";
  if (type === undefined || type === "stdio") {
    if (typeof command === "string" && command !== "") return undefined;
    return url === undefined
      ? "a server without a command."
      : 'a server with a url and without a type, such as "http".';
  }
  const needsUrl = type === "http" || type === "sse" || type === "ws";
  return needsUrl && typeof url !== "string" ? "a server without a url." : undefined;
}

export function systemPromptProblem(value: unknown): string | undefined {
  if (typeof value === "string" || isTexts(value)) return undefined;
  if (isObject(value)) {
    if (value["type"] === "preset") return member("append", "text", value["append"]);
    if (value["type"] === "file") return member("path", "text", value["path"] ?? false);
    const { prompt } = value;
    if (value["type"] === "custom" && (typeof prompt === "string" || isTexts(prompt))) return undefined;
  }
  return 'has to be a string, a list of strings, or an object of the type "preset", "custom" or "file".';
}

export function extraArgsProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `has to be an object with the flags by name, not ${shown(value)}.`;
  for (const [name, argument] of Object.entries(value)) {
    if (!/^[A-Za-z0-9][\w-]*$/.test(name)) return `has a flag ${shown(name)}. Write its name without the dashes.`;
    const isArgument = argument === null || argument === undefined || typeof argument === "string";
    if (!isArgument) return `has to have a string or null for ${shown(name)}, not ${shown(argument)}.`;
  }
  return undefined;
}

function member(name: string, rule: OptionRule, value: unknown): string | undefined {
  if (value == null) return undefined;
  const problem = typeof rule === "object" ? oneOfProblem(rule, value) : problemOf(rule, value);
  return problem === undefined ? undefined : `has a ${name} that ${problem}`;
}
