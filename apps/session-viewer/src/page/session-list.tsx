import { useSignal } from "@preact/signals";
import type { JSX, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Match, SessionRow } from "../protocol.ts";
import { folderName, formatBytes, formatClock, formatDay } from "./format.ts";
import { onKeys } from "./keys.ts";
import {
  filters,
  goTo,
  hrefOf,
  noFilters,
  route,
  runs,
  search,
  searchFor,
  sessions,
  shownMatches,
  shownSessions,
} from "./state.ts";
import { type ListHandle, VirtualList } from "./virtual-list.tsx";

/** What the list shows: sessions under their days, or what a search found. */
type Item =
  | { readonly kind: "day"; readonly text: string }
  | { readonly kind: "session"; readonly session: SessionRow }
  | { readonly kind: "match"; readonly match: Match; readonly session: SessionRow };

export function SessionList(): JSX.Element {
  const current = useSignal(-1);
  const handle = useRef<ListHandle | undefined>(undefined);
  const items = itemsOf();
  const latest = useRef(items);
  latest.current = items;

  useEffect(() => {
    return onKeys(({ key }) => {
      if (route.value.name === "session") return false;
      const list = latest.current;
      if (key === "j" || key === "k") {
        const next = nextItem(list, current.value, key === "j" ? 1 : -1);
        current.value = next;
        handle.current?.scrollTo(next);
        return true;
      }
      const chosen = list[current.value];
      if (key !== "Enter" || chosen === undefined || chosen.kind === "day") return false;
      goTo(targetOf(chosen));
      return true;
    });
  }, [current]);

  const opened = route.value.name === "session" ? route.value : undefined;
  const render = (index: number): VNode => {
    const item = items[index];
    if (item === undefined) return <span />;
    if (item.kind === "day") return <h2 class="day">{item.text}</h2>;
    const target = targetOf(item);
    const isOpened = opened?.sessionId === target.sessionId && (item.kind === "session" || opened.at === target.at);
    return (
      <a
        class={`session${index === current.value ? " current" : ""}`}
        href={hrefOf(target)}
        aria-current={isOpened ? "page" : undefined}
        onClick={() => {
          current.value = index;
        }}
      >
        {item.kind === "session" ? (
          <SessionItem session={item.session} />
        ) : (
          <MatchItem match={item.match} session={item.session} />
        )}
      </a>
    );
  };

  return (
    <nav class="list" aria-label="Sessions">
      <FilterBar />
      <VirtualList
        class="sessions"
        role="list"
        label={search.value === undefined ? "Sessions" : "Matches"}
        count={items.length}
        estimate={(index) => (items[index]?.kind === "day" ? 32 : 54)}
        keyOf={(index) => keyOf(items[index], index)}
        render={render}
        handle={handle}
      />
      {items.length === 0 && sessions.value !== undefined ? <Nothing /> : null}
    </nav>
  );
}

function itemsOf(): readonly Item[] {
  if (search.value !== undefined) {
    return shownMatches.value.map((match) => ({ kind: "match", match, session: match.session }));
  }
  const items: Item[] = [];
  let day = "";
  for (const session of shownSessions.value) {
    const text = formatDay(session.lastModified);
    if (text !== day) items.push({ kind: "day", text });
    day = text;
    items.push({ kind: "session", session });
  }
  return items;
}

function keyOf(item: Item | undefined, index: number): string {
  if (item?.kind === "session") return item.session.sessionId;
  return item?.kind === "day" ? `day ${item.text}` : String(index);
}

function targetOf(item: Exclude<Item, { kind: "day" }>): { name: "session"; sessionId: string; at?: number } {
  if (item.kind === "session") return { name: "session", sessionId: item.session.sessionId };
  return { name: "session", sessionId: item.match.sessionId, at: item.match.at };
}

function nextItem(items: readonly Item[], from: number, step: number): number {
  for (let index = from + step; index >= 0 && index < items.length; index += step) {
    if (items[index]?.kind !== "day") return index;
  }
  return from;
}

