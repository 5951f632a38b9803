import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { postJson } from "./api.ts";
import { PromptField, setDraft, takeDraft } from "./prompt-field.tsx";
import { about, goTo } from "./state.ts";

/** Starts a session of the server's own. */
export function NewSession(): JSX.Element {
  const problem = useSignal("");
  const starting = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const cwd = about.value?.cwd;
  if (cwd === undefined) return <div class="empty muted">This viewer starts no sessions.</div>;

  const start = async (): Promise<void> => {
    const prompt = starting.value ? "" : takeDraft("");
    if (prompt === "") return;
    starting.value = true;
    try {
      const { sessionId } = await postJson<{ sessionId: string }>("/runs", { prompt });
      goTo({ name: "session", sessionId });
    } catch (error) {
      setDraft("", prompt);
      problem.value = error instanceof Error ? error.message : String(error);
    } finally {
      starting.value = false;
    }
  };
  return (
    <form
      class="new"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h1>New session</h1>
      <p class="muted">
        Works in <code class="path">{cwd}</code>. What it may do, it asks here.
      </p>
      <PromptField sessionId="" label="Prompt" placeholder="What is to be done?" rows={6} field={field} />
      <p class="actions">
        <button type="submit" class="primary" disabled={starting.value}>
          Start
        </button>
        <span class="muted">
          <kbd>Enter</kbd> starts, <kbd>Shift</kbd> <kbd>Enter</kbd> breaks the line
        </span>
      </p>
      {problem.value === "" ? null : (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </form>
  );
}
