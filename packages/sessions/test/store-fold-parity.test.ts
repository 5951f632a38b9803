import { foldSessionSummary as officialFold } from "@anthropic-ai/claude-agent-sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldSessionSummary } from "../src/store/fold-session-summary.ts";
import type { SessionStoreEntry, SessionSummaryEntry } from "../src/store/session-store.ts";

const key = { projectKey: "-project", sessionId: "2f1c0a52-0000-4000-8000-000000000001" };

// Whole words of the rules, so that random joins of them meet each rule often.
const fragment = fc.constantFrom(
  ...'|x|\n|\n\n|\r|\r\n| |\t|😀|…|<b>|</b>|<DIV>|<a-b>|<a|>|\\|"|[|]|\u0000|\u2028|\u00a0|\ufeff|/cmd'.split("|"),
  '<pasted_content id="ab12">',
  '<pasted_content id="ab12">\n',
  '\n</pasted_content id="ab12">',
  '</pasted_content id="ab12">',
  '<pasted_content id="cd34">\n',
  '\n</pasted_content id="cd34">',
  "<command-name>",
  "</command-name>",
  "<bash-input>",
  "</bash-input>",
  "[Request interrupted by user",
  "[Request interrupted by user for tool use]",
  "word ".repeat(39),
  "y".repeat(198),
);
const prompt = fc.array(fragment, { maxLength: 9 }).map((parts) => parts.join(""));
const odd = fc.constantFrom<unknown>("", null, 5, true, false, "text", {}, []);
const block = fc.oneof(
  { weight: 6, arbitrary: prompt.map((text) => ({ type: "text", text })) },
  fc.constantFrom<unknown>({ type: "tool_result", content: "x" }, { type: "image" }, { type: "text" }, "x", 5, {}),
);
const content = fc.oneof(prompt, fc.array(block, { maxLength: 4 }), odd);
const flag = fc.constantFrom<unknown>(true, true, false, "true", 1);
const time = fc.constantFrom<unknown>(
  "2026-01-02T03:04:05.678Z",
  "2026-01-02",
  "1970-01-01T00:00:00Z",
  "no time",
  "",
  5,
);
const text = fc.oneof(fc.constantFrom<unknown>("a", "b", " c ", ""), odd);

const entry: fc.Arbitrary<SessionStoreEntry> = fc
  .record(
    {
      type: fc.constantFrom("user", "user", "user", "assistant", "tag", "relocated", "custom-title", "summary"),
      message: fc.oneof({ weight: 8, arbitrary: fc.record({ role: fc.constant("user"), content }) }, odd),
      isMeta: flag,
      isCompactSummary: flag,
      isSidechain: flag,
      timestamp: time,
      cwd: text,
      relocatedCwd: text,
      customTitle: text,
      aiTitle: text,
      lastPrompt: text,
      summary: text,
      gitBranch: text,
      tag: text,
    },
    { requiredKeys: ["type", "message"] },
  )
  // Fields of wrong types are the point; the type of an entry allows them but for timestamp.
  .map((fields) => fields as SessionStoreEntry);

test("the fold gives what the official one gives, batch by batch", () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 4 }), { maxLength: 4 }), fc.boolean(), (batches, timed) => {
      let ours: SessionSummaryEntry | undefined;
      let theirs: SessionSummaryEntry | undefined;
      for (const [index, batch] of batches.entries()) {
        const options = timed ? { mtime: 1_700_000_000_000 + index } : undefined;
        ours = foldSessionSummary(ours, key, batch, options);
        theirs = officialFold(theirs, key, batch, options);
        expect(ours).toEqual(theirs);
      }
    }),
    { numRuns: Number(process.env["REINS_FOLD_RUNS"] ?? 3_000) },
  );
});

test("folding all at once gives what folding one by one gives", () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      const single = entries.reduce<SessionSummaryEntry | undefined>(
        (summary, one) => foldSessionSummary(summary, key, [one]),
        undefined,
      );
      expect(foldSessionSummary(undefined, key, entries)).toEqual(single ?? foldSessionSummary(undefined, key, []));
    }),
    { numRuns: 1_000 },
  );
});
