import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";

/** What is at a path, links followed. */
export interface FileStatus {
  readonly kind: "file" | "directory" | "other";
  /** Whether this user may run it (a directory: enter it). */
  readonly executable: boolean;
  /** In bytes. */
  readonly size: number;
}

/** How files are looked at. A parameter, so that what happens on another system can be tried on this one. */
export interface FileProbe {
  /** `undefined` when nothing is there, or nothing that this user can see. */
  status(path: string): FileStatus | undefined;
  /** The path without links, or `undefined`. */
  realPath(path: string): string | undefined;
  /** At most the first `length` bytes of a file; empty when it cannot be read. */
  head(path: string, length: number): Uint8Array;
}

/** The files of this machine. */
export const localFiles: FileProbe = {
  status(path) {
    const stat = attempt(() => statSync(path));
    if (stat === undefined) return undefined;
    const kind = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other";
    const executable = attempt(() => {
      accessSync(path, constants.X_OK);
      return true;
    });
    return { kind, executable: executable === true, size: stat.size };
  },
  realPath: (path) => attempt(() => realpathSync(path)),
  head(path, length) {
    const file = attempt(() => openSync(path, "r"));
    if (file === undefined) return new Uint8Array(0);
    try {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
    } catch {
      return new Uint8Array(0);
    } finally {
      closeSync(file);
    }
  },
};

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // Whatever the reason (missing, forbidden, a loop of links), it is not there for us.
    return undefined;
  }
}
