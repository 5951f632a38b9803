import { type HookEvent, type HookInput, type HookOutput, hookEvents } from "@reins/messages";
import { type Answer, type RequestHandler, textOf } from "./inbound-requests.ts";

/**
 * Is called by the CLI at a point of its run. Returns what it wants to change, or nothing.
 *
 * @param toolUseID Id of the tool use for the events of a tool, otherwise an id of the CLI's own making.
 */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<HookOutput | undefined> | HookOutput | undefined | Promise<void> | void;

/** Callbacks for an event, and when they are called. */
export interface HookMatcher {
  /** Which tools (or other subjects of the event): a name, names joined by `|`, or a regular expression. Default: all. */
  readonly matcher?: string;
  readonly hooks: readonly HookCallback[];
  /** Seconds the CLI waits for an answer. Default: the CLI's own, mostly 600. */
  readonly timeout?: number;
  /**
   * What a failed callback does. Default for PreToolUse, UserPromptSubmit and PermissionRequest: it denies, since the CLI would
   * otherwise pass over the failure and go on. `"continue"` leaves it at that. All other events go on.
   */
  readonly onFailure?: "block" | "continue";
}

/** Hooks of a session by event. */
export type Hooks = { readonly [Event in HookEvent]?: readonly HookMatcher[] };

/** The hooks of a session: ids that stay the same for its life, what `initialize` says of them, and the handler that serves them. */
export class HookRegistry {
  readonly #callbacks = new Map<string, { event: HookEvent; callback: HookCallback; closed: boolean }>();
  readonly #wire: Record<string, unknown[]> = {};

  /** @throws TypeError for an unknown event, and when an event's value is no array of matchers with arrays of callbacks. */
  constructor(hooks: Hooks) {
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
  get wire(): Readonly<Record<string, readonly unknown[]>> | undefined {
    return this.#callbacks.size === 0 ? undefined : this.#wire;
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
        return { kind: "success", response: checkedOutput(output) };
      },
      onFailure: (request, error) => {
        const entry = this.#callbacks.get(textOf(request["callback_id"]));
        const text = `The ${entry?.event ?? "hook"} callback failed: ${textOf(error)}`;
        return entry?.closed ? denial(entry.event, text) : { kind: "error", error: text };
      },
    };
  }

  #register(event: HookEvent, matcher: HookMatcher, index: number): Record<string, unknown> {
    if (!Array.isArray(matcher?.hooks))
      throw new TypeError(`hooks.${event}[${index}].hooks must be an array of callbacks`);
    const canDeny = denyingEvents.includes(event);
    const closed = canDeny && matcher.onFailure !== "continue";
    const hookCallbackIds = matcher.hooks.map((callback: HookCallback) => {
      const id = `hook_${this.#callbacks.size}`;
      this.#callbacks.set(id, { event, callback, closed });
      return id;
    });
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

function checkedOutput(output: unknown): Record<string, unknown> {
  if (output === undefined) return {};
  if (typeof output !== "object" || output === null || Array.isArray(output)) {
    const what = output === null ? "null" : Array.isArray(output) ? "an array" : `a ${typeof output}`;
    throw new TypeError(`a hook returned ${what}, not an object`);
  }
  // Written, a map or an instance with accessors alone would be `{}`: no opinion, whatever it was meant to say.
  if (Object.keys(output).length === 0 && !isPlain(output))
    throw new TypeError("a hook returned an object without members of its own");
  // The CLI checks the members.
  return output as Record<string, unknown>;
}

/** Also true for an object literal of another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
