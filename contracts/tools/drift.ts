import { type Capture, goldenVersion } from "./capture-files.ts";
import { diffValues } from "./diff-values.ts";
import type { RecordedLine } from "./recording-host.ts";

/** One difference between a golden frame and the frame of another run. */
export interface Drift {
  /** The capture in which it was seen. */
  readonly capture: string;
  /** Kind of the frame, such as `system/init` or `control_response`. */
  readonly kind: string;
  /** What happened to the frame, or to a member of it. */
  readonly change: "added" | "removed" | "changed";
  /** Path of the member in the frame, such as `.commands[].name`; empty for the frame itself. */
  readonly path: string;
  /** The value, or the values before and after, in short. */
  readonly detail: string;
}

/**
 * Compares another run of a scenario with its golden capture.
 *
 * Frames are paired by their kind, in order, as far as possible; what is left over on one side was removed or added. Ids are not
 * compared, since one more frame renumbers all of them, nor is the version of the CLI.
 */
export function compareCaptures(golden: Capture, other: Capture, otherVersion: string): Drift[] {
  const before = golden.lines.map((line) => toComparable(line, goldenVersionOf(golden)));
  const after = other.lines.map((line) => toComparable(line, otherVersion));
  const drift: Drift[] = [];
  const add = (kind: string, change: Drift["change"], path: string, detail: string): void => {
    drift.push({ capture: golden.name, kind, change, path, detail });
  };
  for (const [left, right] of align(before, after)) {
    const kind = (left ?? right)!.kind;
    if (left === undefined) add(kind, "added", "", "the frame");
    else if (right === undefined) add(kind, "removed", "", "the frame");
    else for (const { change, path, detail } of diffValues(left.value, right.value)) add(kind, change, path, detail);
  }
  const [exitBefore, exitAfter] = [golden.facts.exit, other.facts.exit].map((exit) => JSON.stringify(exit));
  if (exitBefore !== exitAfter) add("exit", "changed", "", `${exitBefore} -> ${exitAfter}`);
  return drift;
}

interface Comparable {
  readonly kind: string;
  readonly value: unknown;
}

function goldenVersionOf(golden: Capture): string {
  const found = /"claude_code_version":"([^"]+)"/.exec(golden.lines.map(({ text }) => text).join("\n"));
  // A capture without a turn does not say it.
  return found?.[1] ?? goldenVersion;
}

function toComparable({ dir, text }: RecordedLine, version: string): Comparable {
  const neutral = text
    .replaceAll(version, "VERSION")
    .replace(/00000000-0000-4000-8000-\d{12}/g, "ID")
    .replace(/\b(msg|req|toolu)_\d{4}\b/g, "ID")
    .replace(/\b[0ab]0{5,}\d+\b|\b0{6,}\d+-?\d*\b/g, "ID");
  let value: unknown = neutral;
  try {
    value = JSON.parse(neutral);
  } catch {
    // A line that is no JSON is compared as text.
  }
  return { kind: dir === "out" ? `host ${kindOf(value)}` : kindOf(value), value };
}

/** The kind of a frame, as drift reports name it. */
export function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "text";
  // Members of anything are unknown; the kind is their text.
  const { type, subtype, request, event, state } = value as Record<
    string,
    Readonly<Record<string, unknown>> | undefined
  >;
  const part = subtype ?? request?.["subtype"] ?? event?.["type"] ?? state;
  return typeof part === "string" ? `${type}/${part}` : String(type);
}

type Pair = readonly [Comparable | undefined, Comparable | undefined];

/** Pairs two lists by kind, with as many pairs as possible (longest common subsequence). */
function align(left: readonly Comparable[], right: readonly Comparable[]): Pair[] {
  // lengths[i][j]: how many pairs the rests from i and from j can make.
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        left[i]!.kind === right[j]!.kind
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    if (i < left.length && j < right.length && left[i]!.kind === right[j]!.kind) pairs.push([left[i++], right[j++]]);
    else if (j === right.length || (i < left.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      pairs.push([left[i++], undefined]);
    else pairs.push([undefined, right[j++]]);
  }
  return pairs;
}
