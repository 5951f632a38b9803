import type { JSX } from "preact";
import { Help } from "./help.tsx";
import { NewSession } from "./new-session.tsx";
import { SessionList } from "./session-list.tsx";
import { about, failure, goTo, helpOpen, hrefOf, questionCount, route, runs } from "./state.ts";
import { nextTheme, theme } from "./theme.ts";
import { TranscriptPage } from "./transcript-page.tsx";
import { UsagePage } from "./usage-page.tsx";

export function App(): JSX.Element {
  return (
    <div class={`app at-${route.value.name}`}>
      <Header />
      {failure.value === undefined ? null : (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
      <SessionList />
      <main>
        <Main />
      </main>
      {helpOpen.value ? <Help /> : null}
    </div>
  );
}

function Main(): JSX.Element {
  const to = route.value;
  switch (to.name) {
    case "session":
      return (
        <TranscriptPage
          key={`${to.sessionId}/${to.agentId ?? ""}`}
          sessionId={to.sessionId}
          agentId={to.agentId}
          at={to.at}
        />
      );
    case "usage":
      return <UsagePage />;
    case "new":
      return <NewSession />;
    default:
      return (
        <div class="empty">
          <p class="empty-title">No session is open</p>
          <p class="muted">
            <kbd>j</kbd> <kbd>k</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>/</kbd> to search, <kbd>?</kbd> for all
            keys.
          </p>
        </div>
      );
  }
}

function Header(): JSX.Element {
  const { source, cwd, demo } = about.value ?? { source: "", demo: false };
  return (
    <header class="top">
      <a class="name" href={hrefOf({ name: "home" })}>
        Sessions
      </a>
      <span class="source" title={source}>
        {source}
      </span>
      {demo ? <span class="pill">demo</span> : null}
      <span class="space" />
      <Waiting />
      {cwd === undefined ? null : (
        <button type="button" class="primary" onClick={() => goTo({ name: "new" })}>
          New<span class="long">session</span>
        </button>
      )}
      <a
        class="button"
        href={hrefOf({ name: "usage" })}
        aria-current={route.value.name === "usage" ? "page" : undefined}
      >
        Usage
      </a>
      <button
        type="button"
        class="button"
        onClick={nextTheme}
        aria-label={`Theme: ${theme.value}`}
        title={`Theme: ${theme.value} (t)`}
      >
        <ThemeIcon />
      </button>
      <button
        type="button"
        class="button"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => {
          helpOpen.value = true;
        }}
      >
        ?
      </button>
    </header>
  );
}

/** Leads to the question that waits, wherever one is. */
function Waiting(): JSX.Element | null {
  const waiting = [...runs.value.values()].find(({ questions }) => questions.length > 0);
  if (waiting === undefined) return null;
  const here = route.value.name === "session" && route.value.sessionId === waiting.sessionId;
  if (here) return null;
  return (
    <a class="button attention" href={hrefOf({ name: "session", sessionId: waiting.sessionId })}>
      {questionCount.value === 1 ? "1 question waits" : `${questionCount.value} questions wait`}
    </a>
  );
}

function ThemeIcon(): JSX.Element {
  const fill = theme.value === "light" ? "none" : "currentColor";
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx={8} cy={8} r={6} fill="none" stroke="currentColor" stroke-width={1.4} />
      <path d={theme.value === "dark" ? "M8 2a6 6 0 0 1 0 12a6 6 0 0 1 0-12" : "M8 2a6 6 0 0 1 0 12z"} fill={fill} />
    </svg>
  );
}
