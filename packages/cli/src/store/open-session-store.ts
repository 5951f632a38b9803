import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { FileSystemSessionStore } from "@reins/sessions";
import { StoreUrlError } from "./errors.ts";
import { type OpenedSessionStore, openedStore } from "./opened-session-store.ts";

/** How a store is opened. */
export interface OpenSessionStoreOptions {
  /**
   * Makes what is missing: the folder, the tables. Default false: a folder that is not there is an error, since a misspelt path looks like an
   * empty store.
   */
  readonly create?: boolean;
}

/**
 * Opens a session store by its address: `file:`, `redis:` (`rediss:`), `s3:` or `postgres:` (`postgresql:`).
 *
 * - `file:PATH`, relative to the working directory, or `file:///PATH`
 * - `redis://HOST:PORT/DB?prefix=`: needs `@reins/sessions-redis` and `ioredis`
 * - `s3://BUCKET/PREFIX?region=&endpoint=&path-style=true`: needs `@reins/sessions-s3` and `@aws-sdk/client-s3`
 * - `postgres://HOST/DATABASE?schema=&table-prefix=&tenant=`: needs `@reins/sessions-postgres` and `pg`
 *
 * Other parameters go to the client, where it takes them in an address.
 *
 * @throws {@link StoreUrlError} for an address that cannot be used, or where nobody answers.
 * @throws {@link StorePackageError} when a package that it needs is not installed.
 * @example
 * await using opened = await openSessionStore("file:./sessions", { create: true });
 * await opened.store.load({ projectKey, sessionId });
 */
export async function openSessionStore(
  url: string,
  options: OpenSessionStoreOptions = {},
): Promise<OpenedSessionStore> {
  const { create = false } = options;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case "file":
      return await openFolder(url, create);
    case "redis":
    case "rediss":
      return await (await import("./redis-store.ts")).openRedis(parse(url));
    case "s3":
      return await (await import("./s3-store.ts")).openS3(parse(url));
    case "postgres":
    case "postgresql":
      return await (await import("./postgres-store.ts")).openPostgres(parse(url), create);
    default:
      throw new StoreUrlError(url, "addresses begin with file:, redis:, rediss:, s3: or postgres:.");
  }
}

async function openFolder(url: string, create: boolean): Promise<OpenedSessionStore> {
  const root = folderOf(url);
  const found = await stat(root).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw new StoreUrlError(url, `${root} is no folder.`);
  if (found === undefined && !create) throw new StoreUrlError(url, `there is no folder ${root}.`);
  const store = new FileSystemSessionStore({ root });
  return openedStore(store, () => store.close());
}

function folderOf(url: string): string {
  const path = url.slice("file:".length);
  if (path === "") throw new StoreUrlError(url, "it names no folder.");
  // Other than in the standard a path may be relative: `file:./sessions`.
  if (!path.startsWith("//")) return resolve(path);
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new StoreUrlError(url, "a folder is file:PATH or file:///PATH.", error);
  }
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch (error) {
    throw new StoreUrlError(url, "it is no URL.", error);
  }
}
