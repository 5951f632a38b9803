import { pathRule } from "./path-rule.ts";
import { commandForms, readCommand } from "./shell-command.ts";
import { fits, wildcard } from "./wildcard.ts";

/** A permission rule: `Tool`, or `Tool(content)`. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  readonly tool: string;
  /** What a rule with content is about; `undefined` for a rule about the whole tool. */
  readonly content: Content | undefined;
}

/** The content of a rule, and how it is held against the input of a call. */
interface Content {
  /** Whether it is about all that the call does. */
  readonly covers: (input: Input) => boolean;
  /** Whether it is about something that the call does, or could be. */
  readonly touches: (input: Input) => boolean;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * @param cwd The folder that file patterns are relative to.
 * @throws TypeError for a text that is no rule, and for one that no call could match: as a denial it would let everything pass.
 */
export function parseRule(text: string, cwd: string): Rule {
  const trimmed = text.trim();
  const whole = wholeToolOf(trimmed)?.trim();
  if (whole !== undefined) return { text: trimmed, tool: checkedTool(whole, text), content: undefined };
  const [, name, content] = /^([^()]+)\((.+)\)$/s.exec(trimmed) ?? [];
  if (name === undefined || content === undefined) throw noRule(text, "Write Tool, or Tool(content).");
  const tool = checkedTool(name.trim(), text);
  if (tool.startsWith("mcp__")) throw noRule(text, "A rule for an MCP tool has no content.");
  return { text: trimmed, tool, content: contentOf(tool, content.trim(), cwd) };
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
export function covers({ tool, content }: Rule, toolName: string, input: Input): boolean {
  if (!isSameTool(tool, toolName) && !isOfServer(tool, toolName)) return false;
  return content === undefined || content.covers(input);
}

/** Whether the rule is about some part of a call. What cannot be told is touched. */
export function touches({ tool, content }: Rule, toolName: string, input: Input): boolean {
  // `mcp__a__b` could be all tools of a server that is called `a__b`.
  const isOfLongName = tool.startsWith("mcp__") && toolName.startsWith(`${tool}__`);
  if (!isSameTool(tool, toolName) && !isOfServer(tool, toolName) && !isOfLongName) return false;
  return content === undefined || content.touches(input);
}

/** A rule for Edit is about all tools that write files. The tool that starts agents had another name before. */
function isSameTool(tool: string, toolName: string): boolean {
  if (tool === toolName) return true;
  return (tool === "Edit" && writingTools.includes(toolName)) || (isAgentTool(tool) && isAgentTool(toolName));
}

/** `mcp__server` and `mcp__server__*` are about all tools of the server, and `mcp__*` about those of all servers. */
function isOfServer(tool: string, toolName: string): boolean {
  if (tool.endsWith("__*")) return toolName.startsWith(tool.slice(0, -1));
  return /^mcp__(?:(?!__).)+$/.test(tool) && toolName.startsWith(`${tool}__`);
}

const writingTools: readonly string[] = ["Write", "MultiEdit", "NotebookEdit"];

function isAgentTool(tool: string): boolean {
  return tool === "Agent" || tool === "Task";
}

function checkedTool(tool: string, rule: string): string {
  if (/^(?:[A-Za-z][\w-]*|mcp__(?:[\w-]+__)?\*)$/.test(tool)) return tool;
  throw noRule(rule, "A tool is named by letters, digits, _ and -, as the CLI does, or mcp__SERVER__*.");
}

function noRule(text: string, advice: string): TypeError {
  return new TypeError(`${JSON.stringify(text)} is no permission rule. ${advice}`);
}

function contentOf(tool: string, content: string, cwd: string): Content {
  switch (tool) {
    case "Bash":
      return commandContent(content);
    case "WebFetch":
      return domainContent(content);
    case "Agent":
    case "Task":
      return namesContent(content, "subagent_type");
    case "Skill":
      return namesContent(content, "skill", "command");
    default:
      return pathContent(content, cwd);
  }
}

/** The texts under these names. */
function textsOf(input: Input, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (typeof input[name] === "string" ? [input[name]] : []));
}

/** About all of some parts, or some of them. Where there are none, it cannot be told. */
function partsContent(
  partsOf: (input: Input) => readonly string[],
  covers: (part: string) => boolean,
  touches: (part: string) => boolean = covers,
): Content {
  return {
    covers: (input) => {
      const parts = partsOf(input);
      return parts.length > 0 && parts.every(covers);
    },
    touches: (input) => {
      const parts = partsOf(input);
      return parts.length === 0 || parts.some(touches);
    },
  };
}

/** `git log` exactly, `git log:*` as a prefix of words, or a pattern with `*`. */
function commandContent(content: string): Content {
  const matches = commandMatcher(content);
  return {
    covers: ({ command }) => {
      if (typeof command !== "string") return false;
      const { parts, isPlain } = readCommand(command);
      return isPlain && parts.length > 0 && parts.every(matches);
    },
    touches: ({ command }) => {
      if (typeof command !== "string") return true;
      const { parts } = readCommand(command);
      return parts.some((part) => commandForms(part).some(matches));
    },
  };
}

function commandMatcher(content: string): (command: string) => boolean {
  if (content.endsWith(":*")) {
    const prefix = plainSpaces(content.slice(0, -2));
    if (prefix === "") throw noRule(`Bash(${content})`, "For all commands write Bash.");
    return (command) => command === prefix || command.startsWith(`${prefix} `);
  }
  const text = plainSpaces(content);
  if (!text.includes("*")) return (command) => command === text;
  const pattern = wildcard(text);
  return (command) => fits(pattern, command);
}

/** As the parts of a command are written. */
function plainSpaces(content: string): string {
  const { parts } = readCommand(content);
  // What is more than one simple command can only be meant to the letter, and no part is like it.
  return parts.length === 1 ? (parts[0] as string) : content.trim();
}

function domainContent(content: string): Content {
  const [, domain = ""] = /^domain:(.+)$/.exec(content) ?? [];
  const isWild = domain.startsWith("*.");
  const host = hostOf(`http://${isWild ? domain.slice(2) : domain}/`, true);
  if (host === undefined || host.includes("*"))
    throw new TypeError(`A WebFetch rule has the form WebFetch(domain:HOST), not ${content}.`);
  return partsContent(
    (input) => textsOf(input, "url").flatMap((url) => hostOf(url) ?? []),
    (name) => (isWild ? name.endsWith(`.${host}`) : name === host),
  );
}

/** The host of a URL as the network would know it; `undefined` where there is none, or, if so wanted, where there is more. */
function hostOf(url: string, isAlone = false): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, href } = new URL(url);
  if (hostname === "" || (isAlone && href !== `http://${hostname}/`)) return undefined;
  return hostname.replace(/\.$/, "");
}

function namesContent(content: string, ...names: readonly string[]): Content {
  const pattern = wildcard(content);
  return partsContent(
    (input) => textsOf(input, ...names),
    (name) => fits(pattern, name),
  );
}

function pathContent(content: string, cwd: string): Content {
  const rule = pathRule(content, cwd);
  return partsContent((input) => textsOf(input, "file_path", "notebook_path", "path"), rule.covers, rule.touches);
}
