// The public surface of @reins/sessions-redis, by name.

export { type FailedKey, RedisSessionStoreError, type RedisSessionStoreErrorDetails } from "./errors.ts";
export type { IoRedisClient, NodeRedisClient, NodeRedisCluster, RedisClient } from "./redis-client.ts";
export {
  type RedisReadOptions,
  RedisSessionStore,
  type RedisSessionStoreOptions,
  type RedisWriteOptions,
} from "./redis-session-store.ts";
