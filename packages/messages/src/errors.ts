import { ReinsError } from "@reins/streamjson";

/** A frame of a known type lacks what makes it usable. Frames of unknown types never do. */
export class MessageParseError extends ReinsError {
  readonly code = "REINS_MESSAGE_INVALID" as const;
  /** The frame's `type`; undefined for what is no object. */
  declare readonly type: string | undefined;
  /** What is missing or has the wrong type, as a path: `message.content`. Empty for what is no object. */
  declare readonly field: string;
  /** What was parsed. */
  declare readonly value: unknown;
  /** The line that it came from, where it came as a frame. */
  declare readonly line: string | undefined;

  constructor(details: {
    type: string | undefined;
    field: string;
    expected: string;
    value: unknown;
    line: string | undefined;
  }) {
    const { expected, ...own } = details;
    const what = own.type === undefined ? "A frame" : `${own.field} of a frame of type ${own.type}`;
    super(`${what} has to be ${expected}. Look at what wrote it; the frames behind it can be read.`);
    Object.assign(this, own);
  }

  override get name(): string {
    return "MessageParseError";
  }
}
