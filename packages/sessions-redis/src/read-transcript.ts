import type { SessionKey, SessionStoreEntry } from "@reins/sessions";
import { describeKey, RedisSessionStoreError } from "./errors.ts";
import { type ScriptCall, type ScriptRunner, toText } from "./script-runner.ts";
import { readScript } from "./scripts/reads.ts";

/** 4 MiB: large enough that the round trips cost nothing, small enough that the server is not held up. */
const chunkBytes = 4 * 1024 * 1024;

/** Reads a transcript in chunks; the next one travels while the last is parsed. */
export async function readTranscript(
  runner: ScriptRunner,
  call: ScriptCall & { readonly key: SessionKey },
  list: string,
): Promise<SessionStoreEntry[] | null> {
  const read = (start: number) => runner.run(call, readScript, [list], [String(start), String(chunkBytes)]);
  for (;;) {
    const batches: SessionStoreEntry[][] = [];
    let [header, count, ...elements] = await read(0);
    if (header === undefined) return null;
    const life = toText(header);
    while (header !== undefined && toText(header) === life) {
      const position = batches.length + elements.length;
      const isLast = position >= Number(count) || elements.length === 0;
      const next = isLast ? undefined : read(position);
      // A failure is looked at below; parsing may fail first.
      next?.catch(() => {});
      for (const element of elements) batches.push(parseElement(call, batches.length, toText(element)));
      if (next === undefined) return batches.flat();
      [header, count, ...elements] = await next;
    }
    // It was deleted in between, and perhaps begun anew: what was read belongs to no transcript that there is.
  }
}

function parseElement(call: ScriptCall, index: number, json: string): SessionStoreEntry[] {
  let cause: unknown;
  try {
    const entries: unknown = JSON.parse(json);
    // What the store wrote are entries.
    if (Array.isArray(entries)) return entries as SessionStoreEntry[];
  } catch (error) {
    cause = error;
  }
  const { operation, key } = call;
  throw new RedisSessionStoreError(
    `Element ${index + 1} of the list of ${describeKey(key)} is no JSON array. Something else wrote to it; mend or delete it.`,
    { operation, key, retryable: false, cause },
  );
}
