import { encodeFrame } from "@reins/streamjson";
import type { RecordedLine } from "./recording-host.ts";

/**
 * Joins the `transcript_mirror` frames of a turn, which the CLI cuts and sends by a timer of its own: the entries of one file become
 * one frame, before the result of the turn, or at the end. Those that are no part of the conversation (they have no `uuid`) come first,
 * since they are written by a timer, too.
 */
export function joinMirrors(lines: readonly RecordedLine[]): RecordedLine[] {
  const joined: RecordedLine[] = [];
  let mirrors = new Map<string, MirrorFrame>();
  const flush = (): void => {
    for (const mirror of mirrors.values()) {
      const entries = [...mirror.entries.filter((entry) => !hasUuid(entry)), ...mirror.entries.filter(hasUuid)];
      joined.push({ dir: "in", text: encodeFrame({ ...mirror, entries }).slice(0, -1) });
    }
    mirrors = new Map();
  };
  for (const line of lines) {
    const frame = line.dir === "in" ? mirrorOf(line.text) : undefined;
    if (frame !== undefined) {
      const before = mirrors.get(frame.filePath);
      mirrors.set(frame.filePath, { ...frame, entries: [...(before?.entries ?? []), ...frame.entries] });
    } else {
      if (line.dir === "in" && line.text.includes('"type":"result"')) flush();
      joined.push(line);
    }
  }
  flush();
  return joined;
}

interface MirrorFrame {
  readonly type: "transcript_mirror";
  readonly filePath: string;
  readonly entries: readonly unknown[];
}

function hasUuid(entry: unknown): boolean {
  return typeof entry === "object" && entry !== null && "uuid" in entry;
}

function mirrorOf(text: string): MirrorFrame | undefined {
  if (!text.startsWith('{"type":"transcript_mirror"')) return undefined;
  // The CLI's own form, checked by the prefix.
  return JSON.parse(text) as MirrorFrame;
}
