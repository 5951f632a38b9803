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
  } catch (error) {
    client.disconnect();
    throw new StoreUrlError(address, "Redis does not answer.", failure ?? error);
  }
  const store = new RedisSessionStore({ client, ...(prefix !== undefined && { prefix }) });
  return openedStore(store, () => client.disconnect());
}
