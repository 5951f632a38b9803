import { decodeBatches } from "@reins/streamjson";
import { alternate, startClock } from "./measure.ts";
import type { Cost, Row } from "./row.ts";
import { streamEvent } from "./scripts.ts";

/**
 * A router reads the type of each frame and hands its bytes on, and parses nothing. The floor looks for the ends of lines alone, which
 * every router must.
 */
export const rawRouting: Row = {
  name: "raw-routing",
  title: "Bytes to frames in memory, nothing parsed: 500,000 small frames in pieces of 64 KiB",
  measure: (effort) => {
    const count = effort.quick ? 100_000 : 500_000;
    const all = Buffer.from(`${JSON.stringify(streamEvent)}\n`.repeat(count));
    const pieces = Array.from({ length: Math.ceil(all.length / 65_536) }, (_, index) =>
      all.subarray(index * 65_536, (index + 1) * 65_536),
    );
    return alternate(effort, {
      "@reins/streamjson": () => timed(count, () => route(pieces)),
      "scan for newlines": () => timed(count, () => scan(pieces)),
      "split and JSON.parse": () => timed(count, () => parse(pieces)),
    });
  },
};

async function timed(count: number, run: () => Promise<number>): Promise<Cost> {
  const stop = startClock();
  const seen = await run();
  const cost = stop();
  if (seen !== count) throw new Error(`${seen} of ${count} frames came`);
  return { "k frames/s": count / cost.ms, "µs CPU a frame": (cost["ms CPU"] * 1000) / count };
}

async function route(pieces: readonly Uint8Array[]): Promise<number> {
  let count = 0;
  let bytes = 0;
  for await (const batch of decodeBatches(source(pieces), { onMalformed: "deliver" })) {
    for (const frame of batch) {
      if (frame.type === "stream_event") count++;
      bytes += frame.bytes.length;
    }
  }
  if (bytes === 0) throw new Error("no bytes came");
  return count;
}

async function scan(pieces: readonly Uint8Array[]): Promise<number> {
  let count = 0;
  for await (const piece of source(pieces)) {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) count++;
  }
  return count;
}

async function parse(pieces: readonly Uint8Array[]): Promise<number> {
  let count = 0;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of source(pieces)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (JSON.parse(line).type === "stream_event") count++;
  }
  return count;
}

async function* source(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
