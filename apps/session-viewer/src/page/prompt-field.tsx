import { type Signal, signal } from "@preact/signals";
import type { JSX, Ref } from "preact";

/** What was written and not sent, by session: it is there again after a look elsewhere, and when another field takes the place of this one. */
const drafts: Signal<ReadonlyMap<string, string>> = signal(new Map());

export function setDraft(sessionId: string, text: string): void {
  drafts.value = new Map(drafts.value).set(sessionId, text);
}

/** Gives what was written, and leaves the field empty. */
export function takeDraft(sessionId: string): string {
  const text = drafts.value.get(sessionId)?.trim() ?? "";
  if (text !== "") setDraft(sessionId, "");
  return text;
}

/** A field for a prompt, in a form. Enter sends, as in a conversation. */
export function PromptField(props: {
  /** Empty for a session that there is not yet. */
  readonly sessionId: string;
  readonly label: string;
  readonly placeholder: string;
  readonly rows: number;
  readonly field?: Ref<HTMLTextAreaElement>;
}): JSX.Element {
  const { sessionId, label, placeholder, rows, field = null } = props;
  return (
    <textarea
      ref={field}
      rows={rows}
      aria-label={label}
      placeholder={placeholder}
      value={drafts.value.get(sessionId) ?? ""}
      onInput={(event) => setDraft(sessionId, event.currentTarget.value)}
      onKeyDown={submitOnEnter}
    />
  );
}

function submitOnEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLTextAreaElement) event.currentTarget.form?.requestSubmit();
}
