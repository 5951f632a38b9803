import { randomUUID } from "node:crypto";
import { paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";
import type { SessionKey, SessionStoreEntry } from "@reins/sessions";
import { type S3Server, type S3ServerOptions, startS3 } from "@reins/test-servers/s3";
import { S3SessionStore, type S3SessionStoreOptions } from "../src/index.ts";

export const session: SessionKey = {
  projectKey: "-home-user-project",
  sessionId: "5e551011-0000-4000-8000-000000000000",
};
export const subagent: SessionKey = { ...session, subpath: "subagents/agent-a" };

/** A server, and stores on it that are closed with it. */
export interface Place extends AsyncDisposable {
  readonly server: S3Server;
  readonly client: S3Client;
  /** Another store on the same data. */
  open(options?: Partial<S3SessionStoreOptions>): S3SessionStore;
  /** Keys of all objects below a prefix. */
  keys(prefix?: string): Promise<string[]>;
}

export async function openPlace(options: S3ServerOptions = {}, client?: S3Client): Promise<Place> {
  const server = await startS3(options);
  const ownClient = client ?? server.createClient();
  const stores: S3SessionStore[] = [];
  return {
    server,
    client: ownClient,
    open(more = {}) {
      const store = new S3SessionStore({ client: ownClient, bucket: server.bucket, leases: false, ...more });
      stores.push(store);
      return store;
    },
    async keys(prefix = "") {
      const pages = paginateListObjectsV2({ client: ownClient }, { Bucket: server.bucket, Prefix: prefix });
      const keys: string[] = [];
      for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key = "" }) => Key));
      return keys;
    },
    async [Symbol.asyncDispose]() {
      server.fault = undefined;
      for (const store of stores) await store.close();
      ownClient.destroy();
      await server.close();
    },
  };
}

/** Entries `from` to before `to`, each with a title that tells whether a summary is current. */
export function entries(from: number, to: number): SessionStoreEntry[] {
  return Array.from({ length: to - from }, (_, index) => {
    const n = from + index;
    return { type: "user", uuid: `uuid-${n}`, n, customTitle: `Title ${n}` };
  });
}

export function numbers(loaded: readonly SessionStoreEntry[] | null): unknown[] | null {
  return loaded?.map(({ n }) => n) ?? null;
}

/** A prefix that nothing else uses. */
export function ownPrefix(): string {
  return `${randomUUID()}/`;
}

/** What a client throws whose process is dead. */
class Dead extends Error {}

/**
 * A client whose process dies at one of its requests.
 *
 * @param at Number of the request, from 0.
 * @param isDone Whether that request is still done.
 */
export function dyingClient(
  client: S3Client,
  at: number,
  isDone: boolean,
): { client: Pick<S3Client, "send">; died(): boolean } {
  let next = 0;
  const send = async (...args: Parameters<S3Client["send"]>): Promise<unknown> => {
    const n = next++;
    if (n < at) return await client.send(...args);
    if (n === at && isDone) await client.send(...args);
    throw new Dead("The process is dead.");
  };
  // The overloads of the client cannot be written for a function that hands everything on.
  return { client: { send: send as S3Client["send"] }, died: () => next > at };
}
