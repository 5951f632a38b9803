import type { FrameValue } from "@reins/streamjson";
import type { ModelScript } from "@reins/testkit";
import type { RecordingHost } from "./recording-host.ts";

/** A conversation with the CLI that can be had again: what the golden captures are made of. */
export interface Scenario {
  /** Name of the capture; kebab-case, beginning with its family. */
  readonly name: string;
  /** What a reader finds in the capture, in one sentence. */
  readonly shows: string;
  /** Arguments behind {@link baseArgv}. */
  readonly argv?: readonly string[];
  /** Stands in place of {@link baseArgv} for the few scenarios that are about it. */
  readonly baseArgv?: readonly string[];
  /** Environment beyond the sandbox's own; `undefined` takes a variable out. `{{cwd}}` and the other folders are filled in. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Files that lie there before the start, by path: relative to the working directory, or from `{{home}}`, `{{config}}`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Why the capture cannot be made on every machine that can run the CLI, such as `"linux"`. Default: it can. */
  readonly onlyOn?: NodeJS.Platform;
  /** Made anew for each run, so that gates and counters are fresh. */
  play(): Play;
}

/** One performance of a scenario: the two sides that the CLI talks to. */
export interface Play {
  /** What the model says. Default: nothing, it is never asked. */
  readonly model?: ModelScript;
  /** A run of the CLI before this one, in the same sandbox and with the same model. It is not recorded. */
  readonly before?: { readonly argv: readonly string[]; host(cli: RecordingHost): Promise<void> };
  /** What the host does. Behind it the input is ended, and the CLI must exit. */
  host(cli: RecordingHost): Promise<void>;
}

/** How the CLI is started by a host that speaks the control protocol, as `@reins/process` does it. */
export const baseArgv: readonly string[] = [
  "--output-format",
  "stream-json",
  "--verbose",
  "--input-format",
  "stream-json",
  "--permission-prompt-tool",
  "stdio",
];

/** Part of a frame: every member must be there and fit; arrays and other values must be equal. */
export type FrameShape = { readonly [key: string]: unknown };

/** Tells whether a frame has everything that the shape names. */
export function hasShape(value: unknown, shape: unknown): boolean {
  if (typeof shape !== "object" || shape === null || Array.isArray(shape)) {
    return JSON.stringify(value) === JSON.stringify(shape);
  }
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(shape).every(([key, part]) => hasShape(Reflect.get(value, key), part));
}

/** A control request of the CLI. */
export function asked(subtype: string, request: FrameShape = {}): FrameShape {
  return { type: "control_request", request: { subtype, ...request } };
}

/** A system message. */
export function system(subtype: string, fields: FrameShape = {}): FrameShape {
  return { type: "system", subtype, ...fields };
}

/** The fields of a control request of the CLI. */
export function requestOf(frame: FrameValue): Readonly<Record<string, unknown>> {
  const request = frame["request"];
  if (typeof request !== "object" || request === null) throw new TypeError("the frame is no control request");
  // Members of a parsed object: unknown, which is all that the type says.
  return request as Readonly<Record<string, unknown>>;
}

/** `11111111-1111-4111-8111-111111111111` for 1: an id that a host gives to a prompt. */
export function hostUuid(digit: number): string {
  return "########-####-4###-8###-############".replaceAll("#", String(digit));
}
