import { win32 } from "node:path";
import type { FileProbe } from "./file-probe.ts";

/**
 * Whether a path on Windows is one of the scripts that package managers put on PATH in the place of a program. Node.js starts them through a
 * shell only (without one: `spawn EINVAL`), and a shell would parse the arguments once more.
 */
export function isWindowsShim(path: string): boolean {
  // Windows does not see dots and spaces at the end of a name.
  return /\.(?:cmd|bat|ps1)[. ]*$/i.test(path);
}

/**
 * What a shim starts, in the order in which one should try it: an `.exe` beside it, then the programs and scripts that its text names.
 *
 * Shims of npm, pnpm and yarn write the path from their own folder, as `"%dp0%\node_modules\..."`, `"%~dp0\..."` or
 * `"$basedir/node_modules/..."`.
 */
export function shimTargets(path: string, files: FileProbe): readonly string[] {
  const folder = win32.dirname(path);
  const text = new TextDecoder().decode(files.head(path, shimBytes));
  const named = [...text.matchAll(/"(?:%~?dp0%?|\$basedir)[\\/]*([^"\r\n]+\.(?:exe|com|js|mjs))"/gi)]
    .map(([, target = ""]) => win32.join(folder, target))
    // The interpreter, where one lies beside the shim.
    .filter((target) => !/[\\/](?:node|bun|deno)\.exe$/i.test(target));
  return [path.replace(/\.[a-z0-9]+[. ]*$/i, ".exe"), ...new Set(named)];
}

/** They have about 500 bytes. */
const shimBytes = 16_384;
