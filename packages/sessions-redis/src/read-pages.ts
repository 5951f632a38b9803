import { type ScriptCall, type ScriptRunner, toText, toTexts } from "./script-runner.ts";

/** Sessions in one round trip: 10,000 with their summaries are some 5 MB, and hold up the server for about 10 ms. */
const pageSize = 20_000;

/**
 * Reads pairs with a scanning script, each member once. What is there all the time is found, however much is written meanwhile. Sessions that
 * expired are left out.
 */
export async function readPages(
  runner: ScriptRunner,
  call: ScriptCall,
  script: string,
  keys: string[],
): Promise<[member: string, value: string][]> {
  const found = new Map<string, string>();
  let cursor = "0";
  do {
    const [next, pairs, expired] = await runner.run(call, script, keys, [cursor, String(pageSize)]);
    const texts = toTexts(pairs);
    const gone = new Set(toTexts(expired));
    for (let i = 0; i + 1 < texts.length; i += 2) {
      const [member = "", value = ""] = texts.slice(i, i + 2);
      if (!gone.has(member)) found.set(member, value);
    }
    cursor = toText(next);
  } while (cursor !== "0");
  return [...found];
}
