import { type Fault, faults } from "./faults.ts";
import { type Moment, moments } from "./moments.ts";
import type { Outcome } from "./run-cell.ts";

/** A cell of the matrix: a fault at a moment. */
export interface Cell {
  readonly moment: Moment;
  readonly fault: Fault;
  /** Why there is no such cell, if there is none. */
  readonly impossible: string | undefined;
}

export const cells: readonly Cell[] = moments.flatMap((moment) =>
  faults.map((fault) => ({ moment, fault, impossible: fault.impossible?.(moment) })),
);

/** docs/faults.md, from the outcomes of all cells. */
export function pageOf(outcomes: ReadonlyMap<Cell, Outcome>): string {
  return `# What becomes of a session when something goes wrong

Every fault at every moment of a session, as \`query()\` of \`@reins/sdk\` shows it. \`packages/sdk/test/fault-matrix.test.ts\` plays each
with a scripted CLI and fails when this page is not what it saw; \`npx vitest run -u packages/sdk/test/fault-matrix.test.ts\` writes it.

In every cell the session ends within its deadlines, the error is one of ours with a \`code\`, \`close()\` settles, the process is gone, and no
timer, listener, handle or descriptor is left. [Troubleshooting](troubleshooting.md) says what to do about each error.

- **The reader gets**: what the loop over the messages ends with, behind all messages that came before.
- **What was open**: what becomes of the request of the host (\`initializationResult()\`, \`interrupt()\`) or of the callback that was open.
  "Withdrawn" means that its signal aborted.
- **Reported**: what \`onDiagnostic\` is told.

The faults:

${faults.map(({ name, says }) => `- **${name}**: ${says}`).join("\n")}

${deadlineText}

${moments.map((moment) => section(moment, outcomes)).join("\n\n")}
`;
}

const deadlineText = `What ends a session that hangs is a deadline: \`initializeTimeoutMs\` before the initialize request was answered, \`idleTimeoutMs\` (off
unless it is set, as it is here) while a turn runs, 2 s where the output was closed, and \`endGraceMs\` with \`killGraceMs\` at the end.`;

function section(moment: Moment, outcomes: ReadonlyMap<Cell, Outcome>): string {
  const rows = cells.filter((cell) => cell.moment === moment).map((cell) => row(cell, outcomes.get(cell)));
  const open = moment.open === undefined ? "" : " what was open |";
  const line = moment.open === undefined ? "" : " --- |";
  return `## ${moment.name[0]?.toUpperCase()}${moment.name.slice(1)}

${moment.says}

| fault | the reader gets |${open} reported |
| --- | --- |${line} --- |
${rows.join("\n")}`;
}

function row({ moment, fault, impossible }: Cell, outcome: Outcome | undefined): string {
  const open = moment.open === undefined ? "" : ` ${outcome?.open ?? ""} |`;
  if (outcome === undefined) return `| ${fault.name} | not possible: ${impossible} |${open} |`;
  const end =
    outcome.end === "end"
      ? "the normal end"
      : `\`${outcome.end.replace(",", "`,")}${outcome.end.includes(",") ? "" : "`"}`;
  const result = outcome.hasResult ? "the result, then " : "";
  return `| ${fault.name} | ${result}${end} |${open} ${outcome.reported.join(", ")} |`;
}
