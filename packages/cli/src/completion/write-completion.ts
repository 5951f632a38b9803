import type { Command } from "commander";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";
import { bashScript } from "./bash.ts";
import { describeCommands } from "./describe-commands.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `reins completion` */
export async function writeCompletion(context: Context, program: Command, shell: string): Promise<number> {
  const script = Object.entries(scripts).find(([name]) => name === shell)?.[1];
  if (script === undefined) throw new UsageError("There are completions for bash, zsh and fish.");
  await context.out.write(script(describeCommands(program)));
  return exitCodes.ok;
}
