import { ReinsError } from "@reins/streamjson";

/** The folder of a capture cannot be made, written to or read. */
export class CaptureFolderError extends ReinsError {
  readonly code = "REINS_CAPTURE_FOLDER" as const;
  readonly dir: string;

  constructor(dir: string, action: "read" | "write", cause: unknown) {
    const remedy =
      action === "read" ? "Give the folder that was recorded to" : "Give a folder that this process may write to";
    super(`The capture folder ${dir} cannot be used: ${messageOf(cause)}. ${remedy}.`, { cause });
    this.dir = dir;
  }

  override get name(): string {
    return "CaptureFolderError";
  }
}

/** A file of a capture is not what {@link startWiretap} writes. */
export class CaptureFileError extends ReinsError {
  readonly code = "REINS_CAPTURE_FILE" as const;
  readonly path: string;

  constructor(path: string, problem: string, cause?: unknown) {
    super(`${path} is no file of a capture: ${problem}.`, { cause });
    this.path = path;
  }

  override get name(): string {
    return "CaptureFileError";
  }
}

/** An answer of the model in a capture cannot be said by a script. */
export class CaptureScriptError extends ReinsError {
  readonly code = "REINS_CAPTURE_SCRIPT" as const;
  /** Number of the request in the capture. */
  readonly number: number;

  constructor(number: number, problem: string) {
    super(`Request ${number} of the capture cannot become a turn of a script: ${problem}.`);
    this.number = number;
  }

  override get name(): string {
    return "CaptureScriptError";
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
