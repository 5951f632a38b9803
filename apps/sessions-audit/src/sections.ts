import type { TokenUsage } from "@reins/sessions";
import type { Report } from "./audit.ts";

/** A table of the report, for any output. Cells are as they were read: escape them. */
export interface Section {
  readonly title: string;
  /** The first column is text, the others are numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What the chart shows: the column, and the values of it. */
  readonly chart: { readonly of: string; readonly values: readonly number[] };
}

export function sections({ sessions, total, models, days, tools }: Report): readonly Section[] {
  const tokens = (title: string, usage: Readonly<Record<string, TokenUsage>>): Section => ({
    title,
    columns: [title.slice(3), ...tokenColumns],
    rows: Object.entries(usage).map(([name, used]) => [name, ...tokenCells(used)]),
    chart: { of: "output tokens", values: Object.values(usage).map(({ outputTokens }) => outputTokens) },
  });
  return [
    {
      title: "Sessions",
      columns: ["session", "last used", ...tokenColumns, "USD"],
      rows: [
        ...sessions.map(({ title, lastModified, tokens, costUsd }) => {
          return [title, lastModified.slice(0, 10), ...tokenCells(tokens), costUsd?.toFixed(4) ?? "?"];
        }),
        ["all", "", ...tokenCells(total), total.costUsd.toFixed(4)],
      ],
      chart: { of: "USD", values: sessions.map(({ costUsd = 0 }) => costUsd) },
    },
    tokens("By day", days),
    tokens("By model", models),
    {
      title: "Tools",
      columns: ["tool", "calls", "errors"],
      rows: Object.entries(tools).map(([name, { calls, errors }]) => [name, String(calls), String(errors)]),
      chart: { of: "calls", values: Object.values(tools).map(({ calls }) => calls) },
    },
  ];
}

const tokenColumns = ["responses", "input", "output", "cache read", "cache write"];

function tokenCells(usage: TokenUsage): string[] {
  const { responses, inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage;
  return [responses, inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens].map(String);
}
