/**
 * Ids that the CLI made up, numbered in the order in which they are first seen in a recording: a UUID stays a UUID, and the short ids
 * of tasks and agents keep their length and their first letter, which tells their kind. So are the ids of the scripted model, which
 * counts its calls in the order in which they reach it: those of a subagent race with those of the main loop.
 */
export class ScrubbedIds {
  readonly #replacements = new Map<string, string>();
  #uuids = 0;
  #short = 0;
  /** How many ids of the scripted model there are, by their kind. */
  readonly #modelIds = new Map<string, number>();

  /** Takes note of the ids in a value, in order. */
  collect(value: unknown, key = ""): void {
    if (typeof value === "string") {
      for (const [uuid] of value.matchAll(uuidPattern)) this.#addUuid(uuid);
      for (const [id, kind = ""] of value.matchAll(modelPattern)) this.#addModelId(id, kind);
      if (shortIdKeys.has(key) && isShortId(value)) this.#addShort(value);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    for (const [name, item] of Object.entries(value)) {
      for (const [uuid] of name.matchAll(uuidPattern)) this.#addUuid(uuid);
      this.collect(item, Array.isArray(value) ? key : name);
    }
  }

  /** The text with numbers in place of ids. */
  replace(text: string): string {
    const known = (id: string): string => this.#replacements.get(id) ?? id;
    let result = text.replace(uuidPattern, known).replace(modelPattern, known);
    for (const [id, replacement] of this.#replacements) {
      if (id.length < uuidLength && !id.includes("_")) result = result.replaceAll(id, replacement);
    }
    return result;
  }

  #addUuid(uuid: string): void {
    if (this.#replacements.has(uuid)) return;
    this.#uuids += 1;
    this.#replacements.set(uuid, `00000000-0000-4000-8000-${String(this.#uuids).padStart(12, "0")}`);
  }

  #addModelId(id: string, kind: string): void {
    if (this.#replacements.has(id)) return;
    const count = (this.#modelIds.get(kind) ?? 0) + 1;
    this.#modelIds.set(kind, count);
    this.#replacements.set(id, `${kind}_${String(count).padStart(4, "0")}`);
  }

  #addShort(id: string): void {
    if (this.#replacements.has(id)) return;
    this.#short += 1;
    const kind = /^[a-z]/.test(id) ? id.slice(0, 1) : "0";
    this.#replacements.set(id, kind + String(this.#short).padStart(id.length - 1, "0"));
  }
}

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const uuidLength = 36;
const modelPattern = /\b(msg|req|toolu)_\d{4}\b/g;

/** Members that hold an id which is no UUID, in CLI 2.1.328. */
const shortIdKeys: ReadonlySet<string> = new Set([
  "agentId",
  "agent_id",
  "backgroundTaskId",
  "run_id",
  "shell_id",
  "taskId",
  "task_id",
]);

/** `b0zrja4rz` of a command, `a417dc6b8e2dc7e4c` of an agent, `0mx2fy3tu-e56ca6da` of a run. */
function isShortId(text: string): boolean {
  return /^(b[a-z0-9]{8}|a[0-9a-f]{16}|[a-z0-9]{9}-[0-9a-f]{8})$/.test(text);
}
