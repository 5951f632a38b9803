import { createReadStream } from "node:fs";
import { decodeFrames, type Frame } from "@reins/streamjson";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { printableLine } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import { frameFilter } from "./frame-filter.ts";
import { FrameStats } from "./frame-stats.ts";
import { renderFrame } from "./render-frame.ts";

/** Options of `frames`. */
export interface FramesOptions {
  readonly filter?: readonly string[];
  readonly validate?: boolean;
  readonly stats?: boolean;
}

/** `reins frames` */
export async function runFrames(context: Context, options: FramesOptions, [file]: readonly string[]): Promise<number> {
  if (options.validate === true && options.stats === true)
    throw new UsageError("Give --validate or --stats, not both.");
  if (options.filter?.some((filter) => filter.replace(/^!/, "") === "")) {
    throw new UsageError("A filter is a type, or type/subtype.");
  }
  if (file === undefined && process.stdin.isTTY === true) throw new UsageError("Name a file, or pipe frames in.");
  const isWanted = frameFilter(options.filter ?? []);
  const stats = options.stats === true ? new FrameStats() : undefined;
  const check = options.validate === true ? (await import("./check-frame.ts")).checkFrame : undefined;
  let malformed = 0;
  let flawed = 0;
  let seen = 0;
  const source = file === undefined || file === "-" ? process.stdin : createReadStream(file);
  for await (const frame of decodeFrames(source, { onMalformed: "deliver" })) {
    if (frame.error !== undefined) {
      malformed++;
      const where = `Line ${frame.lineNumber}:`;
      await context.note(`${context.errStyle.yellow(where)} ${printableLine(frame.error.message, 200)}`);
      continue;
    }
    if (!isWanted(frame)) continue;
    seen++;
    if (stats !== undefined) stats.add(frame);
    else if (check !== undefined) flawed += await writeFlaws(context, frame, check(frame));
    else if (context.json) await context.writeJson(frame.value);
    else await context.out.write(renderFrame(frame, context.style));
  }
  if (stats !== undefined) {
    const counts = stats.counts(malformed);
    await (context.json ? context.writeJson(counts) : context.out.write(stats.table(malformed)));
  }
  if (check !== undefined && !context.json)
    await context.note(`${seen} frames, ${flawed} with flaws, ${malformed} lines without a frame.`);
  return malformed + flawed > 0 ? exitCodes.failed : exitCodes.ok;
}

async function writeFlaws(context: Context, frame: Frame, flaws: readonly string[] | undefined): Promise<number> {
  // A kind that is not known is no flaw: the CLI may be newer.
  const kind = kindOf(frame);
  if (flaws === undefined && !context.json) {
    await context.out.write(
      `${context.style.dim(`Line ${frame.lineNumber}: ${kind} is of a kind that is not known`)}\n`,
    );
  }
  if (flaws === undefined || flaws.length === 0) return 0;
  if (context.json) await context.writeJson({ line: frame.lineNumber, kind, flaws });
  else {
    const lines = flaws.map((flaw) => `  ${printableLine(flaw, 200)}\n`).join("");
    await context.out.write(`${context.style.red(`Line ${frame.lineNumber}: ${kind}`)}\n${lines}`);
  }
  return 1;
}

function kindOf({ type = "?", subtype }: Frame): string {
  return printableLine(subtype === undefined ? type : `${type}/${subtype}`, 80);
}
