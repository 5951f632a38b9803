import { ReinsError } from "@reins/streamjson";

/** A frame of a known type lacks what makes it usable. Frames of unknown types never do. */
export class MessageParseError extends ReinsError {
  readonly code = "REINS_MESSAGE_INVALID" as const;
  /** What is missing or has the wrong type, as a path: `message.content`. */
  readonly field: string;
  /** What was parsed. */
  readonly value: unknown;
  /** The line that it came from, where it came as a frame. */
  readonly line: string | undefined;

  constructor(kind: string, field: string, expected: string, value: unknown, line: string | undefined) {
    super(`A frame of the kind ${kind} has no usable ${field}: expected ${expected}. Look at what wrote it.`);
    this.field = field;
    this.value = value;
    this.line = line;
  }

  override get name(): string {
    return "MessageParseError";
  }
}
