import type { Options } from "./options.ts";
import { type WarmQuery, warmQuery } from "./warm-query.ts";
import { startWarmSession } from "./warm-session.ts";

/**
 * Starts the CLI ahead of the first prompt, so that the prompt does not wait for the start.
 *
 * Settles when the CLI has answered the initialize request and taken hooks, settings and servers. The model was asked for nothing.
 *
 * @param parameters.options Those of the query.
 * @param parameters.initializeTimeoutMs Milliseconds after which the start is given up, all of which count. Default: 60,000, of which the
 * time is not counted in which the CLI reports a `SessionStart` or `Setup` hook running, up to 600,000 in all.
 * @throws {@link OptionError} for an option that cannot reach the CLI, {@link InitializeTimeoutError} when it is late, and what reading a
 * query would throw when it cannot be started. It rejects when the CLI is gone: nothing has to be closed then.
 * @example
 * await using warm = await startup({ options: { model: "haiku" } });
 * for await (const message of warm.query("What is 2 + 2?")) console.log(message.type);
 */
export async function startup(
  parameters: { readonly options?: Options | undefined; readonly initializeTimeoutMs?: number | undefined } = {},
): Promise<WarmQuery> {
  const { options = {}, initializeTimeoutMs } = parameters;
  const session = startWarmSession(options, initializeTimeoutMs);
  await session.ready;
  return warmQuery(session);
}
