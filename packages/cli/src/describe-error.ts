import { isReinsError } from "@reins/streamjson";
import { causes } from "./causes.ts";
import { printable } from "./terminal/printable.ts";
import { UsageError } from "./usage-error.ts";

/** An error as it is shown to a person or a program. */
export interface DescribedError {
  readonly code: string;
  readonly message: string;
  /** What to do about it. */
  readonly next?: string;
}

/** What helps with an error whose message does not say it in the terms of this command. */
const nextSteps: Readonly<Record<string, string>> = {
  REINS_CLI_NOT_FOUND: "install it with `npm install -g @anthropic-ai/claude-code`, or name it with --claude PATH.",
  REINS_LAUNCH_FAILED: "`reins doctor` looks at the installation.",
  REINS_PROCESS_FAILED: "`reins doctor` looks at the installation and the login.",
  REINS_SESSION_NOT_FOUND:
    "`reins sessions ls` lists the sessions there; --dir, --config-dir and --store say where to look.",
  REINS_SESSION_IN_USE: "end what writes it, or wait until its lock or lease is over.",
  REINS_SESSION_CONFLICT: "the target has another session of that name: copy it with --as NEW-ID, or remove that one.",
  REINS_SESSION_CORRUPT: "`reins sessions verify` lists what is damaged.",
  REINS_CAPTURE_FILE: "take it out of the folder, or record again.",
  REINS_CAPTURE_SCRIPT: "take the file of that number out of the capture; what comes after it stays.",
  ENOENT: "check the path.",
  ENOTDIR: "check the path.",
  EISDIR: "name a file, not a folder.",
  EACCES: "see who may read and write there.",
  ECONNREFUSED: "is the server running, and is the address right?",
  ENOTFOUND: "check the name of the host.",
};

/** Describes whatever was thrown: what happened, what caused it, what to do next. */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { code: "UNKNOWN", message: printable(String(error)) };
  const code = codeOf(error);
  const next = nextStep(error);
  return { code, message: printable(messageOf(error)), ...(next !== undefined && { next }) };
}

function messageOf(error: Error): string {
  const parts: string[] = [];
  for (const current of causes(error)) {
    // Connections that were tried at several addresses fail with an empty message and the list of what failed.
    const nested = current instanceof AggregateError ? current.errors : [];
    const text = current.message || nested.map((each) => (each instanceof Error ? each.message : each)).join("; ");
    // Many messages have that of their cause in them.
    if (text !== "" && !parts.some((part) => part.includes(text))) parts.push(text);
  }
  return parts.join(" Because: ") || error.name;
}

function nextStep(error: Error): string | undefined {
  for (const current of causes(error)) {
    const step = nextSteps[codeOf(current)];
    if (step !== undefined) return step;
  }
  return undefined;
}

function codeOf(error: Error): string {
  if (error instanceof UsageError) return "REINS_CLI_USAGE";
  if (isReinsError(error)) return error.code;
  const code: unknown = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error.name;
}
