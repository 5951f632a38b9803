import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { AgentRow } from "../protocol.ts";
import { ContextMeter, windowOf } from "./charts.tsx";
import type { RowFilter } from "./conversation.ts";
import { folderName, visible } from "./format.ts";
import { detailsOpen, hrefOf, runs, sessions } from "./state.ts";
import type { Transcript } from "./transcript.ts";

const filterNames: readonly (readonly [RowFilter, string])[] = [
  ["tools", "Tools"],
  ["thinking", "Thinking"],
  ["records", "Records"],
];

function statusOf({ state, grew, view }: Transcript): string {
  if (state.value === "loading") return `reading, ${view.value.rows.length} so far`;
  if (state.value === "lost") return "not followed";
  return grew.value ? "live" : "up to date";
}

/** What a session is called, how full its context window is, and what of it is shown. */
export function TranscriptHeader(props: {
  readonly transcript: Transcript;
  readonly sessionId: string;
  readonly agentId: string | undefined;
  readonly agent: AgentRow | undefined;
  readonly filter: Signal<ReadonlySet<RowFilter>>;
  readonly following: Signal<boolean>;
  /** None: it cannot be gone on with here. */
  readonly continuing: Signal<boolean> | undefined;
}): JSX.Element {
  const { transcript, sessionId, agentId, agent, filter, following, continuing } = props;
  const session = sessions.value?.find((row) => row.sessionId === sessionId);
  const { state } = transcript;
  const { context, model } = transcript.view.value;
  const tokens = context.findLast(({ compacted }) => !compacted)?.tokens ?? 0;
  const title = session?.title ?? (runs.value.has(sessionId) ? "New session" : sessionId);
  useEffect(() => {
    document.title = `${visible(title)} – Sessions`;
    return () => {
      document.title = "Sessions";
    };
  }, [title]);
  return (
    <header class="session-header">
      <div class="line">
        <a class="button back" href={hrefOf({ name: "home" })} aria-label="Back to the list">
          ‹
        </a>
        <h1 title={title}>
          {agentId === undefined ? (
            title
          ) : (
            <>
              <a href={hrefOf({ name: "session", sessionId })}>{title}</a>
              <span class="muted"> / </span>
              {agent?.description ?? agent?.agentType ?? agentId}
            </>
          )}
        </h1>
        <ContextMeter tokens={tokens} size={windowOf(tokens, model)} />
      </div>
      <div class="line second">
        <p class="meta">
          <span class={`live ${transcript.grew.value ? "grows" : state.value}`} role="status">
            {statusOf(transcript)}
          </span>
          {session?.cwd === undefined ? null : <span title={session.cwd}>{folderName(session.cwd)}</span>}
          {session?.gitBranch === undefined || session.gitBranch === "HEAD" ? null : <span>{session.gitBranch}</span>}
          {model === undefined ? null : <span>{model}</span>}
        </p>
        <div class="controls">
          <fieldset class="kinds">
            <legend class="hidden">What is shown</legend>
            {filterNames.map(([name, label]) => (
              <label key={name} class="chip">
                <input
                  type="checkbox"
                  checked={filter.value.has(name)}
                  onChange={() => {
                    const next = new Set(filter.value);
                    if (!next.delete(name)) next.add(name);
                    filter.value = next;
                  }}
                />
                {label}
              </label>
            ))}
          </fieldset>
          {continuing === undefined ? null : (
            <button
              type="button"
              class="button"
              aria-pressed={continuing.value}
              title="Go on with this session here (c)"
              onClick={() => {
                continuing.value = !continuing.value;
              }}
            >
              Continue
            </button>
          )}
          <button
            type="button"
            class="button"
            aria-pressed={following.value}
            title="Stay at the end (f)"
            onClick={() => {
              following.value = !following.value;
            }}
          >
            Follow
          </button>
          <button
            type="button"
            class="button"
            aria-pressed={detailsOpen.value}
            onClick={() => {
              detailsOpen.value = !detailsOpen.value;
            }}
          >
            Details
          </button>
        </div>
      </div>
    </header>
  );
}
