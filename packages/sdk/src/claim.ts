import { isAbsolute, resolve } from "node:path";
import { type ControlClient, ControlError } from "@reins/control";
import type { AgentDefinition, InitializeResponse } from "@reins/messages";
import { OptionError } from "@reins/process";
import { ReinsError } from "@reins/streamjson";
import type { Options } from "./options.ts";

/** The part of the options that a spare is told when it becomes a session. Everything else is fixed by `prewarm()`. */
export interface ClaimOptions {
  /** The working directory. A relative path counts from that of this process; `~/` is the business of the CLI. */
  readonly cwd: string;
  /** Variables of this session. The CLI takes fresh tokens and the session id of a host, and refuses others. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** More folders that the tools may use. Relative ones count from `cwd`. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Model id or alias. */
  readonly model?: string | undefined;
  /** How tool calls are permitted. One that the CLI cannot take refuses the claim. */
  readonly permissionMode?: Options["permissionMode"];
  /** Tokens of thinking; `null` for the default. */
  readonly maxThinkingTokens?: number | null | undefined;
  /** Settings of this session. The prompt is held back until the CLI has taken them. None that govern hooks: those belong to `prewarm()`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Text to add to the system prompt. */
  readonly appendSystemPrompt?: string | undefined;
  /** Title of the session. */
  readonly title?: string | undefined;
  /** Subagents by name. */
  readonly agents?: Readonly<Record<string, AgentDefinition>> | undefined;
}

/** What a spare has become. */
export interface Claim {
  /** The working directory, as the CLI resolved it. */
  readonly cwd: string;
  readonly sessionId: string;
  /** How long the spare was parked, in milliseconds. */
  readonly parkedMs?: number;
  /** Whether the in-process servers were connected. */
  readonly sdkMcpSettled: boolean;
}

/** A spare did not become the session that was asked for. The text begins with the reason. */
export class ClaimError extends ReinsError {
  readonly code = "REINS_CLAIM_FAILED" as const;
  /**
   * The CLI's own word for why it refused, such as `"cwd_not_found"`; or
   * - `"claim_failed"`: it ended, or broke, in the middle of the claim,
   * - `"spare_exited"`, `"spare_closed"`: there was no claim, and there will be none,
   * - `"settings_not_applied"`: the prompt was not sent,
   * - `"option_not_applied"`: `model` or `maxThinkingTokens` was refused. The session runs without it; do not start it again.
   */
  readonly reason: string;
  /** What the spare has become all the same, where it has. */
  readonly claim: Claim | undefined;

