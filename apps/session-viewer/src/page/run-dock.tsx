import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Answer, Question, RunView } from "../protocol.ts";
import { postJson } from "./api.ts";
import { DiffView } from "./diff-view.tsx";
import { onKeys } from "./keys.ts";
import { PromptField, takeDraft } from "./prompt-field.tsx";
import { hunksOf, Input } from "./tool-call.tsx";

const states: Readonly<Record<RunView["state"], string>> = {
  starting: "Starting",
  running: "Working",
  idle: "Ready",
  ended: "Ended",
  failed: "Failed",
};

/** Below the transcript of a session that this server runs: what is being said, what is asked, and a field to answer in. */
export function RunDock({
  run,
  onPrompt,
}: {
  readonly run: RunView;
  /** Called when another prompt is sent. */
  readonly onPrompt: () => void;
}): JSX.Element {
  const problem = useSignal("");
  const path = `/runs/${run.sessionId}`;
  const post = (what: string, body: object = {}): void => {
    problem.value = "";
    postJson(`${path}/${what}`, body).catch((error: unknown) => {
      problem.value = error instanceof Error ? error.message : String(error);
    });
  };
  const question = run.questions[0];
  const isOpen = run.state !== "ended" && run.state !== "failed";
  return (
    <section class="dock" aria-label="This session">
      {run.partial === "" ? null : (
        <p class="partial" aria-live="off">
          {run.partial}
        </p>
      )}
      {question === undefined ? null : (
        <QuestionCard
          key={question.id}
          question={question}
          more={run.questions.length - 1}
          onAnswer={(answer) => post("answer", { question: question.id, answer })}
        />
      )}
      {run.error === undefined ? null : (
        <p class="problem" role="alert">
          {run.error}
        </p>
      )}
      {problem.value === "" ? null : (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {isOpen ? <Composer run={run} post={post} onPrompt={onPrompt} /> : <p class="muted">{states[run.state]}.</p>}
    </section>
  );
}

function Composer({
  run,
  post,
  onPrompt,
}: {
  readonly run: RunView;
  readonly post: (what: string, body?: object) => void;
  readonly onPrompt: () => void;
}): JSX.Element {
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        const prompt = takeDraft(run.sessionId);
        if (prompt === "") return;
        post("prompt", { prompt });
        onPrompt();
      }}
    >
      <span class={`state ${run.state}`} role="status">
        {states[run.state]}
      </span>
      <PromptField sessionId={run.sessionId} label="Next prompt" placeholder="Next prompt" rows={1} />
      <button type="submit" class="primary">
        Send
      </button>
      {run.state === "running" ? (
        <button type="button" class="button" onClick={() => post("interrupt")}>
          Interrupt
        </button>
      ) : null}
      <button type="button" class="button" onClick={() => post("end")}>
        End
      </button>
    </form>
  );
}

/** Nobody has read a question sooner. */
const readingMs = 400;

function QuestionCard(props: {
  readonly question: Question;
  readonly more: number;
  readonly onAnswer: (answer: Answer) => void;
}): JSX.Element {
  const { question, more, onAnswer } = props;
  const answered = useSignal(false);
  const answer = (choice: Answer): void => {
    if (answered.value) return;
    answered.value = true;
    onAnswer(choice);
  };
  const act = useRef(answer);
  act.current = answer;
  const canAlways = question.always.length > 0;
  useEffect(() => {
    const shownAt = performance.now();
    return onKeys(({ key, repeat, timeStamp }) => {
      // A key that was meant for something else is no answer.
      if (repeat || timeStamp - shownAt < readingMs) return "aAd".includes(key);
      if (key === "a") act.current("allow");
      else if (key === "A" && canAlways) act.current("always");
      else if (key === "d") act.current("deny");
      else return false;
      return true;
    });
  }, [canAlways]);
  const hunks = hunksOf(question.input);
  return (
    <div class="question" role="alertdialog" aria-labelledby="question-title">
      <h2 id="question-title">
        {question.title ?? `May Claude use ${question.tool}?`}
        {more > 0 ? <span class="pill">{more} more</span> : null}
      </h2>
      {question.reason === undefined ? null : <p class="muted">{question.reason}</p>}
      <div class="asked">
        {hunks === undefined ? null : <DiffView hunks={hunks} />}
        <Input input={question.input} withoutEdit={hunks !== undefined} />
      </div>
      <p class="actions">
        <button type="button" class="primary" disabled={answered.value} onClick={() => answer("allow")}>
          Allow <kbd>a</kbd>
        </button>
        {canAlways ? (
          <button
            type="button"
            class="button"
            disabled={answered.value}
            title={question.always.join("\n")}
            onClick={() => answer("always")}
          >
            Always <kbd>A</kbd>
          </button>
        ) : null}
        <button type="button" class="button" disabled={answered.value} onClick={() => answer("deny")}>
          Deny <kbd>d</kbd>
        </button>
        {canAlways ? <span class="muted always">Always: {question.always.join("; ")}</span> : null}
      </p>
    </div>
  );
}
