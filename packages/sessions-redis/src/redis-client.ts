/** What the store needs of an `ioredis` client: a `Redis` or a `Cluster` of version 5 or 6. */
export interface IoRedisClient {
  /** Runs a script that the server knows. */
  evalsha(sha1: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Runs a script, and makes it known to the server. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** What the store needs of a `redis` client for one server: one of `createClient` or `createClientPool` of version 4, 5 or 6. */
export interface NodeRedisClient {
  /** Runs a script that the server knows. */
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Runs a script, and makes it known to the server. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** What the store needs of a `redis` client for a cluster: one of `createCluster` of version 4, 5 or 6. */
export interface NodeRedisCluster {
  /** Tells it from a client for one server. */
  readonly masters: unknown;
  /** Sends a command to the node that has the key. */
  sendCommand(firstKey: string | undefined, isReadonly: boolean | undefined, args: string[]): Promise<unknown>;
}

/** A client that you made, connected, and close. The store only calls these methods. */
export type RedisClient = IoRedisClient | NodeRedisClient | NodeRedisCluster;

/** Runs a script on the node that has the keys. */
export interface ScriptCaller {
  readonly evalSha: (sha: string, keys: string[], args: string[]) => Promise<unknown>;
  readonly eval: (source: string, keys: string[], args: string[]) => Promise<unknown>;
}

/**
 * Gives both libraries one shape.
 *
 * @throws TypeError for what is neither.
 */
export function toScriptCaller(client: RedisClient): ScriptCaller {
  if (isIoRedis(client)) {
    return {
      evalSha: (sha, keys, args) => client.evalsha(sha, keys.length, ...keys, ...args),
      eval: (source, keys, args) => client.eval(source, keys.length, ...keys, ...args),
    };
  }
  if (isNodeRedisCluster(client)) {
    // The `evalSha` of a cluster of version 4 does not look for the node that has the keys.
    const send = (command: string, text: string, keys: string[], args: string[]) =>
      client.sendCommand(keys[0], false, [command, text, String(keys.length), ...keys, ...args]);
    return {
      evalSha: (sha, keys, args) => send("EVALSHA", sha, keys, args),
      eval: (source, keys, args) => send("EVAL", source, keys, args),
    };
  }
  if (isNodeRedis(client)) {
    return {
      evalSha: (sha, keys, args) => client.evalSha(sha, { keys, arguments: args }),
      eval: (source, keys, args) => client.eval(source, { keys, arguments: args }),
    };
  }
  throw new TypeError(
    "client must be a client of ioredis (Redis or Cluster) or of redis (createClient or createCluster).",
  );
}

// Callers without types may give anything.
function isIoRedis(client: unknown): client is IoRedisClient {
  return hasMethod(client, "evalsha") && hasMethod(client, "eval");
}

function isNodeRedisCluster(client: unknown): client is NodeRedisCluster {
  return hasMethod(client, "sendCommand") && typeof client === "object" && client !== null && "masters" in client;
}

function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasMethod(client, "evalSha") && hasMethod(client, "eval");
}

function hasMethod(client: unknown, name: string): boolean {
  // A property of an unknown object is looked at, which the type cannot say.
  return (
    typeof client === "object" && client !== null && typeof (client as Record<string, unknown>)[name] === "function"
  );
}
