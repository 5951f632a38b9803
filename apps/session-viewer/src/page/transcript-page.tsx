import { useSignal } from "@preact/signals";
import type { JSX, VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RunView } from "../protocol.ts";
import { useAgents } from "./agents.ts";
import { ContinuePanel } from "./continue-panel.tsx";
import { type ForkRow, filterRows, keyOfRow, type PartRow, type Row, type RowFilter } from "./conversation.ts";
import { Details } from "./details.tsx";
import { ForkRowView } from "./fork-row.tsx";
import { useGoal } from "./goal.ts";
import { onKeys } from "./keys.ts";
import { OtherBranch } from "./other-branch.tsx";
import { TranscriptRow } from "./row.tsx";
import { useRowKeys } from "./row-keys.ts";
import { RunDock } from "./run-dock.tsx";
import { about, detailsOpen, refreshSessions, runs, sessions } from "./state.ts";
import { Subagent } from "./subagent.tsx";
import { Transcript } from "./transcript.ts";
import { TranscriptHeader } from "./transcript-header.tsx";
import { type ListHandle, VirtualList } from "./virtual-list.tsx";

export interface TranscriptPageProps {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
  /** The entry to begin at. */
  readonly at?: number | undefined;
}

/** A transcript with its header, its rows and what can be said to it. */
export function TranscriptPage({ sessionId, agentId, at }: TranscriptPageProps): JSX.Element {
  const transcript = useMemo(() => new Transcript(sessionId, agentId), [sessionId, agentId]);
  const filter = useSignal<ReadonlySet<RowFilter>>(new Set(["tools", "thinking"]));
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const current = useSignal(-1);
  const handle = useRef<ListHandle | undefined>(undefined);
  const run = agentId === undefined ? runs.value.get(sessionId) : undefined;
  // Whoever starts a session wants to see it go on. Otherwise a transcript is read from its beginning.
  const isRun = isOpen(run);
  const following = useSignal(isRun);
  useEffect(() => {
    if (!isRun) return;
    following.value = true;
    transcript.showLatest();
  }, [isRun, following, transcript]);

  useEffect(() => {
    transcript.open({ follow: true });
    // Keys are for the transcript now, not for the link that led here.
    handle.current?.focus();
    return () => transcript.close();
  }, [transcript]);

  const view = transcript.view.value;
  const isLive = transcript.state.value === "live";
  const agents = useAgents(transcript, sessionId, agentId);
  // A session that was just begun comes into the list with its first line.
  const isNew = view.rows.length > 0 && !(sessions.value?.some((row) => row.sessionId === sessionId) ?? true);
  useEffect(() => {
    if (isNew) void refreshSessions();
  }, [isNew]);
  const rows = useMemo(() => filterRows(view.rows, filter.value), [view, filter.value]);
  const length = useRef(0);
  length.current = rows.length;

  useGoal(transcript, at, rows, (index, row) => {
    current.value = index;
    // What was searched for may be behind a fold.
    opened.value = new Set(opened.peek()).add(keyOfRow(row));
    handle.current?.scrollTo(index, "center");
  });

  const turn = ({ fork }: ForkRow, step: number): void => {
    following.value = false;
    transcript.turn(fork, step);
  };
  const toggle = (row: PartRow): void => {
    following.value = false;
    const next = new Set(opened.value);
    const key = keyOfRow(row);
    if (!next.delete(key)) next.add(key);
    opened.value = next;
  };
  const act = (row: Row): void => {
    if ("fork" in row) turn(row, 1);
    else toggle(row);
  };
  useRowKeys({ rows, current, following, handle, onEnter: act, onTurn: turn });

  const isFollowing = isLive && following.value;
  useEffect(() => {
    if (isFollowing) handle.current?.scrollTo(length.current - 1, "end");
  }, [isFollowing]);

  const continuing = useSignal(false);
  const canContinue = about.value?.cwd !== undefined && agentId === undefined && !isRun;
  useEffect(() => {
    if (!canContinue) return;
    return onKeys(({ key }) => {
      if (key === "c") continuing.value = true;
      else if (key === "Escape" && continuing.value) continuing.value = false;
      else return false;
      return true;
    });
  }, [canContinue, continuing]);
  const isContinuing = canContinue && continuing.value;

  const render = (index: number): VNode => {
    const row = rows[index];
    if (row === undefined) return <span />;
    const place = { index, count: rows.length, isCurrent: index === current.value };
    if ("fork" in row) {
      return (
        <ForkRowView
          {...place}
          fork={row.fork}
          onTurn={(step) => {
            current.value = index;
            turn(row, step);
          }}
        />
      );
    }
    return (
      <TranscriptRow
        {...place}
        transcript={transcript}
        row={row}
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
          continuing={canContinue ? continuing : undefined}
        />
        {transcript.problem.value === undefined ? null : (
          <p class="problem" role="alert">
            {transcript.problem.value}
          </p>
        )}
        <OtherBranch transcript={transcript} />
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
        {run === undefined || isContinuing ? null : <RunDock run={run} onPrompt={() => transcript.showLatest()} />}
        {isContinuing ? (
          <ContinuePanel
            sessionId={sessionId}
            upTo={view.isLatest ? undefined : view.tip}
            onClose={() => {
              continuing.value = false;
            }}
          />
        ) : null}
      </div>
      {detailsOpen.value ? <Details transcript={transcript} sessionId={sessionId} /> : null}
    </div>
  );
}

function isOpen(run: RunView | undefined): boolean {
  return run !== undefined && run.state !== "ended" && run.state !== "failed";
}

function emptyText(transcript: Transcript, isRun: boolean): string {
  if (transcript.state.value === "loading" || isRun) return "Reading…";
  return transcript.view.value.rows.length > 0 ? "Nothing of the chosen kinds." : "The transcript is empty.";
}

/** A guess, until the row was seen. */
function estimate(row: Row | undefined): number {
  if (row === undefined || "fork" in row) return 40;
  switch (row.stub.kind) {
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
