import { encodeFrame, FrameEncodeError } from "@reins/streamjson";
import { OptionError } from "./errors.ts";

/**
 * The JSON text of an option.
 *
 * @throws {@link OptionError} for what JSON cannot carry: a cycle, a BigInt, a getter that throws, but also functions and
 * NaN, which `JSON.stringify` would drop or change without a word.
 */
export function toJson(option: string, value: unknown): string {
  try {
    encodeFrame({ value });
    return JSON.stringify(value);
  } catch (error) {
    const reason = error instanceof FrameEncodeError ? error.message : String(error);
    throw new OptionError(option, `can't be sent to Claude Code. ${reason}`, error);
  }
}
