import type { AgentOptions, SessionCallbacks } from "./agent-options.ts";
import { type HookHandler, type HookHandlerOptions, HookRegistry, type LoopHookEvent } from "./loop-hooks.ts";
import { Session } from "./session.ts";
import { checkShellHooks } from "./shell-hooks.ts";
import { checkStopHooks } from "./stop-hooks.ts";

/**
 * Creates an agent: the options, callbacks and hooks that its sessions share. Starts nothing.
 *
 * @throws {@link HookSettingError} for shell hooks that cannot work.
 * @example
 * await using agent = createAgent({ prompt: async ({ message }) => ({ value: await confirm(message) }) });
 * const session = agent.session({ onResponseChunk: ({ delta }) => process.stdout.write(delta ?? "") });
 * const { text, toolCalls } = await session.submitMessage("Explain this repository.");
 */
export function createAgent(options: AgentOptions = {}): Agent {
  return new Agent(options);
}

/** What sessions have in common. Made by {@link createAgent}. */
export class Agent implements AsyncDisposable {
  /** Callbacks of all sessions that have none of their own. Set them whenever you like. */
  readonly callbacks: SessionCallbacks;
  readonly hookRegistry: HookRegistry = new HookRegistry();
  readonly #options: AgentOptions;
  readonly #sessions = new Set<Session>();

  /** @internal */
  constructor(options: AgentOptions) {
    const { onResponseChunk, onToolProgress, onRuntimeEvent, prompt, ...rest } = options;
    checkShellHooks(options.preToolHooks);
    checkStopHooks(options.stopHooks);
    this.callbacks = { onResponseChunk, onToolProgress, onRuntimeEvent, prompt };
    this.#options = rest;
  }

  /**
   * A new session, or with `resume` or `continue` one that goes on. Starts nothing yet.
   *
   * @param options In the place of those of the agent, one by one.
   */
  session(options: AgentOptions = {}): Session {
    const { callbacks, hookRegistry } = this;
    const onClosed = (closed: Session): boolean => this.#sessions.delete(closed);
    const session = new Session({ callbacks, hookRegistry, onClosed }, { ...this.#options, ...options });
    this.#sessions.add(session);
    return session;
  }

  /**
   * Adds a handler for an event of the loop, in all sessions, also those that run. Handlers run one after the other, in the order of
   * their registration, and the loop waits for them.
   *
   * What `stop` and `deny` do: in turn_start, the message is refused; in iteration_start, tool_uses_start, pre_tool_use and
   * post_tool_use, the turn ends, with no further tool and no further call of the model; in pre_compact, that compaction is skipped; in
   * all others nothing. `modify` with `updatedInput` rewrites the input in pre_tool_use.
   *
   * A handler that throws, or takes longer than its `timeoutMs`, stops where a stop ends the turn or refuses it; else the loop goes
   * on. `onCallbackError` is told.
   *
   * @returns An id for `hookRegistry.remove`.
   * @throws {@link UnknownHookEventError} for an event that never comes.
   */
  registerHook<Event extends LoopHookEvent>(
    event: Event,
    handler: HookHandler<Event>,
    options?: HookHandlerOptions,
  ): string {
    return this.hookRegistry.register(event, handler, options);
  }

  /** Closes all sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.close()));
    this.#sessions.clear();
  }

  /** The same as {@link Agent.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
