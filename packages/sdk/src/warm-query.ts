import { ReinsError } from "@reins/streamjson";
import { checkPrompt, feedPrompt, type Prompt } from "./prompt.ts";
import type { Query } from "./query.ts";
import { QuerySession } from "./query-session.ts";
import type { WarmSession } from "./warm-session.ts";

/** A session that was started ahead can be used once, and this one was used or closed. Start another. */
export class AlreadyUsedError extends ReinsError {
  readonly code = "REINS_ALREADY_USED" as const;

  constructor(method: string) {
    super(`${method}() can only be called once, and not after close(). Start another one.`);
  }

  override get name(): string {
    return "AlreadyUsedError";
  }
}

/**
 * A CLI that was started and initialized, and waits for the first prompt. It is used once, by `query()` or as the session of a
 * `new Client(warm)`, or closed.
 */
export interface WarmQuery extends AsyncDisposable {
  /** Settles when the CLI is gone, used or not: one that dies unused should be replaced. Never rejects. */
  readonly ended: Promise<void>;

  /**
   * Sends the prompt, and gives the query that {@link query} would give for the same options.
   *
   * @throws {@link PromptError} for a prompt that is none, {@link AlreadyUsedError}.
   */
  query(prompt: Prompt): Query;

  /** Stops the CLI. Settles when its exit was seen; never rejects. Behind `query()` it is the same as closing that. */
  close(): Promise<void>;
}

/** The sessions of those that were neither used nor closed. */
const unused = /* @__PURE__ */ new WeakMap<object, WarmSession>();

/** @param session One that is ready. */
export function warmQuery(session: WarmSession): WarmQuery {
  const { client, done, options } = session;
  const close = async (): Promise<void> => {
    unused.delete(warm);
    await client.close();
    await done;
  };
  const warm: WarmQuery = {
    ended: done,
    query(prompt) {
      checkPrompt(prompt);
      useSession(warm, "WarmQuery.query");
      void feedPrompt(client, prompt, options.verbatimPrompts ?? false, undefined);
      return new QuerySession(session);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  unused.set(warm, session);
  return warm;
}

/** Whether something was made by {@link warmQuery}. */
export function isWarmQuery(value: object): value is WarmQuery {
  return "query" in value && typeof value.query === "function" && "ended" in value;
}

/** @throws {@link AlreadyUsedError} */
export function useSession(warm: WarmQuery, method: string): WarmSession {
  const session = unused.get(warm);
  if (session === undefined) throw new AlreadyUsedError(method);
  unused.delete(warm);
  return session;
}
