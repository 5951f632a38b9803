import { posix, win32 } from "node:path";
import type { PlaceTried } from "./errors.ts";
import type { FileProbe } from "./file-probe.ts";
import { type Libc, packageCandidates, platformPackages } from "./platform-package.ts";
import { isWindowsShim, shimTargets } from "./windows-shim.ts";

/** The machine that a candidate lies on. */
export interface Place {
  readonly platform: string;
  readonly arch: string;
  readonly libc: Libc | undefined;
  readonly files: FileProbe;
}

/** What can be started in the place of a candidate, or why nothing can. */
export function take(place: Place, candidate: string): string | Pick<PlaceTried, "outcome"> {
  // A program with the file functions of Electron sees files inside of the archive; the system does not.
  const path = candidate.replace(/(\.asar)(?=[\\/])/gi, "$1.unpacked");
  const { platform, files } = place;
  const status = files.status(path);
  if (status === undefined) return { outcome: "missing" };
  if (status.kind !== "file") return { outcome: "not-a-file" };
  if (platform === "win32" && isWindowsShim(path)) return shimTarget(place, path) ?? { outcome: "shim" };
  if (platform !== "win32" && !status.executable) return { outcome: "not-executable" };
  return isNpmStub(files, path, status.size) ? (behindStub(place, path) ?? { outcome: "npm-stub" }) : path;
}

/** Whether a path leads into an `.asar` archive of Electron. */
export function isInArchive(path: string): boolean {
  return /\.asar[\\/]/i.test(path);
}

function shimTarget(place: Place, path: string): string | undefined {
  for (const target of shimTargets(path, place.files)) {
    const taken = isWindowsShim(target) ? undefined : take(place, target);
    if (typeof taken === "string") return taken;
  }
  return undefined;
}

/** The npm package comes with a shell script of about 500 bytes in the place of the binary, which its install script replaces. */
function isNpmStub(files: FileProbe, path: string, size: number): boolean {
  if (size > 4096) return false;
  return new TextDecoder().decode(files.head(path, size)).includes("claude native binary not installed");
}

/** The binary in the package that the install script of the stub would have taken it from. */
function behindStub(place: Place, path: string): string | undefined {
  const { dirname } = place.platform === "win32" ? win32 : posix;
  const searchFrom = [dirname(place.files.realPath(path) ?? path)];
  const family = "@anthropic-ai/claude-code";
  for (const name of platformPackages(family, place).suited) {
    for (const candidate of packageCandidates(family, name, { ...place, searchFrom })) {
      const status = place.files.status(candidate);
      if (status?.kind === "file" && (place.platform === "win32" || status.executable)) return candidate;
    }
  }
  return undefined;
}
