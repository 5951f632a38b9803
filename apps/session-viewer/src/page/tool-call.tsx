import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Hunk, Json, Part } from "../protocol.ts";
import { DiffView, hunksOfEdit } from "./diff-view.tsx";
import { formatDuration, visible } from "./format.ts";
import { Chevron, Coming, LongText, PictureView, useEntry } from "./pieces.tsx";
import type { RowProps } from "./row.tsx";

type Call = Extract<Part, { kind: "call" }>;
type Result = Extract<Part, { kind: "result" }>;

/** A call of a tool in one line, with its input and what came of it behind it. */
export function ToolCall(props: RowProps & { readonly part: Part | undefined }): JSX.Element {
  const { transcript, row, part, isOpen, onToggle } = props;
  const call = part?.kind === "call" ? part : undefined;
  const stub = row.stub.kind === "result" ? row.stub : row.result;
  // The result is an entry of its own, read when the call is opened.
  const view = useEntry(transcript, isOpen ? stub?.at : undefined);
  const found = stub === undefined ? undefined : view?.parts[stub.part];
  const result = found?.kind === "result" ? found : undefined;
  const failed = stub?.failed === true;
  const tookMs =
    row.stub.time === undefined || row.result?.time === undefined ? undefined : row.result.time - row.stub.time;
  return (
    <>
      <button
        type="button"
        class={`fold call-line${failed ? " failed" : ""}`}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Chevron isOpen={isOpen} />
        <span class="label">{row.stub.name ?? "Result of a call that is not here"}</span>
        <span class="detail">{call === undefined ? "" : summaryOf(call.input)}</span>
        <span class="outcome">
          {failed ? <span class="bad">failed</span> : null}
          {row.stub.kind === "call" && row.result === undefined ? <span class="muted">no result yet</span> : null}
          {tookMs === undefined ? null : <span>{formatDuration(Math.max(tookMs, 0))}</span>}
        </span>
      </button>
      {isOpen ? (
        <CallBody {...props} call={call} result={result} hasResult={stub !== undefined} resultAt={stub?.at} />
      ) : null}
    </>
  );
}

function CallBody(
  props: RowProps & {
    readonly call: Call | undefined;
    readonly result: Result | undefined;
    readonly hasResult: boolean;
    readonly resultAt: number | undefined;
  },
): JSX.Element {
  const { call, result, transcript, row, resultAt } = props;
  const hunks = useMemo(() => result?.patch ?? (call === undefined ? undefined : hunksOf(call.input)), [call, result]);
  const agent = props.agents.find((known) => known.call !== undefined && known.call === row.stub.call);
  const agentId = result?.agentId ?? agent?.agentId;
  const more = async (): Promise<void> => {
    if (resultAt !== undefined) await transcript.whole(resultAt);
  };
  // The result may know the change better than the input does: nothing is shown that would be replaced at once.
  if (props.hasResult && result === undefined) {
    return (
      <div class="unfolded">
        <Coming />
      </div>
    );
  }
  return (
    <div class="unfolded">
      {hunks === undefined || hunks.length === 0 ? null : <DiffView hunks={hunks} />}
      {call === undefined ? null : <Input input={call.input} withoutEdit={hunks !== undefined && hunks.length > 0} />}
      {agentId === undefined ? null : props.subagent(agentId)}
      {result === undefined ? null : (
        <section class="io">
          <h3>{result.failed ? "Failed" : "Result"}</h3>
          {result.length > 0 ? <LongText part={result} onMore={more} plain /> : null}
          {result.pictures.map((picture, index) => (
            <PictureView key={index} picture={picture} onMore={more} />
          ))}
          {result.length === 0 && result.pictures.length === 0 ? <p class="muted">Nothing.</p> : null}
        </section>
      )}
    </div>
  );
}

const editFields = ["old_string", "new_string", "edits"];

/** Input as its fields: text as it is, the rest as JSON. */
export function Input({
  input,
  withoutEdit = false,
}: {
  readonly input: Json;
  readonly withoutEdit?: boolean;
}): JSX.Element {
  const fields = fieldsOf(input).filter(([name]) => !withoutEdit || !editFields.includes(name));
  return (
    <section class="io">
      <h3>Input</h3>
      {fields.length === 0 ? <p class="muted">Nothing.</p> : null}
      <dl>
        {fields.map(([name, value]) => (
          <Field
            key={name}
            name={name}
            value={typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}
          />
        ))}
      </dl>
    </section>
  );
}

function Field({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  const isShort = value.length < 100 && !value.includes("\n");
  return (
    <div class={isShort ? "short" : ""}>
      <dt>{name}</dt>
      <dd>{isShort ? visible(value) : <pre class="plain">{visible(value)}</pre>}</dd>
    </div>
  );
}

function fieldsOf(input: Json): readonly (readonly [string, Json])[] {
  if (typeof input !== "object" || input === null) return input === null ? [] : [["value", input]];
  return Object.entries(input);
}

/** What says most about a call, in the order in which it is looked for. */
const telling = ["command", "file_path", "notebook_path", "pattern", "query", "url", "description", "prompt", "path"];

function summaryOf(input: Json): string {
  const fields = new Map(fieldsOf(input));
  const values = [...telling.map((name) => fields.get(name)), ...fields.values()];
  const text = values.find((value) => typeof value === "string");
  return typeof text === "string" ? visible(text.slice(0, 300)).replaceAll(/\s+/g, " ") : "";
}

/** What an edit changes, where its input says both sides. */
export function hunksOf(input: Json): readonly Hunk[] | undefined {
  const fields = new Map(fieldsOf(input));
  const before = fields.get("old_string");
  const after = fields.get("new_string");
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  // Lines end in newlines for the comparison; text of a field often does not.
  const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
  return hunksOfEdit(ended(before), ended(after));
}
