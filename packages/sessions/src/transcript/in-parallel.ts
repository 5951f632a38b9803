/**
 * How many files are open at once. More gains nothing on a thread pool of four and meets the limit on descriptors: with a limit of 256 the
 * host needs most of them itself.
 */
const maxOpenFiles = 16;

/**
 * Calls `work` for each item, at most `limit` at a time, and returns the results in the order of the items.
 *
 * The first failure rejects, once the calls that are under way have ended.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  limit: number = maxOpenFiles,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const failures: unknown[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
