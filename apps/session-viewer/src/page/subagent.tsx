import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { keyOfRow, TranscriptRow } from "./row.tsx";
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
  const version = transcript.version.value;
  const rows = useMemo(() => transcript.shown(new Set(["tools", "thinking"])), [transcript, version]);
  return (
    <section class="subagent" aria-label="Subagent">
      <h3>
        Subagent
        <a href={hrefOf({ name: "session", sessionId, agentId })}>Open as a page</a>
      </h3>
      {transcript.problem.value === undefined ? null : <p class="problem">{transcript.problem.value}</p>}
      {rows.slice(0, maxRows).map((row, index) => (
        <TranscriptRow
          key={keyOfRow(row)}
          transcript={transcript}
          row={row}
          index={index}
          count={rows.length}
          isCurrent={false}
          isOpen={opened.value.has(keyOfRow(row))}
          agents={[]}
          subagent={(inner) => <Subagent sessionId={sessionId} agentId={inner} />}
          onToggle={() => {
            const next = new Set(opened.value);
            if (!next.delete(keyOfRow(row))) next.add(keyOfRow(row));
            opened.value = next;
          }}
        />
      ))}
      {rows.length > maxRows ? <p class="muted">{rows.length - maxRows} more on its page</p> : null}
    </section>
  );
}
