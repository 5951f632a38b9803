import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { AgentOptions } from "@reins/runtime";
import type { SessionLocation } from "@reins/sessions";

/** Where the sessions of an agent work, and where their transcripts are: where the CLI looks for them. */
export function locationOf({ cwd, env, sessionStore }: AgentOptions): SessionLocation & { readonly dir: string } {
  // An environment takes the place of that of this process, as a whole.
  const configDir = env && (env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] ?? homedir(), ".claude"));
  return { dir: resolve(cwd ?? ""), configDir, sessionStore };
}
