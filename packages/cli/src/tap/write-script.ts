import { writeFile } from "node:fs/promises";
import { type CapturedTurn, capturesToScript } from "@reins/wiretap";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";

/** Options of `tap script`. */
export interface WriteScriptOptions {
  readonly out?: string;
}

/** `reins tap script` */
export async function writeScript(
  context: Context,
  { out }: WriteScriptOptions,
  [dir = "capture"]: readonly string[],
): Promise<number> {
  const turns = await capturesToScript(dir);
  if (turns.length === 0)
    throw new Error(`There is no call of the model in ${dir}. Name a folder that \`reins tap run\` has written.`);
  const text = scriptModule(turns);
  if (out === undefined) await context.out.write(text);
  // As private as the capture: it has the conversation.
  else await writeFile(out, text, { mode: 0o600 });
  return exitCodes.ok;
}

/** A module in TypeScript that exports the turns as `script`. */
export function scriptModule(turns: readonly CapturedTurn[]): string {
  return `// The answers of the model in a session that was recorded: written by \`reins tap script\`.
import type { ModelScript } from "@reins/testkit";

export const script: ModelScript = [
${turns.map((turn) => `${turnText(turn)},\n`).join("")}];
`;
}

function turnText({ hold, ...turn }: CapturedTurn): string {
  const json = JSON.stringify(turn, null, 2)
    // In an object literal this would not be a field.
    .replace(/(?<!\\)"__proto__":/g, '["__proto__"]:');
  // The client gave up: the answer stays open.
  const text = hold === undefined ? json : json.replace(/\n?\}$/, ",\n  hold: new Promise(() => {})\n}");
  // Not by a regular expression: to it a line ends at U+2028, too, which JSON leaves in texts.
  return `  ${text.replaceAll("\n", "\n  ")}`;
}
