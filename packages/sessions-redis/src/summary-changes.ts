import { foldSessionSummary, type SessionKey, type SessionStoreEntry } from "@reins/sessions";

/**
 * What a batch does to a field of the summary, whatever the summary is: sets it (`last`), sets it when it is not there (`first`), does so
 * as long as there is no first prompt (`open`), or removes it (`drop`). Names and values are JSON.
 */
export type SummaryChange = readonly [how: "first" | "last" | "open" | "drop", name: string, value: string];

/** Where {@link foldSessionSummary} notes that the first prompt is found; `open` changes depend on it. */
const lockName = "firstPromptLocked";

/** Takes the place of a value, and is known again by identity. */
const taken: object = {};

/** Removed by entries that set nothing, so it does not show in the fold of a new session. */
const removable = ["tag"];

/**
 * Gives the effect of a batch on any summary, so that the server can apply it without knowing the rules of the fold.
 *
 * The rules are not repeated here. They are asked: what does the fold make of nothing, of a summary in which every field is taken, and of
 * one whose first prompt is found? A field that changes in the second is a last value, one that is missing in the third depends on the
 * first prompt, and what is left is a first value.
 */
export function summaryChangesOf(key: SessionKey, entries: readonly SessionStoreEntry[]): SummaryChange[] {
  const fold = (data: Record<string, unknown>): Record<string, unknown> =>
    foldSessionSummary({ sessionId: key.sessionId, mtime: 0, data }, key, entries).data;
  const alone = fold({});
  const names = new Set([...Object.keys(alone), ...removable]);
  const full = fold({ ...Object.fromEntries([...names].map((name) => [name, taken])), [lockName]: true });
  const locked = fold({ [lockName]: true });
  return [...names].flatMap((name): SummaryChange[] => {
    const change = (how: SummaryChange[0], value?: unknown): SummaryChange[] => [
      [how, JSON.stringify(name), how === "drop" ? "" : JSON.stringify(value)],
    ];
    if (!(name in full)) return change("drop");
    if (name === lockName) return name in alone ? change("first", alone[name]) : [];
    if (full[name] !== taken) return change("last", full[name]);
    if (!(name in alone)) return [];
    return change(name in locked ? "first" : "open", alone[name]);
  });
}

/** Reads a summary as the script of `append` writes it: the time, and then a line for each field, with a tab behind its name. */
export function parseSummary(text: string): { mtime: number; data: Record<string, unknown> } {
  const [mtime, ...lines] = text.split("\n");
  const fields = lines.map((line) => {
    const tab = line.indexOf("\t");
    return [String(JSON.parse(line.slice(0, tab))), JSON.parse(line.slice(tab + 1)) as unknown];
  });
  return { mtime: Number(mtime), data: Object.fromEntries(fields) };
}