function SessionItem({ session }: { readonly session: SessionRow }): JSX.Element {
  const { title, cwd, gitBranch, tag, fileSize, lastModified, archived, sessionId } = session;
  const run = runs.value.get(sessionId);
  const isOpen = run !== undefined && run.state !== "ended" && run.state !== "failed";
  return (
    <>
      <span class="title">
        {isOpen ? <span class={`dot ${run.questions.length > 0 ? "asks" : run.state}`} title={run.state} /> : null}
        <span class="text">{title}</span>
      </span>
      <span class="meta">
        <time>{formatClock(lastModified)}</time>
        {cwd === undefined ? null : <span title={cwd}>{folderName(cwd)}</span>}
        {gitBranch === undefined || gitBranch === "HEAD" ? null : <span>{gitBranch}</span>}
        {tag === undefined ? null : <span class="pill">{tag}</span>}
        {archived === true ? <span class="pill">archived</span> : null}
        {fileSize === undefined ? null : <span class="right">{formatBytes(fileSize)}</span>}
      </span>
    </>
  );
}

function MatchItem({ match, session }: { readonly match: Match; readonly session: SessionRow }): JSX.Element {
  const { title, cwd } = session;
  const time = match.time ?? session.lastModified;
  return (
    <>
      <span class="title">
        <span class="text">{title}</span>
      </span>
      <span class="excerpt">{match.excerpt}</span>
      <span class="meta">
        <time>
          {formatDay(time)} {formatClock(time)}
        </time>
        {cwd === undefined ? null : <span title={cwd}>{folderName(cwd)}</span>}
      </span>
    </>
  );
}

function Nothing(): JSX.Element {
  if (search.value !== undefined) {
    const { done, query, matches } = search.value;
    const none = matches.length === 0 ? `Nobody said “${query}”.` : "No session with a match fits the filters.";
    return <p class="nothing muted">{done ? none : "Searching…"}</p>;
  }
  return (
    <p class="nothing muted">
      {sessions.value?.length === 0 ? "There are no sessions yet." : "No session fits the filters."}
    </p>
  );
}

function FilterBar(): JSX.Element {
  const { text, folder, days, archived } = filters.value;
  const set = (change: Partial<typeof filters.value>): void => {
    filters.value = { ...filters.value, ...change };
  };
  const all = sessions.value ?? [];
  const folders = [...new Set(all.flatMap(({ cwd }) => cwd ?? []))].sort();
  const isFiltered = text !== "" || folder !== "" || days !== 0 || archived;
  const clear = (): void => {
    filters.value = noFilters;
    void searchFor("");
  };
  return (
    <search class="filters">
      <input
        id="filter"
        type="search"
        placeholder="Filter; Enter searches the text"
        aria-label="Filter the sessions; Enter searches what was said"
        value={text}
        onInput={(event) => {
          set({ text: event.currentTarget.value });
          if (search.value !== undefined) void searchFor("");
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            void searchFor(event.currentTarget.value);
            event.currentTarget.blur();
          }
        }}
      />
      <div class="choices">
        <select aria-label="Folder" value={folder} onChange={(event) => set({ folder: event.currentTarget.value })}>
          <option value="">All folders</option>
          {folders.map((path) => (
            <option key={path} value={path}>
              {folderName(path)}
            </option>
          ))}
        </select>
        <select aria-label="Time" value={days} onChange={(event) => set({ days: Number(event.currentTarget.value) })}>
          <option value={0}>Any time</option>
          <option value={1}>24 hours</option>
          <option value={7}>7 days</option>
          <option value={30}>30 days</option>
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={archived}
            onChange={(event) => set({ archived: event.currentTarget.checked })}
          />
          Archived
        </label>
      </div>
      <p class="count muted" role="status">
        {search.value === undefined
          ? countOf(shownSessions.value.length, "session")
          : countOf(shownMatches.value.length, "match")}
        {isFiltered ? (
          <button type="button" class="plain-button" onClick={clear}>
            Clear
          </button>
        ) : null}
      </p>
    </search>
  );
}

function countOf(count: number, what: "session" | "match"): string {
  if (count === 1) return `1 ${what}`;
  return `${count} ${what === "match" ? "matches" : "sessions"}`;
}
