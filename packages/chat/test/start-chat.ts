import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTerminal, type Terminal } from "@reins/test-servers/terminal";

/** The chat with a model that is a script, for `node`. */
export const program: readonly string[] = [
  "--conditions=@reins/source",
  `--import=${import.meta.resolve("tsx")}`,
  join(import.meta.dirname, "programs/scripted-chat.ts"),
];

/** Starts the chat in a terminal, and waits for its input. */
export async function startChat(
  size: { readonly columns: number; readonly rows: number },
  env: Readonly<Record<string, string>> = {},
  nodeFlags = "",
): Promise<Terminal> {
  // What tsx has compiled lies in the temporary folder, for all tests; what the chat makes is in HOME.
  const terminal = await startTerminal({ ...size, env: { TMPDIR: tmpdir(), ...env } });
  try {
    await terminal.enter(`clear; node ${nodeFlags} ${program.join(" ")}`);
    await terminal.see(/\n>\s*\n\s*\n(mode )?default/);
    return terminal;
  } catch (error) {
    await terminal[Symbol.asyncDispose]();
    throw error;
  }
}
