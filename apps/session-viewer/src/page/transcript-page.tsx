import { type Signal, useSignal } from "@preact/signals";
import type { JSX, VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { AgentRow } from "../protocol.ts";
import { getJson } from "./api.ts";
import { Details } from "./details.tsx";
import { onKeys } from "./keys.ts";
import { keyOfRow, TranscriptRow } from "./row.tsx";
import { RunDock } from "./run-dock.tsx";
import { detailsOpen, refreshSessions, runs, sessions } from "./state.ts";
import { Subagent } from "./subagent.tsx";
import { type Row, type RowFilter, Transcript } from "./transcript.ts";
import { TranscriptHeader } from "./transcript-header.tsx";
import { type ListHandle, VirtualList } from "./virtual-list.tsx";

export interface TranscriptPageProps {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
  /** The entry to begin at. */
  readonly at?: number | undefined;
}

/** A transcript with its header, its rows and, where this server runs it, what can be said to it. */
export function TranscriptPage({ sessionId, agentId, at }: TranscriptPageProps): JSX.Element {
  const transcript = useMemo(() => new Transcript(sessionId, agentId), [sessionId, agentId]);
  const filter = useSignal<ReadonlySet<RowFilter>>(new Set(["tools", "thinking"]));
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const current = useSignal(-1);
  const handle = useRef<ListHandle | undefined>(undefined);
  const run = agentId === undefined ? runs.value.get(sessionId) : undefined;
  // Whoever starts a session wants to see it go on. Otherwise a transcript is read from its beginning.
  const isRun = run !== undefined && run.state !== "ended" && run.state !== "failed";
  const following = useSignal(isRun);
  useEffect(() => {
    if (isRun) following.value = true;
  }, [isRun, following]);

  useEffect(() => {
    transcript.open({ follow: true });
    // Keys are for the transcript now, not for the link that led here.
    handle.current?.focus();
    return () => transcript.close();
  }, [transcript]);

  const isLive = transcript.state.value === "live";
  const version = transcript.version.value;
  const agents = useAgents(transcript, sessionId, agentId);
  // A session that was just begun comes into the list with its first line.
  const isNew = transcript.rows.length > 0 && !(sessions.value?.some((row) => row.sessionId === sessionId) ?? true);
  useEffect(() => {
    if (isNew) void refreshSessions();
  }, [isNew]);
  const rows = useMemo(() => transcript.shown(filter.value), [transcript, version, filter.value]);
  const latest = useRef(rows);
  latest.current = rows;

  useGoal(at, rows, (index, row) => {
    current.value = index;
    // What was searched for may be behind a fold.
    opened.value = new Set(opened.peek()).add(keyOfRow(row));
    handle.current?.scrollTo(index, "center");
  });

  const toggle = (row: Row): void => {
    following.value = false;
    const next = new Set(opened.value);
    const key = keyOfRow(row);
    if (!next.delete(key)) next.add(key);
    opened.value = next;
  };
  useRowKeys(latest, current, following, handle, toggle);

  const isFollowing = isLive && following.value;
  useEffect(() => {
    if (isFollowing) handle.current?.scrollTo(latest.current.length - 1, "end");
  }, [isFollowing]);

  const render = (index: number): VNode => {
    const row = rows[index];
    if (row === undefined) return <span />;
    return (
      <TranscriptRow
        transcript={transcript}
        row={row}
        index={index}
        count={rows.length}
        isCurrent={index === current.value}
        isOpen={opened.value.has(keyOfRow(row))}
        agents={agents}
        subagent={(inner) => <Subagent sessionId={sessionId} agentId={inner} />}
        onToggle={() => {
          current.value = index;
          toggle(row);
        }}
      />
    );
  };

  return (
    <div class="transcript">
      <div class="transcript-main">
        <TranscriptHeader
          transcript={transcript}
          sessionId={sessionId}
          agent={agents.find((row) => row.agentId === agentId)}
          agentId={agentId}
          filter={filter}
          following={following}
        />
        {transcript.problem.value === undefined ? null : (
          <p class="problem" role="alert">
            {transcript.problem.value}
          </p>
        )}
        <VirtualList
          class="rows"
          role="feed"
          label="Transcript"
          count={rows.length}
          estimate={(index) => estimate(rows[index])}
          keyOf={(index) => keyOfRow(rows[index])}
          render={render}
          handle={handle}
          stick={isFollowing}
          onScrollUp={() => {
            following.value = false;
          }}
        />
        {rows.length === 0 ? <p class="nothing muted">{emptyText(transcript, run !== undefined)}</p> : null}
        {run === undefined ? null : <RunDock run={run} />}
      </div>
      {detailsOpen.value ? <Details transcript={transcript} sessionId={sessionId} /> : null}
    </div>
  );
}

function emptyText(transcript: Transcript, isRun: boolean): string {
  if (transcript.state.value === "loading" || isRun) return "Reading…";
  return transcript.rows.length > 0 ? "Nothing of the chosen kinds." : "The transcript is empty.";
}

/** Goes once to the entry where a search or a link leads, when its row is there. */
function useGoal(at: number | undefined, rows: readonly Row[], onFound: (index: number, row: Row) => void): void {
  const goal = useRef(at);
  useEffect(() => {
    goal.current = at;
  }, [at]);
  useEffect(() => {
    if (goal.current === undefined) return;
    const index = rows.findIndex(({ stub, result }) => stub.at === goal.current || result?.at === goal.current);
    const row = rows[index];
    if (row === undefined) return;
    goal.current = undefined;
    onFound(index, row);
  });
}

/** The tools that start subagents, by their names of today and of before. */
function isAgentCall(name: string | undefined): boolean {
  return name === "Agent" || name === "Task";
}

/** The subagents of a session, asked for again when a call starts another one: their transcripts come into being while the session is watched. */
function useAgents(transcript: Transcript, sessionId: string, agentId: string | undefined): readonly AgentRow[] {
  const agents = useSignal<readonly AgentRow[]>([]);
  const calls = transcript.rows.reduce((count, { stub }) => count + (isAgentCall(stub.name) ? 1 : 0), 0);
  const isNeeded = agentId !== undefined || calls > 0;
  const isLive = transcript.state.value === "live";
  useEffect(() => {
    if (!isNeeded || !isLive) return;
    const ended = new AbortController();
    getJson<AgentRow[]>(`/sessions/${sessionId}/agents`, ended.signal).then(
      (rows) => {
        agents.value = rows;
      },
      // The calls are there without them.
      () => {},
    );
    return () => ended.abort();
  }, [sessionId, isNeeded, calls, isLive, agents]);
  return agents.value;
}

/** The keys of the list of rows. */
function useRowKeys(
  rows: { readonly current: readonly Row[] },
  current: Signal<number>,
  following: Signal<boolean>,
  handle: { readonly current: ListHandle | undefined },
  toggle: (row: Row) => void,
): void {
  const act = useRef(toggle);
  act.current = toggle;
  useEffect(() => {
    const show = (index: number): void => {
      if (index < 0 || index >= rows.current.length) return;
      current.value = index;
      handle.current?.scrollTo(index);
      handle.current?.focus();
      following.value = index === rows.current.length - 1;
    };
    return onKeys(({ key }) => {
      const row = rows.current[current.value];
      if (key === "j") show(current.value + 1);
      else if (key === "k") show(current.value - 1);
      else if (key === "g") show(0);
      else if (key === "G") show(rows.current.length - 1);
      else if (key === "f") following.value = !following.value;
      else if ((key === "Enter" || key === " ") && row !== undefined) act.current(row);
      else return false;
      return true;
    });
  }, [rows, current, following, handle]);
}

/** A guess, until the row was seen. */
function estimate(row: Row | undefined): number {
  switch (row?.stub.kind) {
    case "prompt":
    case "text":
    case "notice":
    case "error":
      return 34 + Math.ceil(Math.min(row.stub.size, 20_000) / 92) * 22;
    case "image":
      return 240;
    case "compaction":
      return 52;
    default:
      return 35;
  }
}
