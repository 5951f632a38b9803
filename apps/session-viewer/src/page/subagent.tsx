import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { filterRows, keyOfRow } from "./conversation.ts";
import { ForkRowView } from "./fork-row.tsx";
import { TranscriptRow } from "./row.tsx";
import { hrefOf } from "./state.ts";
import { Transcript } from "./transcript.ts";

/** What is shown in place. More is on a page of its own, where the list is virtual. */
const maxRows = 100;

/** The transcript of a subagent, inside of the call that started it. */
export function Subagent({
  sessionId,
  agentId,
}: {
  readonly sessionId: string;
  readonly agentId: string;
}): JSX.Element {
  const transcript = useMemo(() => new Transcript(sessionId, agentId), [sessionId, agentId]);
  const opened = useSignal<ReadonlySet<string>>(new Set());
  useEffect(() => {
    transcript.open({ follow: false });
    return () => transcript.close();
  }, [transcript]);
  const { rows: all } = transcript.view.value;
  const rows = useMemo(() => filterRows(all, new Set(["tools", "thinking"])), [all]);
  return (
    <section class="subagent" aria-label="Subagent">
      <h3>
        Subagent
        <a href={hrefOf({ name: "session", sessionId, agentId })}>Open as a page</a>
      </h3>
      {transcript.problem.value === undefined ? null : <p class="problem">{transcript.problem.value}</p>}
      {rows.slice(0, maxRows).map((row, index) => {
        const key = keyOfRow(row);
        const place = { index, count: rows.length, isCurrent: false };
        if ("fork" in row) {
          const { fork } = row;
          return <ForkRowView {...place} key={key} fork={fork} onTurn={(step) => transcript.turn(fork, step)} />;
        }
        return (
          <TranscriptRow
            {...place}
            key={key}
            transcript={transcript}
            row={row}
            isOpen={opened.value.has(key)}
            agents={[]}
            subagent={(inner) => <Subagent sessionId={sessionId} agentId={inner} />}
            onToggle={() => {
              const next = new Set(opened.value);
              if (!next.delete(key)) next.add(key);
              opened.value = next;
            }}
          />
        );
      })}
      {rows.length > maxRows ? <p class="muted">{rows.length - maxRows} more on its page</p> : null}
    </section>
  );
}
