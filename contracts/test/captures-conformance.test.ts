import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, findTestBinary, startScriptedModel, text, toolUse } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import {
  type Capture,
  formatCapture,
  goldenFolder,
  goldenVersion,
  readCaptures,
  writeCaptures,
} from "../tools/capture-files.ts";
import { compareCaptures } from "../tools/drift.ts";
import { reportDrift } from "../tools/drift-report.ts";
import { runPaid } from "../tools/paid.ts";
import { runConformance, versionOf } from "../tools/run-conformance.ts";
import { scenarios } from "../tools/scenarios/index.ts";
import { takeCapture } from "../tools/take-capture.ts";

/** The golden captures are of Linux; elsewhere the CLI offers other commands and names other shells. */
const isGoldenPlatform = process.platform === "linux";

function named(...names: readonly string[]): typeof scenarios {
  return scenarios.filter(({ name }) => names.includes(name));
}

async function golden(name: string): Promise<Capture> {
  const [capture] = await readCaptures(goldenFolder, [name]);
  return capture!;
}

/** The capture with the text of its lines changed; a line that becomes nothing is left out. */
function altered(capture: Capture, alter: (text: string) => string): Capture {
  const lines = capture.lines.map(({ dir, text }) => ({ dir, text: alter(text) })).filter(({ text }) => text !== "");
  return { ...capture, lines };
}

describe("a capture", () => {
  test.runIf(isGoldenPlatform).each(named("session-two-turns", "permission-always", "stream-partial-messages"))(
    "is made again byte for byte: $name",
    async (scenario) => {
      const { facts, lines } = await takeCapture(scenario, findTestBinary());
      const before = await golden(scenario.name);

      expect(formatCapture(lines)).toBe(formatCapture(before.lines));
      expect(facts).toEqual(before.facts);
    },
  );
});

describe("conformance", () => {
  test.runIf(isGoldenPlatform)("finds no drift in the pinned binary", async () => {
    const done: string[] = [];

    const drift = await runConformance({
      binary: findTestBinary(),
      golden: goldenFolder,
      scenarios: named("session-two-turns", "permission-allow", "line-bad-json"),
      onProgress: (line) => done.push(line),
    });

    expect(reportDrift(drift)).toBe("");
    expect(done.sort()).toEqual([
      "line-bad-json: the same",
      "permission-allow: the same",
      "session-two-turns: the same",
    ]);
  });

  test.runIf(isGoldenPlatform)("reports by path what the binary does otherwise than other captures", async () => {
    const folder = await mkdtemp(join(tmpdir(), "reins-golden-"));
    try {
      const capture = altered(await golden("session-two-turns"), (text) =>
        text
          .replace('"tools":[]', '"tools":["Ghost"]')
          .replace('"permissionMode":"default"', '"permissionMode":"other"')
          .replace('"stop_reason":"end_turn",', "")
          .replace('"state":"started"', '"state":"started","position":1'),
      );
      await writeCaptures(folder, [capture], [capture.name]);

      const drift = await runConformance({ binary: findTestBinary(), golden: folder, scenarios: named(capture.name) });

      expect(reportDrift(drift).split("\n")).toEqual([
        "command_lifecycle/started",
        "  - .position 1 (session-two-turns)",
        "result/success",
        '  + .stop_reason "end_turn" (2 times in session-two-turns)',
        "system/init",
        '  ~ .permissionMode "other" -> "default" (2 times in session-two-turns)',
        '  - .tools[] "Ghost" (2 times in session-two-turns)',
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("reports a scenario that cannot be played", async () => {
    const [scenario] = named("line-bad-json");
    const host = async (): Promise<void> => {
      throw new Error("The host gives up.");
    };

    const drift = await runConformance({
      binary: findTestBinary(),
      golden: goldenFolder,
      scenarios: [{ ...scenario!, play: () => ({ host }) }],
    });

    expect(reportDrift(drift)).toBe("scenario\n  - The host gives up. (line-bad-json)");
  });

  test.runIf(isGoldenPlatform)(
    "has nothing to report of plain turns with another model, and names what it has not seen",
    async () => {
      let calls = 0;
      await using model = await startScriptedModel(({ toolNames }) => {
        calls += 1;
        return toolNames.includes("Bash") && calls === 2 ? toolUse("Bash", { command: "touch made.txt" }) : text("yes");
      });
      await using sandbox = await createSandbox({ model });
      const folder = await mkdtemp(join(tmpdir(), "reins-golden-"));
      try {
        await writeCaptures(
          folder,
          [altered(await golden("session-two-turns"), (line) => line)],
          ["session-two-turns"],
        );
        const run = { binary: findTestBinary(), env: sandbox.env, onProgress: () => {} };

        expect(reportDrift(await runPaid({ ...run, golden: goldenFolder }))).toBe("");
        calls = 0;
        const unseen = await runPaid({ ...run, golden: folder });

        expect(unseen).toContainEqual({
          capture: "paid-permission",
          kind: "control_request/can_use_tool",
          change: "added",
          path: ".request.tool_name",
          detail: "unknown so far",
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  test("knows the version of a binary", async () => {
    expect(await versionOf(findTestBinary())).toBe(goldenVersion);
  });
});

describe("compareCaptures", () => {
  test("tells of frames that are gone and of frames that are new, and compares the others", async () => {
    const before = await golden("session-two-turns");
    const after = altered(before, (text) => {
      if (text.includes('"state":"queued"')) return "";
      return text.includes('"subtype":"init"') ? text.replace('"subtype":"init"', '"subtype":"begin"') : text;
    });

    const drift = compareCaptures(before, after, goldenVersion);

    expect(drift.map(({ kind, change, path }) => `${kind} ${change}${path}`).sort()).toEqual([
      "command_lifecycle/queued removed",
      "system/begin added",
      "system/begin added",
      "system/init removed",
      "system/init removed",
    ]);
  });

  test("takes neither the version nor the numbers of ids for drift", async () => {
    const before = await golden("task-background-shell");
    const after = altered(before, (text) =>
      text
        .replaceAll(goldenVersion, "9.9.9")
        .replace(/-8000-0(\d{11})/g, "-8000-1$1")
        .replace(/b0000000(\d)/g, "b0000001$1"),
    );

    expect(compareCaptures(before, after, "9.9.9")).toEqual([]);
  });

  test("takes another exit code for drift", async () => {
    const before = await golden("line-bad-json");
    const after = { ...before, facts: { ...before.facts, exit: { code: 0, signal: null } } };

    expect(compareCaptures(before, after, goldenVersion)).toMatchObject([{ kind: "exit", change: "changed" }]);
  });
});
