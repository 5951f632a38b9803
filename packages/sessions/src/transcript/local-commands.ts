import { type ChainEntry, fieldOf } from "./chain-entry.ts";

/**
 * Finds the entries of slash commands that ran in the CLI itself: the command and its output, which follow a caveat to the model. Hidden entries
 * and records may stand in between, messages may not.
 */
export function completedCommands(entries: readonly ChainEntry[]): ReadonlySet<ChainEntry> {
  const completed = new Set<ChainEntry>();
  let expected: "caveat" | "command" | "output" = "caveat";
  for (const entry of entries) {
    if (entry.type === "assistant") expected = "caveat";
    if (entry.type !== "user") continue;
    const text = textOf(entry);
    if (entry["isMeta"] === true) {
      if (text.startsWith("<local-command-caveat>") && entry["promptSource"] === undefined) expected = "command";
      continue;
    }
    const isCommand = text.startsWith("<command-name>") && entry["promptSource"] === undefined;
    if (expected === "command" ? isCommand : expected === "output" && /^<local-command-std(?:out|err)>/.test(text)) {
      completed.add(entry);
      expected = "output";
    } else {
      expected = "caveat";
    }
  }
  return completed;
}

function textOf(entry: ChainEntry): string {
  const content = fieldOf(entry["message"], "content");
  const text = Array.isArray(content) ? fieldOf(content[0], "text") : content;
  return typeof text === "string" ? text : "";
}
