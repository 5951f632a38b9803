import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * The configuration folder of the CLI, as an absolute path: what is given, else `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder.
 *
 * Normalised to NFC, as the CLI does on every platform. Empty counts as not given; the CLI takes an empty `CLAUDE_CONFIG_DIR` for its
 * working directory. A relative path is resolved against the working directory of this process, where the CLI uses its own.
 *
 * @see contracts/transcripts.md, "Where things are"; verified against CLI 2.1.328
 */
function configFolder(configDir?: string): string {
  const given = configDir || process.env["CLAUDE_CONFIG_DIR"];
  return resolve((given || join(homedir(), ".claude")).normalize("NFC"));
}

/** The folder that holds one folder of transcripts per project. */
export function projectsFolder(configDir?: string): string {
  return join(configFolder(configDir), "projects");
}
