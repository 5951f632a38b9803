import { homedir } from "node:os";
import { resolve } from "node:path";

/** A permission rule: `Tool`, or `Tool(content)`. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  readonly tool: string;
  /** Whether it is about the whole tool, or about what a part of the input says. */
  readonly matches: ((part: string) => boolean) | undefined;
}

/**
 * @param cwd The folder that file patterns are relative to.
 * @throws TypeError for a text that is no rule.
 */
export function parseRule(text: string, cwd: string): Rule {
  const trimmed = text.trim();
  const whole = wholeToolOf(trimmed);
  if (whole !== undefined) return { text: trimmed, tool: whole, matches: undefined };
  const [, tool, content] = /^([^()]+)\((.+)\)$/s.exec(trimmed) ?? [];
  if (tool === undefined || content === undefined)
    throw new TypeError(`${JSON.stringify(text)} is no permission rule. Write Tool, or Tool(content).`);
  return { text: trimmed, tool, matches: matcherOf(tool, content, cwd) };
}

/** The tool of a rule that is about all of its calls; `undefined` for any other rule, and for what is none. */
export function wholeToolOf(rule: string): string | undefined {
  if (rule === "") return undefined;
  const open = rule.indexOf("(");
  if (open === -1) return rule.includes(")") ? undefined : rule;
  if (open === 0 || !rule.endsWith(")")) return undefined;
  const content = rule.slice(open + 1, -1).trim();
  return content === "" || content === "*" ? rule.slice(0, open) : undefined;
}

/** Whether the rule is about all of a call. What cannot be told is not covered. */
export function covers(rule: Rule, toolName: string, input: Readonly<Record<string, unknown>>): boolean {
  if (!isOf(rule, toolName)) return false;
  const { matches } = rule;
  if (matches === undefined) return true;
  const parts = partsOf(toolName, input);
  if (toolName === "Bash" && hasHiddenParts(parts.join("\n"))) return false;
  return parts.length > 0 && parts.every(matches);
}

/** Whether the rule is about some part of a call. What cannot be told is touched. */
export function touches(rule: Rule, toolName: string, input: Readonly<Record<string, unknown>>): boolean {
  if (!isOf(rule, toolName)) return false;
  const { matches } = rule;
  if (matches === undefined) return true;
  const parts = partsOf(toolName, input);
  return parts.length === 0 || parts.some(matches);
}

/** `mcp__server` and `mcp__server__*` are about all tools of the server. A rule for Edit is about all tools that write files. */
function isOf({ tool }: Rule, toolName: string): boolean {
  if (tool === toolName) return true;
  if (tool.startsWith("mcp__")) return toolName.startsWith(`${tool.replace(/__\*$/, "")}__`);
  return tool === "Edit" && writingTools.includes(toolName);
}

const writingTools: readonly string[] = ["Write", "MultiEdit", "NotebookEdit"];

/** The parts of the input that a rule with content is about. */
function partsOf(toolName: string, input: Readonly<Record<string, unknown>>): readonly string[] {
  const texts = (...names: string[]): readonly string[] =>
    names.flatMap((name) => (typeof input[name] === "string" ? [input[name]] : [])).slice(0, 1);
  switch (toolName) {
    case "Bash":
      return texts("command").flatMap(splitCommand);
    case "WebFetch":
      return texts("url");
    case "Agent":
    case "Task":
      return texts("subagent_type");
    case "Skill":
      return texts("skill", "command");
    default:
      return texts("file_path", "notebook_path", "path");
  }
}

function matcherOf(tool: string, content: string, cwd: string): (part: string) => boolean {
  switch (tool) {
    case "Bash":
      return commandMatcher(content);
    case "WebFetch":
      return domainMatcher(content);
    case "Agent":
    case "Task":
    case "Skill":
      return (name) => name === content;
    default:
      return pathMatcher(content, cwd);
  }
}

/** `git log` exactly, `git log:*` as a prefix of words, or a pattern with `*`. */
function commandMatcher(content: string): (command: string) => boolean {
  if (content.endsWith(":*")) {
    const prefix = content.slice(0, -2);
    return (command) => command === prefix || command.startsWith(`${prefix} `);
  }
  if (!content.includes("*")) return (command) => command === content;
  const pattern = new RegExp(`^${content.split("*").map(escapePattern).join(".*")}$`, "s");
  return (command) => pattern.test(command);
}

function domainMatcher(content: string): (url: string) => boolean {
  const [, domain] = /^domain:(.+)$/.exec(content) ?? [];
  if (domain === undefined) throw new TypeError(`A WebFetch rule has the form WebFetch(domain:HOST), not ${content}.`);
  const host = domain.toLowerCase();
  return (url) => {
    if (!URL.canParse(url)) return false;
    const { hostname } = new URL(url);
    return host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host;
  };
}

/** Like a line of a .gitignore file. */
function pathMatcher(content: string, cwd: string): (path: string) => boolean {
  const isAnchored = content.replace(/\/$/, "").includes("/");
  const absolute = content.startsWith("//")
    ? content.slice(1)
    : content.startsWith("~/")
      ? `${homedir()}/${content.slice(2)}`
      : isAnchored
        ? `${cwd}/${content.replace(/^\.?\//, "")}`
        : `${cwd}/**/${content}`;
  // What lies in a folder that matches is meant as well.
  const pattern = new RegExp(`^${globPattern(absolute.replaceAll("\\", "/").replace(/\/$/, ""))}(?:/.*)?$`, "s");
  return (path) => pattern.test(resolve(cwd, path).replaceAll("\\", "/"));
}

function globPattern(glob: string): string {
  return glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      return part === "?" ? "[^/]" : escapePattern(part);
    })
    .join("");
}

/** Splits a compound command at its operators, outside of quotes. */
function splitCommand(command: string): readonly string[] {
  const parts = command.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^;&|\n"'\\]|["'\\])+/gs) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Whether a shell would run or write something that the words of the command do not show. */
function hasHiddenParts(command: string): boolean {
  return /[`<>]|\$\(|\$\{/.test(command.replace(/'[^']*'/g, ""));
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
