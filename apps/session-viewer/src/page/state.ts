import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { About, Match, RunView, SessionRow, UsageView } from "../protocol.ts";
import { ApiError, getJson, keepOpen, readEvents } from "./api.ts";

/** What the page shows: the address says it, so that reload and back work. */
export type Route =
  | { readonly name: "home" }
  | { readonly name: "usage" }
  | { readonly name: "new" }
  | { readonly name: "session"; readonly sessionId: string; readonly agentId?: string; readonly at?: number };

export const route: Signal<Route> = signal(parseRoute(location.hash));
export const about: Signal<About | undefined> = signal(undefined);
export const sessions: Signal<readonly SessionRow[] | undefined> = signal(undefined);
export const runs: Signal<ReadonlyMap<string, RunView>> = signal(new Map());
/** Why nothing can be shown. */
export const failure: Signal<string | undefined> = signal(undefined);
export const helpOpen: Signal<boolean> = signal(false);
export const detailsOpen: Signal<boolean> = signal(innerWidth > 1180);

export interface Filters {
  readonly text: string;
  readonly folder: string;
  readonly days: number;
  readonly archived: boolean;
}
export const noFilters: Filters = { text: "", folder: "", days: 0, archived: false };
export const filters: Signal<Filters> = signal(noFilters);

/** Results of the search in what was said. */
export interface Search {
  readonly query: string;
  readonly matches: readonly Match[];
  readonly done: boolean;
}
export const search: Signal<Search | undefined> = signal(undefined);

/** The sessions that the choices leave; what is typed is for their names, or for what was said in them. */
const chosenSessions: ReadonlySignal<readonly SessionRow[]> = computed(() => {
  const { folder, days, archived } = filters.value;
  const since = days === 0 ? 0 : Date.now() - days * 86_400_000;
  return (sessions.value ?? []).filter((session) => {
    if (session.archived === true && !archived) return false;
    return session.lastModified >= since && (folder === "" || session.cwd === folder);
  });
});

export const shownSessions: ReadonlySignal<readonly SessionRow[]> = computed(() => {
  const words = filters.value.text.toLowerCase().split(/\s+/).filter(Boolean);
  return chosenSessions.value.filter((session) => {
    const { title, firstPrompt, cwd, gitBranch, tag, sessionId } = session;
    const all = [title, firstPrompt, cwd, gitBranch, tag, sessionId].join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
});

/** What a search found, and in which session. */
export const shownMatches: ReadonlySignal<readonly (Match & { readonly session: SessionRow })[]> = computed(() => {
  const bySession = new Map(chosenSessions.value.map((session) => [session.sessionId, session]));
  return (search.value?.matches ?? []).flatMap((match) => {
    const session = bySession.get(match.sessionId);
    return session === undefined ? [] : { ...match, session };
  });
});

export const questionCount: ReadonlySignal<number> = computed(() => {
  return [...runs.value.values()].reduce((count, run) => count + run.questions.length, 0);
});

function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name, sessionId, agentId] = path.split("/").map(decodeURIComponent);
  if (name === "usage" || name === "new") return { name };
  if (name !== "s" || sessionId === undefined) return { name: "home" };
  const at = /^at=(\d+)$/.exec(query)?.[1];
  return {
    name: "session",
    sessionId,
    ...(agentId === undefined ? {} : { agentId }),
    ...(at === undefined ? {} : { at: Number(at) }),
  };
}

export function hrefOf(to: Route): string {
  if (to.name === "home") return "#/";
  if (to.name !== "session") return `#/${to.name}`;
  const agent = to.agentId === undefined ? "" : `/${encodeURIComponent(to.agentId)}`;
  return `#/s/${encodeURIComponent(to.sessionId)}${agent}${to.at === undefined ? "" : `?at=${to.at}`}`;
}

export function goTo(to: Route): void {
  location.hash = hrefOf(to);
}

/** Reads what the page begins with, and keeps the state of running sessions. */
export async function startState(): Promise<void> {
  addEventListener("hashchange", () => {
    route.value = parseRoute(location.hash);
  });
  // Sessions may have come while the page was not looked at.
  addEventListener("focus", () => void refreshSessions());
  try {
    about.value = await getJson<About>("/about");
    await refreshSessions();
    if (about.value.cwd !== undefined) await watchRuns();
  } catch (error) {
    fail(error);
  }
}

export async function refreshSessions(): Promise<void> {
  try {
    sessions.value = await getJson<SessionRow[]>("/sessions");
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  const missing = error instanceof ApiError && error.status === 401;
  failure.value = missing
    ? "Open the address that the server printed: it has the token."
    : `The server does not answer: ${error instanceof Error ? error.message : String(error)}`;
}

async function watchRuns(): Promise<void> {
  const forever = new AbortController().signal;
  await keepOpen(forever, async () => {
    for await (const { event, data } of readEvents("/runs", forever)) {
      if (event !== "run") continue;
      const run = data as RunView;
      const before = runs.value.get(run.sessionId)?.state;
      runs.value = new Map(runs.value).set(run.sessionId, run);
      if (before !== run.state) void refreshSessions();
    }
    return "again";
  });
}

let searching = new AbortController();

/** Searches what was said, in all sessions; an empty query ends it. */
export async function searchFor(query: string): Promise<void> {
  searching.abort();
  searching = new AbortController();
  const { signal: ended } = searching;
  if (query.trim().length < 2) {
    search.value = undefined;
    return;
  }
  search.value = { query, matches: [], done: false };
  try {
    for await (const { event, data } of readEvents(`/search?q=${encodeURIComponent(query)}`, ended)) {
      const now = search.peek();
      if (ended.aborted || now === undefined) return;
      if (event === "match") search.value = { ...now, matches: [...now.matches, data as Match] };
    }
  } catch (error) {
    if (ended.aborted) return;
    if (!(error instanceof ApiError)) fail(error);
  }
  const now = search.peek();
  if (!ended.aborted && now !== undefined) search.value = { ...now, done: true };
}

/** What all sessions used, as it is counted. */
export function readUsage(onUsage: (usage: UsageView) => void, onEnd: () => void): () => void {
  const ended = new AbortController();
  (async () => {
    for await (const { event, data } of readEvents("/usage", ended.signal)) {
      if (event === "usage") onUsage(data as UsageView);
    }
    onEnd();
  })().catch((error: unknown) => {
    if (!ended.signal.aborted) fail(error);
  });
  return () => ended.abort();
}
