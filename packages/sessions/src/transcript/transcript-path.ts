import { join } from "node:path";
import type { SessionKey } from "@reins/messages";
import { projectsFolder } from "./config-folder.ts";

/**
 * The file that holds a transcript of the CLI.
 *
 * @param options.configDir Configuration folder. Default `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder.
 * @throws TypeError for a key that would lead out of the folder of its project.
 */
export function transcriptPath(key: SessionKey, options: { readonly configDir?: string | undefined } = {}): string {
  const parts = [key.projectKey, key.sessionId, ...(key.subpath?.split("/") ?? [])];
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\/\0]/.test(part))) {
    throw new TypeError(`The key ${JSON.stringify(key)} names no transcript. Its parts must be plain file names.`);
  }
  return `${join(projectsFolder(options.configDir), ...parts)}.jsonl`;
}
