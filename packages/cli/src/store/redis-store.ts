import { StoreUrlError } from "./errors.ts";
import { loadPackages } from "./load-package.ts";
import { type OpenedSessionStore, openedStore } from "./opened-session-store.ts";
import { takeParameter } from "./take-parameter.ts";

/** 10 s to connect: who waits at a prompt would rather know. */
const connectTimeout = 10_000;

/** Opens a store on Redis. */
export async function openRedis(url: URL): Promise<OpenedSessionStore> {
  const address = url.href;
  const packages = ["@reins/sessions-redis", "ioredis"];
  const [{ RedisSessionStore }, { Redis }] = await loadPackages(url.protocol, packages, () =>
    Promise.all([import("@reins/sessions-redis"), import("ioredis")]),
  );
  const prefix = takeParameter(url, "prefix");
  const [path, database] = /^\/?(\d*)$/.exec(url.pathname) ?? [];
  if (path === undefined) throw new StoreUrlError(address, "its database is no number: redis://HOST:PORT/DB.");
  // The client would go on with another one where the server refuses it.
  url.pathname = "";
  const client = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout,
    // The command is short: an answer in time, or an error.
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  // What fails is told to who asked; without a listener the client writes to the console.
  let failure: unknown;
  client.on("error", (error) => {
    failure = error;
  });
  try {
    await client.connect();
    if (database !== undefined && database !== "") await client.select(Number(database));
  } catch (error) {
    client.disconnect();
    const cause = failure ?? error;
    const isLogin = cause instanceof Error && /^(NOAUTH|WRONGPASS|NOPERM)/.test(cause.message);
    const problem = isLogin
      ? "it wants another login: redis://USER:PASSWORD@HOST."
      : "Redis does not answer, or refuses.";
    throw new StoreUrlError(address, problem, cause);
  }
  const store = new RedisSessionStore({ client, ...(prefix !== undefined && { prefix }) });
  return openedStore(store, () => client.disconnect());
}
