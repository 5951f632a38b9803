import { posix, win32 } from "node:path";
import type { FileProbe } from "./file-probe.ts";

/** The C library of a Linux system. */
export type Libc = "glibc" | "musl";

/** What decides which package has the binary. */
interface Platform {
  readonly platform: string;
  readonly arch: string;
  readonly libc: Libc | undefined;
}

/**
 * The packages that may hold the binary of a family (`@anthropic-ai/claude-agent-sdk`, `@anthropic-ai/claude-code`).
 *
 * @returns `suited` run here; `unsuited` are for the other C library and are only named in the error.
 */
export function platformPackages(
  family: string,
  { platform, arch, libc }: Platform,
): { suited: string[]; unsuited: string[] } {
  if (platform === "android") return { suited: [`${family}-linux-${arch}-android`], unsuited: [] };
  const plain = `${family}-${platform}-${arch}`;
  if (platform !== "linux") return { suited: [plain], unsuited: [] };
  const musl = `${plain}-musl`;
  return libc === "musl" ? { suited: [musl], unsuited: [plain] } : { suited: [plain], unsuited: [musl] };
}

/**
 * The paths where the binary of a package may lie, seen from the folders that are searched.
 *
 * The package of the binary is a dependency of the family's package. pnpm and yarn show it to that one only, so it is looked for from there
 * too. No module resolution: that would need `import.meta` or `require`, which bundlers replace.
 */
export function* packageCandidates(
  family: string,
  name: string,
  place: Platform & { readonly searchFrom: readonly string[]; readonly files: FileProbe },
): Generator<string, undefined> {
  const { join, dirname, basename } = place.platform === "win32" ? win32 : posix;
  const file = place.platform === "win32" ? "claude.exe" : "claude";
  for (const start of place.searchFrom) {
    for (const folder of ancestors(start, dirname)) {
      if (basename(folder) === "node_modules") continue;
      const modules = join(folder, "node_modules");
      yield join(modules, name, file);
      const owner = place.files.realPath(join(modules, family));
      if (owner === undefined) continue;
      yield join(owner, "node_modules", name, file);
      // Both names have the same scope, so in one node_modules folder they are neighbours.
      yield join(dirname(owner), basename(name), file);
    }
  }
}

function* ancestors(start: string, dirname: (path: string) => string): Generator<string, undefined> {
  let folder = start;
  for (;;) {
    yield folder;
    const parent = dirname(folder);
    if (parent === folder) return;
    folder = parent;
  }
}
