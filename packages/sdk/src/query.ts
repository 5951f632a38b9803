import type { ControlMethods } from "@reins/control";
import type { McpSetServersResult, Message, UsageResponse } from "@reins/messages";
import type { Options } from "./options.ts";
import { checkPrompt, feedPrompt, type Prompt, type UserPrompt } from "./prompt.ts";
import { QuerySession } from "./query-session.ts";
import { openSession } from "./session.ts";

/**
 * Starts a session with the Claude Code CLI and gives its messages, as the CLI writes them.
 *
 * The CLI is started at once. With a text the query ends by itself after the answer; with an iterable it ends when the iterable is
 * exhausted and the last run is over. Leaving the loop, `close()`, `await using` and an abort all stop the CLI: its input is ended,
 * after 2 s it gets SIGTERM, after 5 s more SIGKILL. With hooks the prompt is sent once the CLI has taken them; that it refuses them
 * ends the query with its ControlError.
 *
 * Reading throws, behind the messages that came before: a CliNotFoundError or LaunchError when the CLI could not be started, a
 * ResultError when it ended with an error result, a ProcessError when it failed otherwise, a NoResultError when it ended without
 * a result, an AbortError, and whatever the prompt iterable threw.
 *
 * @throws {@link OptionError} for an option that cannot reach the CLI, {@link PromptError} for a prompt that is none.
 * @example
 * for await (const message of query({ prompt: "What is 2 + 2?" })) {
 *   if (message.type === "result" && message.subtype === "success" && !message.is_error) console.log(message.result);
 * }
 */
export function query(parameters: { readonly prompt: Prompt; readonly options?: Options | undefined }): Query {
  const { prompt, options = {} } = parameters;
  checkPrompt(prompt);
  const session = openSession(options);
  void feedPrompt(session.client, prompt, options.verbatimPrompts ?? false, session.condition);
  return new QuerySession(session);
}

/** A running query: an async generator of messages with the controls of its session. */
export interface Query extends AsyncGenerator<Message, void>, ControlMethods {
  /** The id of the session, from the latest init message that was read; `undefined` before. It changes when the CLI says so. */
  readonly sessionId: string | undefined;

  /**
   * Initializes the session again after a gap in the connection, with the same callbacks. Open permission questions are asked again.
   */
  reinitialize(): ReturnType<ControlMethods["initializationResult"]>;

  /** Replaces the MCP servers of earlier calls and all in-process servers; those of the command line stay. */
  setMcpServers(servers: NonNullable<Options["mcpServers"]>): Promise<McpSetServersResult>;

  /** Sends prompts as they come. Settles when the last one was written; the session stays as open as its own prompt keeps it. */
  streamInput(prompts: AsyncIterable<UserPrompt>): Promise<void>;

  /** The name of the official SDK for {@link ControlMethods.getUsage}. */
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    readonly skipBehaviors?: boolean;
  }): Promise<UsageResponse>;

  /** Stops the CLI. Settles when its exit was seen; never rejects. A reader of the messages comes to a normal end. */
  close(): Promise<void>;
}
