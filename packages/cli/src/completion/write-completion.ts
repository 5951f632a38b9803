import type { Command } from "commander";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { bashScript } from "./bash.ts";
import { describeCommands } from "./describe-commands.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

/** A shell that there are completions for. */
export type Shell = "bash" | "zsh" | "fish";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `reins completion` */
export async function writeCompletion(context: Context, program: Command, shell: Shell): Promise<number> {
  await context.out.write(scripts[shell](describeCommands(program)));
  return exitCodes.ok;
}
