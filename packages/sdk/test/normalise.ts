/** Names of members that hold a time, a duration or a number that the machine decides. */
const volatile = /(_ms|Ms|timestamp|_time|created_at|lastModified|fileSize|createdAt|pid|resets_at)$/;

/** Ids: of sessions and messages, of agents and tasks, of runs. */
const ids = [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, /\ba[0-9a-f]{16}\b/g, /\b[0-9a-z]{9}-[0-9a-f]{8}\b/g];

/**
 * A copy in which what differs from run to run has a name: ids by the order in which they are seen, times, the sandbox and the model.
 */
export function normalise(value: unknown, root: string, modelUrl: string): unknown {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    if (!names.has(id)) names.set(id, `<id ${names.size + 1}>`);
    return names.get(id) ?? id;
  };
  const textOf = (text: string): string => {
    const placed = text
      .replaceAll(root, "<sandbox>")
      .replaceAll(root.replaceAll(/[^A-Za-z0-9]/g, "-"), "<sandbox>")
      .replaceAll(modelUrl, "<model>")
      .replace(/\b\d+\.sock\b/g, "<pid>.sock")
      .replace(/duration_ms: \d+/g, "duration_ms: 0")
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g, "<time>");
    return ids.reduce((all, id) => all.replace(id, nameOf), placed);
  };
  const visit = (part: unknown, key: string): unknown => {
    if (typeof part === "number" && volatile.test(key)) return 0;
    if (typeof part === "string") return textOf(part);
    if (Array.isArray(part)) return part.map((item) => visit(item, key));
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, visit(item, name)]));
  };
  return visit(value, "");
}
