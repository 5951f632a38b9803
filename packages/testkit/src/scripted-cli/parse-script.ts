import { ReinsError } from "@reins/streamjson";
import type { CliScript, CliStep } from "./script.ts";

/** A script, or a capture to be replayed, is not what it should be. The message says where. */
export class CliScriptError extends ReinsError {
  readonly code = "REINS_CLI_SCRIPT" as const;

  override get name(): string {
    return "CliScriptError";
  }
}

/**
 * Checks a script, such as one that was read from a JSON file, and gives it its type.
 *
 * @throws {@link CliScriptError} for an unknown step, an unknown or missing member, or a member of the wrong kind.
 */
export function parseCliScript(value: unknown): CliScript {
  if (!isObject(value) || !Array.isArray(value["steps"]))
    throw new CliScriptError("A script is an object with an array of steps.");
  value["steps"].forEach(checkStep);
  // Every step was checked against the table below, which mirrors the type.
  return value as { steps: CliStep[] };
}

type Kind = "count" | "time" | "integer" | "string" | "name" | "strings" | "object" | "text";

/** The members of each step beside `do`; a name with `?` may be missing. */
const stepMembers: { readonly [Do in CliStep["do"]]: Readonly<Record<string, Kind>> } = {
  init: { "response?": "object" },
  read: { match: "object", "expect?": "object", "as?": "name" },
  write: { frame: "object", "$times?": "count" },
  text: { text: "text", "$times?": "count" },
  file: { path: "string", "size?": "count" },
  chunked: { frame: "object", size: "count" },
  stderr: { text: "text", "$times?": "count" },
  wait: { ms: "time" },
  trap: { signals: "strings", "exitCode?": "integer" },
  readEnd: { "ms?": "time" },
  noInput: { ms: "time" },
  pauseInput: {},
  orphan: { ms: "time" },
  endOutput: {},
  hang: {},
  exit: { "code?": "integer", "signal?": "string" },
};

const kinds: { readonly [K in Kind]: { readonly is: string; readonly test: (value: unknown) => boolean } } = {
  count: { is: "a count", test: isCount },
  // The longest time that a timer takes.
  time: { is: "a time in ms", test: (value) => isCount(value) && Number(value) <= 2_147_483_647 },
  integer: { is: "an integer", test: Number.isInteger },
  string: { is: "a string", test: (value) => typeof value === "string" },
  name: { is: "a name", test: (value) => typeof value === "string" && /^[\w-]+$/.test(value) },
  strings: {
    is: "a list of strings",
    test: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  },
  object: { is: "an object", test: isObject },
  text: { is: "a text", test: (value) => typeof value === "string" || isRepeat(value) },
};

function checkStep(step: unknown, index: number): void {
  const where = `Step ${index} of the script`;
  if (!isObject(step)) throw new CliScriptError(`${where} is not an object.`);
  const what = step["do"];
  if (typeof what !== "string" || !isStepName(what))
    throw new CliScriptError(`${where} does ${JSON.stringify(what)}, which is no step.`);
  const members = stepMembers[what];
  for (const [key, kind] of Object.entries(members)) {
    const name = key.replace("?", "");
    const value = step[name];
    if (value === undefined && name !== key) continue;
    const { is, test } = kinds[kind];
    if (!test(value)) throw new CliScriptError(`${where} (${what}): "${name}" is ${JSON.stringify(value)}, not ${is}.`);
  }
  for (const name of Object.keys(step)) {
    const known = name === "do" || Object.hasOwn(members, name) || Object.hasOwn(members, `${name}?`);
    if (!known) throw new CliScriptError(`${where} (${what}) has no member "${name}".`);
  }
}

function isStepName(name: string): name is CliStep["do"] {
  return Object.hasOwn(stepMembers, name);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isRepeat(value: unknown): boolean {
  if (!isObject(value) || !isObject(value["$repeat"])) return false;
  const { text, count } = value["$repeat"];
  return typeof text === "string" && isCount(count);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
