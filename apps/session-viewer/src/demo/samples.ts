import { mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { TranscriptWriter } from "./transcript-writer.ts";

const day = 86_400_000;
const hour = 3_600_000;

const use = (id: string, name: string, input: object): Record<string, unknown> => ({
  type: "tool_use",
  id,
  name,
  input,
});
const think = (thinking: string): Record<string, unknown> => ({ type: "thinking", thinking, signature: "" });

/**
 * Sessions to look at, as if someone had worked for some days.
 *
 * @param home Where their folders are, or were. Default: where there are none.
 */
export function sampleSessions(now: number, home: string = "/home/dana"): readonly TranscriptWriter[] {
  return [
    retrySession(now - 2 * hour, home),
    parserSession(now - day - hour, home),
    reviewSession(now - 3 * hour, home),
    nameSession(now - 5 * hour, home),
    ...shortSessions(now, home),
  ];
}

/** Writes the sample sessions, and makes two of their folders, so that some can be gone on with. */
export async function writeSamples(configDir: string, home: string): Promise<void> {
  for (const name of ["mailroom", "ledger"]) await mkdir(join(home, name), { recursive: true });
  for (const writer of sampleSessions(Date.now(), home)) {
    const path = await writer.write(configDir);
    // Lists go by the time of the file.
    await utimes(path, new Date(writer.time), new Date(writer.time));
  }
}

function retrySession(begin: number, home: string): TranscriptWriter {
  return new TranscriptWriter({ cwd: `${home}/mailroom`, begin, branch: "fix/retry" })
    .prompt("The retry test fails once in a while on CI. Find out why and mend it.")
    .say(
      think(
        "A test that fails now and then waits for time instead of for what it tests. Look at the test first, then at the pauses of the retry.",
      ),
      "I will look at the test and at the code that it tests.",
      use("toolu_r1", "Read", { file_path: "/home/dana/mailroom/src/retry.ts" }),
    )
    .wait(120)
    .result(
      "toolu_r1",
      "1\texport async function retry<T>(work: () => Promise<T>, times = 3): Promise<T> {\n2\t  for (let attempt = 1; ; attempt++) {\n3\t    try {\n4\t      return await work();\n5\t    } catch (error) {\n6\t      if (attempt === times) throw error;\n7\t      await sleep(100 * 2 ** attempt);\n8\t    }\n9\t  }\n10\t}",
    )
    .say(use("toolu_r2", "Bash", { command: "npx vitest run src/retry.test.ts", description: "Run the test" }))
    .wait(6_300)
    .result(
      "toolu_r2",
      "Exit code 1\n\n FAIL  src/retry.test.ts > gives up after three attempts\nAssertionError: expected 2 to be 3\n    at src/retry.test.ts:14:21",
      {
        is_error: true,
      },
    )
    .say(
      "The test sleeps 500 ms and then counts. The pauses add up to 600 ms, so on a slow machine the third attempt comes *after* the count.\n\nI will let the clock be handed in:",
      use("toolu_r3", "Edit", {
        file_path: "/home/dana/mailroom/src/retry.ts",
        old_string: "      await sleep(100 * 2 ** attempt);",
        new_string: "      await pause(100 * 2 ** attempt);",
      }),
    )
    .wait(90)
    .result("toolu_r3", "The file /home/dana/mailroom/src/retry.ts has been updated.", {
      toolUseResult: {
        filePath: "/home/dana/mailroom/src/retry.ts",
        structuredPatch: [
          {
            oldStart: 1,
            oldLines: 8,
            newStart: 1,
            newLines: 12,
            lines: [
              "-export async function retry<T>(work: () => Promise<T>, times = 3): Promise<T> {",
              "+export interface RetryOptions {",
              "+  readonly times?: number;",
              "+  readonly pause?: (ms: number) => Promise<void>;",
              "+}",
              "+",
              "+export async function retry<T>(work: () => Promise<T>, { times = 3, pause = sleep }: RetryOptions = {}): Promise<T> {",
              "   for (let attempt = 1; ; attempt++) {",
              "     try {",
              "       return await work();",
              "     } catch (error) {",
              "       if (attempt === times) throw error;",
              "-      await sleep(100 * 2 ** attempt);",
              "+      await pause(100 * 2 ** attempt);",
              "     }",
            ],
          },
        ],
      },
    })
    .say(use("toolu_r4", "Bash", { command: "for i in $(seq 50); do npx vitest run src/retry.test.ts || break; done" }))
    .wait(48_000)
    .result("toolu_r4", "50 runs, 0 failures")
    .say(use("toolu_r5", "Read", { file_path: "/home/dana/mailroom/docs/timing.png" }))
    .result("toolu_r5", [{ type: "image", source: { type: "base64", media_type: "image/png", data: samplePng() } }])
    .say(
      [
        "## What was wrong",
        "",
        "The test measured **time**, not attempts:",
        "",
        "| | before | now |",
        "| --- | --- | --- |",
        "| waits for | 500 ms | the third attempt |",
        "| takes | 0.6 s | 4 ms |",
        "| fails | 1 in 40 | 0 in 50 |",
        "",
        "1. `retry` takes its pause as an option, so that a test can hand in one that returns at once.",
        "2. The test counts *calls* and needs no clock.",
        "",
        "```ts",
        'await expect(retry(work, { pause: async () => {} })).rejects.toThrow("down");',
        "expect(work).toHaveBeenCalledTimes(3);",
        "```",
        "",
        "> Callers do not change: both options have the values of before.",
        "",
        "More on fake clocks in [the guide](https://example.com/clocks).",
      ].join("\n"),
    )
    .record({ type: "tag", tag: "ci" })
    .end("Mend the retry test that fails on CI", 0.4312);
}

function parserSession(begin: number, home: string): TranscriptWriter {
  const writer = new TranscriptWriter({ cwd: `${home}/ledger`, begin: begin - 2 * day, branch: "main" }).prompt(
    "Move the CSV import to a streaming parser. Statements of 2 GB must work.",
  );
  for (let step = 1; step <= 14; step++) {
    const id = `toolu_p${step}`;
    writer
      .grow(8_500)
      .say(
        `Step ${step}: the next part of the import.`,
        use(id, "Bash", { command: `npm test -- --grep "import ${step}"` }),
      )
      .wait(900 + step * 350)
      .result(id, `${step * 7} passing`);
    if (step % 5 === 0) writer.wait(day / 2);
  }
  writer.compact(
    "The import was moved to a streaming parser in 14 steps. Rows are validated as they come; a statement of 2 GB takes 70 MB of memory. What is left: the error report.",
  );
  return writer
    .prompt("Go on with the error report.")
    .say(
      "The report lists the first 100 broken rows with their line numbers.",
      use("toolu_p20", "Write", {
        file_path: "/home/dana/ledger/src/report.ts",
        content: "export interface RowError {\n  readonly line: number;\n  readonly message: string;\n}\n",
      }),
    )
    .result("toolu_p20", "File created.")
    .say("The report is written. A statement with broken rows is imported without them, and says which.")
    .end("Stream the CSV import", 3.1875);
}

function reviewSession(begin: number, home: string): TranscriptWriter {
  const writer = new TranscriptWriter({ cwd: `${home}/mailroom`, begin, branch: "main" });
  writer.prompt("Review the changes of this week. Ask a subagent for the part on security.").say(
    "I start with the security part.",
    use("toolu_v1", "Agent", {
      description: "Security review",
      subagent_type: "general-purpose",
      prompt: "Review the changes of this week for what an attacker could use.",
    }),
  );
  const agentId = "a3f29c04d1b7e6582";
  writer
    .agent(agentId, {
      agentType: "general-purpose",
      description: "Security review",
      toolUseId: "toolu_v1",
      spawnDepth: 1,
    })
    .prompt("Review the changes of this week for what an attacker could use.")
    .say(
      think("Look for input that reaches a shell or a path."),
      use("toolu_s1", "Grep", { pattern: "exec\\(", path: "src" }),
    )
    .wait(210)
    .result("toolu_s1", "src/attachments.ts:41:  exec('file ' + name)")
    .say("One finding: the name of an attachment reaches a shell in `src/attachments.ts`, line 41.");
  return writer
    .wait(21_000)
    .result(
      "toolu_v1",
      [
        {
          type: "text",
          text: "One finding: the name of an attachment reaches a shell in src/attachments.ts, line 41.",
        },
      ],
      {
        toolUseResult: { status: "completed", agentId, totalDurationMs: 21_000 },
      },
    )
    .say(
      "**One finding.** The name of an attachment reaches a shell: use `execFile` with the name as an argument. The rest is fine.",
    )
    .end("Review the changes of the week", 0.8744);
}

/** Someone went back twice: to say it in other words, and to have another answer. */
function nameSession(begin: number, home: string): TranscriptWriter {
  const writer = new TranscriptWriter({ cwd: `${home}/status-page`, begin, branch: "main" })
    .prompt("Which words are on the status page when a part is slow?")
    .say(use("toolu_n1", "Grep", { pattern: "slow|degraded", path: "src" }))
    .result("toolu_n1", "src/state.ts:12:  slow: 'Degraded performance',")
    .say("It says **Degraded performance**, in `src/state.ts`.");
  const answer = writer.tip;
  writer
    .prompt("Give me three shorter names for that state.")
    .say("1. Slow\n2. Delayed\n3. Under load")
    .prompt("The third is good. Use it.")
    .say("It says **Under load** now.")
    .wait(20 * 60_000)
    .below(answer)
    .prompt("Give me three names for that state that a customer understands, without a number in them.");
  const prompt = writer.tip;
  return writer
    .say("1. Struggling\n2. Out of breath\n3. Having a bad day")
    .wait(60_000)
    .below(prompt)
    .say("1. Slower than usual\n2. Answers late\n3. Busy")
    .prompt("“Slower than usual”. Use it.")
    .say("It says **Slower than usual** now.")
    .end("Name the slow state of the status page", 0.2718);
}

const shortTopics: readonly (readonly [string, string, number, number])[] = [
  ["Explain how the queue is drained on shutdown", "mailroom", 0.021, 0.2],
  ["Rename the columns of the export", "ledger", 0.118, 1.2],
  ["Why is the build twice as slow since Monday?", "mailroom", 0.642, 3.1],
  ["Write the release notes of 2.4", "mailroom", 0.094, 4.4],
  ["Add a dark theme to the status page", "status-page", 1.27, 5.3],
  ["Check the licences of all dependencies", "ledger", 0.233, 6.6],
  ["Turn the cron jobs into timers", "infrastructure", 0.518, 8.1],
  ["Find who still calls the old API", "mailroom", 0.377, 9.5],
];

function shortSessions(now: number, home: string): readonly TranscriptWriter[] {
  return shortTopics.map(([topic, folder, costUsd, daysAgo]) => {
    const answer = `Done: ${topic.toLowerCase()}. `.repeat(4 + Math.round(costUsd * 30));
    return new TranscriptWriter({ cwd: `${home}/${folder}`, begin: now - daysAgo * day })
      .prompt(topic)
      .say(answer.trim())
      .end(topic, costUsd);
  });
}

/** A picture of 160 × 60 points, made here so that no file has to be kept: bars of a measurement. */
function samplePng(): string {
  const [width, height] = [160, 60];
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bar = 8 + ((Math.floor(x / 16) * 37) % 44);
      const colour = height - y < bar && x % 16 > 2 ? [45, 85, 200] : [246, 246, 244];
      rows.set(colour, y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** `zlib.crc32` came with Node 22. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
