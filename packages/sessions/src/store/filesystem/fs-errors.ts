/** Tells whether an error of the file system has one of some codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Tells whether a file or one of its folders is not there. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}

/** Tells whether the same call may succeed later: no space, too many open files, an interrupted or busy device. */
export function isTransient(error: unknown): boolean {
  return hasCode(
    error,
    "EMFILE",
    "ENFILE",
    "ENOSPC",
    "EDQUOT",
    "EAGAIN",
    "EBUSY",
    "EINTR",
    "EIO",
    "ENOMEM",
    "ETIMEDOUT",
  );
}
