import type { Context } from "../context.ts";
import { typedLines } from "./lines.ts";
import { printableLine } from "./printable.ts";

/** Asks for a yes or a no. `undefined` where there is no terminal; anything but a yes is a no. */
export async function confirm(context: Context, question: string): Promise<boolean | undefined> {
  if (process.stdin.isTTY !== true || !context.err.isTerminal) return undefined;
  await context.progress.clear();
  await context.err.write(`${printableLine(question)} [y/N] `);
  // Leaving the loop destroys stdin, so that nothing waits for it any more.
  for await (const line of typedLines(process.stdin)) return /^\s*y(es)?\s*$/i.test(line);
  return false;
}
