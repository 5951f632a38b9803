import { homedir } from "node:os";
import { join } from "node:path";
import { ControlClient, type ControlClientOptions, ControlTimeoutError } from "@reins/control";
import type { InitializeResponse, Message } from "@reins/messages";
import {
  buildLaunch,
  CliNotFoundError,
  checkInitializeAnswer,
  type Launch,
  type LaunchHost,
  type LaunchOptions,
  mustBeApplied,
  onAbort,
  startClaude,
} from "@reins/process";
import { projectKeyForDirectory } from "@reins/sessions";
import { AbortError, type Transport } from "@reins/streamjson";
import { capturedSession } from "./captured-session.ts";
import { deferredTransport } from "./deferred-transport.ts";
import { endedTransport } from "./ended-transport.ts";
import { initGuard } from "./init-guard.ts";
import { observedTransport, type TransportObserver } from "./observed-transport.ts";
import { type Options, splitOptions } from "./options.ts";
import { watchForStall } from "./stall-watchdog.ts";
import { storedSession } from "./stored-session.ts";

/** A session whose CLI was started and told of callbacks and servers. */
export interface Session {
  readonly client: ControlClient;
  readonly initialization: Promise<InitializeResponse>;
  /** What a prompt has to wait for; `undefined` for nothing. That it rejects must end the session. */
  readonly condition: Promise<void> | undefined;
  /** Settles when the session has ended and everything that belonged to it is done. Never rejects. */
  readonly done: Promise<void>;
}

/**
 * Starts what the options say, and connects everything that serves it.
 *
 * @param onMessage Sees each message as it is read.
 * @param startup Watches the start, and has its own deadline for it; the CLI then tells how far it is.
 * @throws {@link OptionError} for an option that cannot reach the CLI.
 */
export function openSession(
  options: Options,
  onMessage?: (message: Message) => void,
  startup?: TransportObserver,
): Session {
  const { launch, inProcess } = splitOptions(options);
  const signal = options.abortController?.signal;
  const stored = storedSession(options);
  const captured = capturedSession(options);
  const start = (launch: Launch): Transport => startClaude(startup ? withStartupMarks(launch) : launch, options);
  const { transport, initialize } = open(options, launch, signal, [stored?.prepare, captured?.prepare], start);
  const sessionFolder = sessionFolderOf(options);
  const client = connect(watched(transport, startup, options.idleTimeoutMs, endWith), {
    ...(options.canUseTool && { canUseTool: options.canUseTool }),
    ...(options.hooks && { hooks: options.hooks }),
    ...(options.onElicitation && { onElicitation: options.onElicitation }),
    ...(options.onUserDialog && { onUserDialog: options.onUserDialog }),
    ...(options.supportedDialogKinds && { supportedDialogKinds: options.supportedDialogKinds }),
    ...(options.onDiagnostic && { onDiagnostic: options.onDiagnostic }),
    ...(options.onCallbackError && { onCallbackError: options.onCallbackError }),
    ...observer(initGuard(options), onMessage),
    // What came out of a store lies in a folder that is gone when the error is read.
    ...(sessionFolder !== undefined && { sessionFolder: () => (stored?.isWritten() ? undefined : sessionFolder) }),
    ...stored?.clientOptions,
    ...(options.backgroundCeilingMs !== undefined && { backgroundCeilingMs: options.backgroundCeilingMs }),
    mcpServers: inProcess,
  });
  if (signal) closeOnAbort(client, signal);
  const timeoutMs = startup ? Infinity : (options.initializeTimeoutMs ?? 60_000);
  const initialization = client.initialize(initialize, { timeoutMs });
  // A refusal is told by initializationResult() alone, the prompt runs all the same unless there are hooks. A CLI that does not answer
  // at all is hung.
  initialization.catch((error: unknown) => {
    if (error instanceof ControlTimeoutError) void client.close(error);
  });
  // Without the hooks and settings that should watch over it the CLI would run the prompt all the same.
  const isConditional = options.hooks !== undefined || mustBeApplied(initialize);
  const condition = isConditional
    ? initialization.then((answer) => checkInitializeAnswer(initialize, answer, options.onWarning))
    : undefined;
  const done = client.ended.then(() => stored?.end()).then(() => captured?.end());
  return { client, initialization, condition, done };

  function endWith(error: Error): void {
    void client.close(error);
  }
}

