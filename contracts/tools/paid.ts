import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFrame } from "@reins/streamjson";
import { readCaptures } from "./capture-files.ts";
import { type Drift, kindOf } from "./drift.ts";
import { type RecordedLine, RecordingHost } from "./recording-host.ts";
import { baseArgv } from "./scenario.ts";

/** What a paid run is made with. */
export interface PaidRun {
  readonly binary: string;
  /** Folder of the golden captures. */
  readonly golden: string;
  /** Default: that of this process, with the user's login in it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (line: string) => void;
}

interface PaidScenario {
  readonly name: string;
  readonly argv: readonly string[];
  host(cli: RecordingHost): Promise<void>;
}

const scenarios: readonly PaidScenario[] = [
  {
    name: "paid-one-turn",
    argv: ["--tools", ""],
    async host(cli) {
      await cli.initialize();
      await cli.turn("Answer with the one word: yes");
    },
  },
  {
    name: "paid-permission",
    argv: ["--tools", "Bash"],
    async host(cli) {
      cli.serve("can_use_tool", (request) => ({ behavior: "allow", updatedInput: request["input"] }));
      await cli.initialize();
      await cli.turn("Run this command with the Bash tool, then stop: touch made.txt");
    },
  },
  {
    name: "paid-partial-messages",
    argv: ["--tools", "", "--include-partial-messages"],
    async host(cli) {
      await cli.initialize();
      await cli.turn("Count from one to ten in words");
    },
  },
];

const limits = ["--model", "haiku", "--setting-sources", "", "--max-budget-usd", "0.10", "--no-session-persistence"];

/** What {@link runPaid} does, for somebody who has to agree to it. */
export function describePaid(): string {
  const runs = scenarios.map(
    ({ name, argv }) => `  ${name}: ${[...argv, ...limits].map((part) => part || "''").join(" ")}`,
  );
  return [
    `This would start the CLI ${scenarios.length} times with your environment and login, in an empty temporary folder:`,
    ...runs,
    "One short turn each, at most 0.10 USD each. Nothing was started. Say --yes to do it.",
  ].join("\n");
}

/**
 * Has a few plain turns with the real model, in the user's own environment, and lists the kinds of frames and the members that no
 * golden frame has. Values are not compared: a real model says what it likes.
 */
export async function runPaid({ binary, golden, env = process.env, onProgress }: PaidRun): Promise<Drift[]> {
  const known = new Set((await readCaptures(golden)).flatMap(({ lines }) => lines.flatMap(pathsOf)));
  const drift: Drift[] = [];
  for (const { name, argv, host } of scenarios) {
    const cwd = await mkdtemp(join(tmpdir(), "reins-paid-"));
    const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const folders = { cwd, home: cwd, config: cwd, tmp: cwd };
    const cli = new RecordingHost({
      binary,
      argv: [...baseArgv, ...argv, ...limits],
      cwd,
      env: Object.fromEntries(given),
      folders,
    });
    try {
      await host(cli);
      await cli.finish();
      const found = new Set(cli.lines.flatMap(pathsOf).filter((path) => !known.has(path)));
      for (const path of found) {
        const [kind = "", ...rest] = path.split(" ");
        drift.push({ capture: name, kind, change: "added", path: rest.join(" "), detail: "unknown so far" });
      }
      onProgress(`${name}: ${found.size === 0 ? "nothing new" : `${found.size} unknown members`}`);
    } finally {
      await cli.destroy();
      await rm(cwd, { recursive: true, force: true });
    }
  }
  return drift;
}

/** `system/init .tools[]` and so on: every member of a frame of the CLI, without its value. */
function pathsOf({ dir, text }: RecordedLine): string[] {
  const frame = decodeFrame(text);
  if (dir === "out" || frame.error !== undefined) return [];
  return membersOf(frame.value, "").map((path) => `${kindOf(frame.value)} ${path}`);
}

function membersOf(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, item]) => {
    // Usage is told by model, and which models there are is no matter.
    const name = key.startsWith("claude-") ? "MODEL" : key;
    return membersOf(item, Array.isArray(value) ? `${path}[]` : `${path}.${name}`);
  });
  return [path, ...inner];
}
