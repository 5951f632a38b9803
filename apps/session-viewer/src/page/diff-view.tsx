import { structuredPatch } from "diff";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Hunk } from "../protocol.ts";
import { visible } from "./format.ts";

/** Finding the least change takes long for texts that have little in common. */
const timeoutMs = 100;
/** What is longer is read in an editor. */
const maxLines = 600;

/** What an edit replaced, as hunks. None where that cannot be told in a short time. */
export function hunksOfEdit(before: string, after: string): readonly Hunk[] | undefined {
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context: 3, timeout: timeoutMs });
  return patch?.hunks;
}

/** A change, line by line. */
export function DiffView({ hunks }: { readonly hunks: readonly Hunk[] }): JSX.Element {
  const lines = useMemo(() => linesOf(hunks), [hunks]);
  return (
    <section class="diff" aria-label="Change">
      {lines.slice(0, maxLines).map((line, index) => (
        <div key={index} class={`line ${line.kind}`}>
          <span class="number">{line.number}</span>
          <span class="sign">{line.sign}</span>
          <code class="code">{visible(line.text)}</code>
        </div>
      ))}
      {lines.length > maxLines ? <p class="muted">{lines.length - maxLines} more lines</p> : null}
    </section>
  );
}

interface Line {
  readonly kind: "added" | "removed" | "same" | "gap";
  readonly number: string;
  readonly sign: string;
  readonly text: string;
}

function linesOf(hunks: readonly Hunk[]): readonly Line[] {
  const lines: Line[] = [];
  for (const [index, hunk] of hunks.entries()) {
    if (index > 0) lines.push({ kind: "gap", number: "", sign: "", text: "⋯" });
    let before = hunk.oldStart;
    let after = hunk.newStart;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith("+")) lines.push({ kind: "added", number: String(after++), sign: "+", text });
      else if (line.startsWith("-")) lines.push({ kind: "removed", number: String(before++), sign: "−", text });
      else if (line.startsWith(" ")) {
        lines.push({ kind: "same", number: String(after++), sign: "", text });
        before++;
      }
    }
  }
  return lines;
}