/** Where the CLI keeps the sessions of its working folder; `undefined` where it may run on another machine. */
function sessionFolderOf({ transport, spawnClaudeCodeProcess, cwd = process.cwd(), env }: Options): string | undefined {
  if (transport !== undefined || spawnClaudeCodeProcess !== undefined) return undefined;
  const { CLAUDE_CONFIG_DIR: configDir, HOME: home } = env ?? process.env;
  const key = projectKeyForDirectory(cwd, { configDir });
  return join(configDir ?? join(home ?? homedir(), ".claude"), "projects", key);
}

function watched(
  transport: Transport,
  startup: TransportObserver | undefined,
  idleTimeoutMs: number | undefined,
  onStall: (error: Error) => void,
): Transport {
  const observed = startup ? observedTransport(transport, startup) : transport;
  return idleTimeoutMs == null ? observed : watchForStall(observed, idleTimeoutMs, onStall);
}

/** Makes the CLI name the checkpoints of its start. Whoever has set it, in any way, wants something else. */
function withStartupMarks(launch: Launch): Launch {
  return { ...launch, env: { CLAUDE_CODE_SDK_READS_STARTUP_MARKS: "1", ...launch.env } };
}

/** Sees messages only where somebody wants to: it costs something for each. */
function observer(...listeners: (((message: Message) => void) | undefined)[]): Pick<ControlClientOptions, "onMessage"> {
  const wanted = listeners.filter((listener) => listener !== undefined);
  if (wanted.length === 0) return {};
  return {
    onMessage(frame) {
      // The wire decides what a message is.
      for (const listener of wanted) listener(frame.value as unknown as Message);
    },
  };
}

/** The transport to the CLI, and what the initialize request says beside the callbacks. */
function open(
  options: Options,
  launchOptions: LaunchOptions,
  signal: AbortSignal | undefined,
  prepares: readonly (((launch: LaunchOptions) => Promise<LaunchOptions>) | undefined)[],
  start: (launch: Launch) => Transport,
): { transport: Transport; initialize: Readonly<Record<string, unknown>> } {
  if (options.transport || signal?.aborted) {
    const { initialize } = buildLaunch(launchOptions, elsewhere);
    return { transport: options.transport ?? endedTransport(new AbortError(signal?.reason)), initialize };
  }
  try {
    // Under which user a spawner runs it is not known here.
    const host = options.spawnClaudeCodeProcess ? { uid: undefined } : {};
    const launch = buildLaunch(launchOptions, host);
    const steps = prepares.filter((prepare) => prepare !== undefined);
    const prepared = async (signal: AbortSignal): Promise<LaunchOptions> => {
      let current = launchOptions;
      for (const step of steps) {
        current = await step(current);
        signal.throwIfAborted();
      }
      return current;
    };
    const transport =
      steps.length === 0
        ? start(launch)
        : deferredTransport(async (signal) => start(buildLaunch(await prepared(signal), host)));
    return { transport, initialize: launch.initialize };
  } catch (error) {
    if (!(error instanceof CliNotFoundError)) throw error;
    // The environment's fault and not the caller's, so it is told where the other failures of a start are.
    return { transport: endedTransport(error), initialize: {} };
  }
}

function closeOnAbort(client: ControlClient, signal: AbortSignal): void {
  const abort = (): void => {
    client.messages.clear();
    void client.close(new AbortError(signal.reason));
  };
  if (signal.aborted) abort();
  const release = onAbort(signal, abort);
  void client.ended.then(release);
}

/** @throws TypeError for hooks of the wrong shape; the transport is closed then, as nobody else knows of it. */
function connect(transport: Transport, options: ControlClientOptions): ControlClient {
  try {
    return new ControlClient(transport, options);
  } catch (error) {
    void Promise.resolve(transport.close()).catch(() => {});
    throw error;
  }
}

/** Where a CLI behind a transport runs is not known here, and its command line is not ours. */
const elsewhere: LaunchHost = {
  platform: "",
  env: {},
  interpreter: "node",
  locate: () => "claude",
  uid: undefined,
  trace: {},
};
