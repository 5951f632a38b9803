import type { Frame } from "@reins/streamjson";
import { printableLine } from "../terminal/printable.ts";
import { table } from "../terminal/table.ts";

/** What was counted of one kind. */
interface KindCount {
  count: number;
  bytes: number;
  longest: number;
}

/** Counts frames by type and subtype. */
export class FrameStats {
  readonly #kinds: Map<string, KindCount> = new Map();

  add(frame: Frame): void {
    const { type = "(no type)", subtype } = frame;
    const kind = subtype === undefined ? type : `${type}/${subtype}`;
    const counted = this.#kinds.get(kind) ?? { count: 0, bytes: 0, longest: 0 };
    const bytes = frame.bytes.length;
    counted.count++;
    counted.bytes += bytes;
    counted.longest = Math.max(counted.longest, bytes);
    this.#kinds.set(kind, counted);
  }

  /** For a program. */
  counts(malformed: number): object {
    const all = [...this.#kinds.values()];
    return {
      frames: all.reduce((sum, { count }) => sum + count, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      malformed,
      kinds: Object.fromEntries(this.#sorted()),
    };
  }

  /** For a person: the most bytes first. */
  table(malformed: number): string {
    const rows = this.#sorted().map(([kind, { count, bytes, longest }]) => [
      printableLine(kind, 60),
      ...[count, bytes, longest].map(String),
    ]);
    const columns = [{ title: "KIND" }, ...["FRAMES", "BYTES", "LONGEST"].map((title) => ({ title, isNumber: true }))];
    const end = malformed === 0 ? "" : `${malformed} lines without a frame\n`;
    return table(columns, rows) + end;
  }

  #sorted(): [string, KindCount][] {
    return [...this.#kinds].sort(([, one], [, other]) => other.bytes - one.bytes);
  }
}
