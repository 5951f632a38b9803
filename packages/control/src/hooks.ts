import {
  type HookCallbackMatcher,
  type HookEvent,
  type HookInput,
  type HookOutput,
  hookEvents,
  type InitializeRequest,
} from "@reins/messages";
import { checkHookOutput } from "./hook-output.ts";
import { type Answer, type RequestHandler, textOf } from "./inbound-requests.ts";

/**
 * Is called by the CLI at a point of its run. Returns what it wants to change, or nothing. The `hookEventName` of a
 * `hookSpecificOutput` may be left out. What no answer to the event has is dropped, and reported as a diagnostic.
 *
 * @param toolUseID Id of the tool use for the events of a tool, otherwise an id of the CLI's own making.
 */
export type HookCallback<Event extends HookEvent = HookEvent> = {
  /** A method, so that a callback whose types know fewer values (those of the official SDK, an older version) is accepted. */
  call(
    input: HookInput<Event>,
    toolUseID: string | undefined,
    options: { readonly signal: AbortSignal },
  ): Promise<HookOutput | undefined> | HookOutput | undefined | Promise<void> | void;
}["call"];

/** Callbacks for an event, and when they are called. */
export interface HookMatcher<Event extends HookEvent = HookEvent> {
  /** Which tools (or other subjects of the event): a name, names joined by `|`, or a regular expression. Default: all. */
  readonly matcher?: string | undefined;
  /** Called at the same time, each with the original input. {@link hooksInOrder} makes one of several that should see each other's changes. */
  readonly hooks: readonly HookCallback<Event>[];
  /** Seconds the CLI waits for an answer. Default: the CLI's own, mostly 600; for UserPromptSubmit 30, which is little for a person. */
  readonly timeout?: number | undefined;
  /**
   * What a failed callback does. Default for PreToolUse, UserPromptSubmit and PermissionRequest: it denies, since the CLI would
   * otherwise pass over the failure and go on. `"continue"` leaves it at that. All other events go on.
   */
  readonly onFailure?: "block" | "continue" | undefined;
}

/**
 * Hooks of a session by event.
 *
 * Some events reach a host in part only, and registering them is reported as a diagnostic: `Setup` never, `SessionStart` not at the
 * start of the process, `SessionEnd` not at its end. [verified on CLI 2.1.328]
 */
export type Hooks = { readonly [Event in HookEvent]?: readonly HookMatcher<Event>[] | undefined };

/** The hooks of a session: ids that stay the same for its life, what `initialize` says of them, and the handler that serves them. */
export class HookRegistry {
  readonly #callbacks = new Map<string, { event: HookEvent; callback: HookCallback; closed: boolean }>();
  readonly #wire: { [Event in HookEvent]?: HookCallbackMatcher[] } = {};
  readonly #onDropped: (event: HookEvent, fields: readonly string[]) => void;
  #demandsBlock = false;

  /**
   * @param onDropped Told of what a callback answered that the CLI would not know.
   * @throws TypeError for an unknown event, and when an event's value is no array of matchers with arrays of callbacks.
   */
  constructor(hooks: Hooks, onDropped: (event: HookEvent, fields: readonly string[]) => void) {
    this.#onDropped = onDropped;
    for (const [event, matchers] of Object.entries(hooks) as [HookEvent, readonly HookMatcher[] | undefined][]) {
      if (matchers === undefined) continue;
      // The CLI takes any name, and never calls one that it does not know: a misspelt hook would watch over nothing.
      if (!hookEvents.includes(event))
        throw new TypeError(`hooks has the unknown event ${event}. Known are ${hookEvents.join(", ")}.`);
      if (!Array.isArray(matchers)) throw new TypeError(`hooks.${event} must be an array of matchers`);
      const entries = matchers.map((matcher, index) => this.#register(event, matcher, index));
      if (entries.length > 0) this.#wire[event] = entries;
    }
  }

  /** The `hooks` field of the initialize request; `undefined` when there are none. */
  get wire(): InitializeRequest["hooks"] {
    return this.#callbacks.size === 0 ? undefined : this.#wire;
  }

  /** Whether a matcher says itself that its failure blocks, so that a CLI which cannot do that must not go on. */
  get demandsBlock(): boolean {
    return this.#demandsBlock;
  }

  /** The registered events that reach a host in part only, or not at all. */
  get limits(): readonly { readonly event: HookEvent; readonly reason: string }[] {
    return Object.keys(this.#wire).flatMap((name) => {
      const event = name as HookEvent;
      const reason = limits[event];
      return reason === undefined ? [] : [{ event, reason }];
    });
  }