  constructor(reason: string, text: string, claim?: Claim, cause?: unknown) {
    super(`${reason}: ${text}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.claim = claim;
  }

  override get name(): string {
    return "ClaimError";
  }
}

/** Tells a spare which session it is, step by step. */
export interface RunningClaim {
  /** Settles when the claim and its settings were taken: the prompt may be sent. */
  readonly accepted: Promise<void>;
  /** The answer to the claim itself. */
  readonly answer: Promise<ClaimAnswer>;
  /** Settles when everything was answered. Rejects with a {@link ClaimError}. */
  readonly claimed: Promise<Claim>;
}

/** What the CLI says of the session that it has become. */
interface ClaimAnswer {
  readonly claim: Claim;
  readonly initialize: InitializeResponse | undefined;
}

/**
 * Writes the claim and what belongs to it, in the order in which the CLI wants it, and at once as far as nothing has to be waited for.
 *
 * @param serverNames The in-process servers of the session.
 * @see contracts/control.md; the order is that of the official SDK 0.3.328, verified against CLI 2.1.328
 */
export function claimSession(
  client: ControlClient,
  options: ClaimOptions,
  serverNames: readonly string[],
): RunningClaim {
  const written = writeClaim(client, options, serverNames);
  const answer = written.then(async (requests) => toAnswer(await requests.claim.catch(refuseClaim)));
  const accepted = (async () => {
    const { claim } = await answer;
    await (await written).settings?.catch((error: unknown) => {
      throw new ClaimError("settings_not_applied", textOf(error), claim, error);
    });
  })();
  const claimed = (async () => {
    await accepted;
    const { claim } = await answer;
    await (await written).changes.catch((error: unknown) => {
      throw new ClaimError("option_not_applied", textOf(error), claim, error);
    });
    return claim;
  })();
  // Whoever waits is told.
  for (const promise of [answer, accepted, claimed]) promise.catch(() => {});
  return { answer, accepted, claimed };
}

/** @throws {@link OptionError} for what no claim can say. */
export function checkClaimOptions(options: ClaimOptions): void {
  if (typeof options.cwd !== "string" || options.cwd === "")
    throw new OptionError("cwd", "is missing: a session has a working directory, and a spare has none yet.");
  for (const key of Object.keys(options.settings ?? {})) {
    if (hookKeys.includes(key))
      throw new OptionError("settings", `cannot have ${key} in a claim. Give it to prewarm().`);
  }
}

interface WrittenClaim {
  readonly claim: Promise<Readonly<Record<string, unknown>>>;
  readonly changes: Promise<unknown>;
  readonly settings: Promise<void> | undefined;
}

/** Does not wait unless there are settings that come first: what is written behind the call has to come behind the claim. */
async function writeClaim(
  client: ControlClient,
  options: ClaimOptions,
  serverNames: readonly string[],
): Promise<WrittenClaim> {
  const { model, maxThinkingTokens, settings = {} } = options;
  const first = pick(settings, (key) => !laterKeys.includes(key));
  const later = pick(settings, (key) => laterKeys.includes(key));
  if (first !== undefined) {
    // They decide which servers and plugins the claim starts.
    await client.applyFlagSettings(first).catch((error: unknown) => {
      throw new ClaimError("settings_not_applied", textOf(error), undefined, error);
    });
  }
  const claim = client.request("claim_session", claimFields(options, serverNames));
  const changes = Promise.all([
    model == null ? undefined : client.setModel(model),
    maxThinkingTokens === undefined ? undefined : client.setMaxThinkingTokens(maxThinkingTokens),
  ]);
  const applied = later === undefined ? undefined : client.applyFlagSettings(later);
  for (const promise of [claim, changes, applied]) promise?.catch(() => {});
  return { claim, changes, settings: applied };
}

function claimFields(options: ClaimOptions, serverNames: readonly string[]): Readonly<Record<string, unknown>> {
  const { cwd } = options;
  return {
    cwd: isAbsolute(cwd) || cwd === "~" || cwd.startsWith("~/") ? cwd : resolve(cwd),
    permission_mode: options.permissionMode,
    env: options.env,
    additional_directories: options.additionalDirectories,
    append_system_prompt: options.appendSystemPrompt,
    title: options.title,
    agents: options.agents,
    sdk_mcp_servers: serverNames,
    include_initialize: true,
  };
}

function toAnswer(response: Readonly<Record<string, unknown>>): ClaimAnswer {
  const { cwd, session_id, parked_ms, sdk_mcp_settled, initialize } = response;
  const claim: Claim = {
    cwd: String(cwd),
    sessionId: String(session_id),
    ...(typeof parked_ms === "number" && { parkedMs: parked_ms }),
    sdkMcpSettled: sdk_mcp_settled === true,
  };
  // The wire decides what the CLI says of itself.
  return { claim, initialize: initialize as InitializeResponse | undefined };
}

function refuseClaim(error: unknown): never {
  const text = textOf(error);
  if (!(error instanceof ControlError)) throw new ClaimError("claim_failed", text, undefined, error);
  // The text begins with the token, which is also there by itself in later versions.
  const [, token, rest] = /^([a-z_]+): (.*)$/s.exec(text) ?? [];
  throw new ClaimError(error.errorCode ?? token ?? "claim_failed", rest ?? text, undefined, error);
}

/** Settings that the CLI takes only once it knows the folder. */
const laterKeys = ["model", "agent", "fastMode", "permissions", "availableModels", "disableAutoMode"];

/** Settings that have to be in force before the first hook. */
const hookKeys = ["hooks", "disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls", "httpHookAllowedEnvVars"];

/** The members whose key is wanted; `undefined` when there are none. */
function pick(
  record: Readonly<Record<string, unknown>>,
  isWanted: (key: string) => boolean,
): Readonly<Record<string, unknown>> | undefined {
  const entries = Object.entries(record).filter(([key, value]) => value !== undefined && isWanted(key));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
