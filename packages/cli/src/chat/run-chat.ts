import { runChat as chat } from "@reins/chat";
import type { Context } from "../context.ts";
import { type SessionOptions, sdkOptions } from "../query/session-options.ts";
import { openSessionStore } from "../store/open-session-store.ts";

/** Options of `chat`. */
export type ChatOptions = SessionOptions;

/** `reins chat` */
export async function runChat(context: Context, given: ChatOptions): Promise<number> {
  const options = sdkOptions(given);
  const opened = given.store === undefined ? undefined : await openSessionStore(given.store, { create: true });
  try {
    const { exitCode, sessionId } = await chat({
      ...options,
      ...(opened !== undefined && { sessionStore: opened.store }),
    });
    if (process.stdin.isTTY === true && sessionId !== undefined) {
      // The address of a store may have a password, and is not said again.
      const where = [given.store !== undefined && "--store", given.cwd !== undefined && "--cwd"].filter(Boolean);
      const same = where.length > 0 ? `, with the same ${where.join(" and ")}` : "";
      await context.note(`Go on later${same}: reins chat --resume ${sessionId}`);
    }
    return exitCode;
  } finally {
    await opened?.close();
  }
}