  /** Serves `hook_callback`, and fails closed where an event can deny. */
  get handler(): RequestHandler {
    return {
      handle: async (request, { signal }) => {
        const id = textOf(request["callback_id"]);
        const entry = this.#callbacks.get(id);
        if (entry === undefined) return { kind: "error", error: `No hook callback found for ID: ${id}` };
        const toolUseId = request["tool_use_id"];
        const output: unknown = await entry.callback(
          // The CLI's own input; the event's type follows from where the callback was registered.
          request["input"] as HookInput,
          typeof toolUseId === "string" ? toolUseId : undefined,
          { signal },
        );
        const checked = checkHookOutput(entry.event, output);
        if (checked.dropped.length > 0) this.#onDropped(entry.event, checked.dropped);
        return { kind: "success", response: checked.output };
      },
      onFailure: (request, error) => {
        const entry = this.#callbacks.get(textOf(request["callback_id"]));
        const text = `The ${entry?.event ?? "hook"} callback failed: ${textOf(error)}`;
        return entry?.closed ? denial(entry.event, text) : { kind: "error", error: text };
      },
    };
  }

  #register(event: HookEvent, matcher: HookMatcher, index: number): HookCallbackMatcher {
    if (!Array.isArray(matcher?.hooks))
      throw new TypeError(`hooks.${event}[${index}].hooks must be an array of callbacks`);
    const canDeny = denyingEvents.includes(event);
    const closed = canDeny && matcher.onFailure !== "continue";
    const hookCallbackIds = matcher.hooks.map((callback: HookCallback) => {
      const id = `hook_${this.#callbacks.size}`;
      this.#callbacks.set(id, { event, callback, closed });
      return id;
    });
    if (matcher.onFailure === "block") this.#demandsBlock = true;
    const onFailure = matcher.onFailure ?? (closed ? "block" : undefined);
    return { matcher: matcher.matcher, hookCallbackIds, timeout: matcher.timeout, onFailure };
  }
}

const denyingEvents: readonly HookEvent[] = ["PreToolUse", "UserPromptSubmit", "PermissionRequest"];

function denial(event: HookEvent, reason: string): Answer {
  switch (event) {
    case "PreToolUse":
      return success({
        hookSpecificOutput: { hookEventName: event, permissionDecision: "deny", permissionDecisionReason: reason },
      });
    case "PermissionRequest":
      return success({ hookSpecificOutput: { hookEventName: event, decision: { behavior: "deny", message: reason } } });
    default:
      return success({ decision: "block", reason });
  }
}

function success(response: Readonly<Record<string, unknown>>): Answer {
  return { kind: "success", response };
}

/** Why a registered hook will not be called at times. Seen on CLI 2.1.328: these run before it hears the host, or after. */
const limits: { readonly [Event in HookEvent]?: string } = {
  Setup:
    "It runs before the CLI knows of the host's hooks, so it never reaches a host. Use a command hook in a settings file.",
  SessionStart:
    "It reaches a host with the sources clear and compact only, not at the start, resume or fork of a session.",
  SessionEnd: "It reaches a host when the conversation is cleared and at SIGTERM, not at the end of input.",
};
