import type { JSX, VNode } from "preact";
import type { AgentRow, Part } from "../protocol.ts";
import type { PartRow } from "./conversation.ts";
import { formatClock, formatCount, formatDuration, formatPrecise } from "./format.ts";
import { Coming, Fold, LongText, PictureView, useEntry } from "./pieces.tsx";
import { ToolCall } from "./tool-call.tsx";
import type { Transcript } from "./transcript.ts";

export interface RowProps {
  readonly transcript: Transcript;
  readonly row: PartRow;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly agents: readonly AgentRow[];
  /** Shows the transcript of a subagent in its call. */
  readonly subagent: (agentId: string) => VNode;
  readonly index: number;
  readonly count: number;
  readonly isCurrent: boolean;
}

const roles: Readonly<Record<string, string>> = {
  prompt: "You",
  text: "Claude",
  error: "Error",
  notice: "Notice",
  image: "You",
};

/** One part of a transcript. */
export function TranscriptRow(props: RowProps): JSX.Element {
  const { row, isCurrent, index, count } = props;
  const { kind, time } = row.stub;
  const role = row.isSide ? "Subagent" : roles[kind];
  return (
    <article
      class={`row ${kind}${row.isSide ? " side" : ""}${isCurrent ? " current" : ""}`}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-label={role ?? kind}
      aria-current={isCurrent ? "true" : undefined}
    >
      <div class="gutter">
        {role === undefined ? null : <span class="role">{role}</span>}
        {time === undefined ? null : (
          <time dateTime={new Date(time).toISOString()} title={formatPrecise(time)}>
            {formatClock(time)}
          </time>
        )}
      </div>
      <div class="body">
        <Body {...props} />
      </div>
    </article>
  );
}

function Body(props: RowProps): JSX.Element | null {
  const { transcript, row, isOpen, onToggle } = props;
  const { stub } = row;
  const part = useEntry(transcript, stub.at)?.parts[stub.part];
  const more = (): Promise<void> => transcript.whole(stub.at);
  switch (stub.kind) {
    case "call":
    case "result":
      return <ToolCall {...props} part={part} />;
    case "thinking":
      return (
        <Fold label="Thinking" detail={`${formatCount(stub.size)} characters`} isOpen={isOpen} onToggle={onToggle}>
          <LongText part={part} onMore={more} />
        </Fold>
      );
    case "summary":
      return (
        <Fold
          label="Summary of what came before"
          detail={`${formatCount(stub.size)} characters`}
          isOpen={isOpen}
          onToggle={onToggle}
        >
          <LongText part={part} onMore={more} />
        </Fold>
      );
    case "record":
      return (
        <Fold label={stub.name ?? "record"} detail="" isOpen={isOpen} onToggle={onToggle}>
          <LongText part={part} onMore={more} plain />
        </Fold>
      );
    case "compaction":
      return <Compaction part={part} />;
    case "image":
      return part?.kind === "image" ? <PictureView picture={part.picture} onMore={more} /> : <Coming />;
    case "notice":
      return <LongText part={part} onMore={more} plain />;
    default:
      return <LongText part={part} onMore={more} />;
  }
}

function Compaction({ part }: { readonly part: Part | undefined }): JSX.Element {
  if (part?.kind !== "compaction") return <Coming />;
  const { trigger, tokensBefore, tokensAfter, durationMs } = part;
  const facts = [
    trigger,
    tokensBefore === undefined || tokensAfter === undefined
      ? undefined
      : `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`,
    durationMs === undefined ? undefined : formatDuration(durationMs),
  ];
  return (
    <p class="divider">
      <strong>Compacted</strong>
      <span>{facts.filter(Boolean).join(" · ")}</span>
    </p>
  );
}
