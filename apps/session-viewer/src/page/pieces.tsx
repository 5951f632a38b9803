import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { EntryView, Part, Picture } from "../protocol.ts";
import { formatBytes, formatCount } from "./format.ts";
import { Markdown } from "./markdown.tsx";
import type { Transcript } from "./transcript.ts";

/** Reads an entry while it is in sight. */
export function useEntry(transcript: Transcript, at: number | undefined): EntryView | undefined {
  useEffect(() => (at === undefined ? undefined : transcript.want(at)), [transcript, at]);
  return at === undefined ? undefined : transcript.entry(at).value;
}

/** A part that is closed until someone wants to read it. */
export function Fold(props: {
  readonly label: string;
  readonly detail: ComponentChildren;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <>
      <button type="button" class="fold" aria-expanded={props.isOpen} onClick={props.onToggle}>
        <Chevron isOpen={props.isOpen} />
        <span class="label">{props.label}</span>
        <span class="detail">{props.detail}</span>
      </button>
      {props.isOpen ? <div class="unfolded">{props.children}</div> : null}
    </>
  );
}

export function Chevron({ isOpen }: { readonly isOpen: boolean }): JSX.Element {
  return (
    <svg class="chevron" viewBox="0 0 10 10" aria-hidden="true">
      <path
        d={isOpen ? "M2 3.5 5 6.5 8 3.5" : "M3.5 2 6.5 5 3.5 8"}
        fill="none"
        stroke="currentColor"
        stroke-width={1.4}
      />
    </svg>
  );
}

/** How much of a text is shown at first. */
const shownLength = 20_000;

/** Text of any length: its beginning at first, and all of it when asked. */
export function LongText(props: {
  readonly part: Part | undefined;
  readonly onMore: () => Promise<void>;
  readonly plain?: boolean;
}): JSX.Element {
  const all = useSignal(false);
  const { part, onMore, plain = false } = props;
  if (part === undefined || !("text" in part)) return <Coming />;
  const { text, length } = part;
  const shown = all.value ? text : text.slice(0, shownLength);
  const showAll = async (): Promise<void> => {
    if (text.length < length) await onMore();
    all.value = true;
  };
  return (
    <>
      {plain || all.value ? <pre class="plain">{shown}</pre> : <Markdown text={shown} />}
      {shown.length < length ? (
        <button type="button" class="more" onClick={() => void showAll()}>
          Show all {formatCount(length)} characters
        </button>
      ) : null}
    </>
  );
}

export function PictureView(props: { readonly picture: Picture; readonly onMore: () => Promise<void> }): JSX.Element {
  const { mime, data, bytes, reason } = props.picture;
  if (data !== undefined)
    return <img class="picture" src={`data:${mime};base64,${data}`} alt={`${mime}, ${formatBytes(bytes)}`} />;
  if (reason === "size") {
    return (
      <button type="button" class="more" onClick={() => void props.onMore()}>
        Show the picture, {formatBytes(bytes)}
      </button>
    );
  }
  return (
    <p class="muted">
      A picture that is not shown: {mime}, {formatBytes(bytes)}
    </p>
  );
}

/** Stands where something is still to come. */
export function Coming(): JSX.Element {
  return <span class="coming" aria-hidden="true" />;
}
