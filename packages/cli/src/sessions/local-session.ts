import {
  type InspectableSessionStore,
  importSession,
  readTranscript,
  type SessionIssue,
  type SessionKey,
  type SessionLocation,
  type SessionName,
  type SessionStore,
  type SessionStoreEntry,
} from "@reins/sessions";

/** The files of one session, for `verifySession`: to be read only, with double entries and broken lines, which stores do not have. */
export class LocalSession implements SessionStore, InspectableSessionStore {
  readonly name: SessionName;
  readonly #subpaths: readonly string[];
  readonly #configDir: string | undefined;
  readonly #signal: AbortSignal;
  readonly #read: Map<string, { readonly entries: SessionStoreEntry[]; readonly issues: SessionIssue[] }> = new Map();

  private constructor(keys: readonly SessionKey[], configDir: string | undefined, signal: AbortSignal) {
    const { projectKey, sessionId } = keys[0]!;
    this.name = { projectKey, sessionId };
    this.#subpaths = keys.flatMap(({ subpath }) => subpath ?? []);
    this.#configDir = configDir;
    this.#signal = signal;
  }

  /**
   * Finds the files.
   *
   * @throws SessionNotFoundError when there is no such session.
   */
  static async find(sessionId: string, location: SessionLocation, signal: AbortSignal): Promise<LocalSession> {
    // Importing knows which files belong to a session; here nothing is kept of it.
    const nowhere: SessionStore = { append: async () => {}, load: async () => null };
    const { dir, configDir } = location;
    const { transcripts } = await importSession(sessionId, nowhere, { dir, configDir, signal });
    return new LocalSession(
      transcripts.map(({ key }) => key),
      configDir,
      signal,
    );
  }

  async append(): Promise<void> {
    throw new Error("These files are to be read only.");
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[]> {
    return (await this.#transcript(key)).entries;
  }

  async listSubkeys(): Promise<string[]> {
    return [...this.#subpaths];
  }

  async inspect(key: SessionKey): Promise<SessionIssue[]> {
    return (await this.#transcript(key)).issues;
  }

  async #transcript(key: SessionKey): Promise<{ entries: SessionStoreEntry[]; issues: SessionIssue[] }> {
    const read = this.#read.get(key.subpath ?? "") ?? (await this.#readTranscript(key));
    this.#read.set(key.subpath ?? "", read);
    return read;
  }

  async #readTranscript(key: SessionKey): Promise<{ entries: SessionStoreEntry[]; issues: SessionIssue[] }> {
    const entries: SessionStoreEntry[] = [];
    const issues: SessionIssue[] = [];
    const options = { signal: this.#signal, configDir: this.#configDir, maxLineBytes: Number.POSITIVE_INFINITY };
    for await (const line of readTranscript(key, options)) {
      const { byteOffset, error, type } = line;
      if (error !== undefined) {
        issues.push({ kind: "broken-line", severity: "error", key, byteOffset, message: error.message });
      } else if (type !== undefined) entries.push({ ...line.entry, type });
    }
    return { entries, issues };
  }
}
