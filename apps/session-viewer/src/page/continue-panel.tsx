import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Continuation } from "../protocol.ts";
import { getJson, postJson } from "./api.ts";
import { PromptField, setDraft, takeDraft } from "./prompt-field.tsx";
import { about, goTo } from "./state.ts";

export interface ContinuePanelProps {
  readonly sessionId: string;
  /** Uuid of the last entry of the branch that is shown, where the CLI would go on with another one. */
  readonly upTo: string | undefined;
  readonly onClose: () => void;
}

/** Goes on with a session that was started elsewhere. Nothing runs before there is a prompt. */
export function ContinuePanel({ sessionId, upTo, onClose }: ContinuePanelProps): JSX.Element {
  const found = useSignal<Continuation | undefined>(undefined);
  const problem = useSignal("");
  const chosenCopy = useSignal<boolean | undefined>(undefined);
  const starting = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const answer = found.value;
  const canStart = answer !== undefined && answer.problem === undefined;

  useEffect(() => {
    const ended = new AbortController();
    getJson<Continuation>(`/sessions/${sessionId}/continuation`, ended.signal).then(
      (continuation) => {
        found.value = continuation;
      },
      (error: unknown) => {
        if (!ended.signal.aborted) problem.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => ended.abort();
  }, [sessionId, found, problem]);
  useEffect(() => {
    if (canStart) field.current?.focus();
  }, [canStart]);

  // Another branch is not where the CLI would go on, and two that write one transcript make branches of it.
  const copy = upTo !== undefined || (chosenCopy.value ?? answer?.isGrowing ?? false);
  const start = async (): Promise<void> => {
    // Taken at once: the field of the session that runs may be there before the answer is.
    const prompt = starting.value ? "" : takeDraft(sessionId);
    if (prompt === "") return;
    starting.value = true;
    problem.value = "";
    try {
      const body = { prompt, copy, ...(upTo === undefined ? {} : { upTo }) };
      const started = await postJson<{ sessionId: string }>(`/sessions/${sessionId}/continue`, body);
      onClose();
      if (started.sessionId !== sessionId) goTo({ name: "session", sessionId: started.sessionId });
    } catch (error) {
      setDraft(sessionId, prompt);
      problem.value = error instanceof Error ? error.message : String(error);
    } finally {
      starting.value = false;
    }
  };

  return (
    <section class="dock" aria-label="Continue this session">
      <form
        class="continue"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      >
        <h2>Continue this session</h2>
        {answer?.problem === undefined ? null : (
          <p class="problem" role="alert">
            {answer.problem}
          </p>
        )}
        {canStart ? (
          <>
            <p class="muted">
              Works in <code class="path">{answer.cwd}</code>. What it may do, it asks here.
              {about.value?.demo === true ? " The answers are scripted." : ""}
            </p>
            <fieldset class="ways">
              <legend class="hidden">Where it goes on</legend>
              <Way
                label="In this session"
                note={upTo === undefined ? "" : "only the branch that was written last"}
                isChosen={!copy}
                isPossible={upTo === undefined}
                onChoose={() => {
                  chosenCopy.value = false;
                }}
              />
              <Way
                label="As a copy"
                note={upTo === undefined ? "this one stays as it is" : "of the branch that is shown"}
                isChosen={copy}
                isPossible
                onChoose={() => {
                  chosenCopy.value = true;
                }}
              />
            </fieldset>
            {answer.isGrowing ? (
              <p class="warning">
                It was written a moment ago: someone may be in it. {copy ? "" : "Two at once make two branches of it."}
              </p>
            ) : null}
            <PromptField
              sessionId={sessionId}
              label="Prompt"
              placeholder="What is to be done next?"
              rows={2}
              field={field}
            />
          </>
        ) : null}
        {problem.value === "" ? null : (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <p class="actions">
          {canStart ? (
            <button type="submit" class="primary" disabled={starting.value}>
              {copy ? "Continue as a copy" : "Continue"}
            </button>
          ) : null}
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </section>
  );
}

function Way(props: {
  readonly label: string;
  readonly note: string;
  readonly isChosen: boolean;
  readonly isPossible: boolean;
  readonly onChoose: () => void;
}): JSX.Element {
  return (
    <label>
      <input type="radio" name="way" checked={props.isChosen} disabled={!props.isPossible} onChange={props.onChoose} />
      {props.label}
      {props.note === "" ? null : <span class="muted">{props.note}</span>}
    </label>
  );
}
