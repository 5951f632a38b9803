import { randomUUID } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import type { ConformanceOptions, SessionStoreFactory } from "@reins/sessions/conformance";
import { type S3Server, startS3 } from "@reins/test-servers/s3";
import { S3SessionStore } from "../src/index.ts";

const isLarge = process.env["REINS_S3_LARGE"] !== undefined;

/**
 * The suite's own sizes take minutes here, where client and server share a process; `pnpm run large` asks for them. The pages of lists are
 * small instead, so that there are many in any case.
 */
export const sizes: ConformanceOptions = isLarge
  ? { timeoutMs: 120_000 }
  : { timeoutMs: 120_000, largeSessionEntries: 5_500, largeProjectSessions: 25 };

const pageSize = isLarge ? 1_000 : 10;

/** A store that knows where it is, so that another can be opened there. */
class PlacedStore extends S3SessionStore {
  readonly prefix: string;

  constructor(client: S3Client, bucket: string, prefix: string) {
    super({ client, bucket, prefix });
    this.prefix = prefix;
  }
}

/** A server, and the factory of the suite on it. */
export class Proof implements AsyncDisposable {
  #server: S3Server | undefined;
  #client: S3Client | undefined;

  readonly factory: SessionStoreFactory<PlacedStore> = {
    capabilities: ["listSessions", "listSessionSummaries", "delete", "listSubkeys", "leases"],
    create: () => this.#open(`${randomUUID()}/`),
    destroy: (store) => store.close(),
    connect: ({ prefix }) => this.#open(prefix),
    reopen: async (store) => {
      await store.close();
      return this.#open(store.prefix);
    },
  };

  async start(options: { readonly enforceConditions: boolean }): Promise<void> {
    this.#server = await startS3({ ...options, pageSize });
    this.#client = this.#server.createClient();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client?.destroy();
    await this.#server?.close();
  }

  #open(prefix: string): PlacedStore {
    if (this.#server === undefined || this.#client === undefined) throw new Error("The server was not started.");
    return new PlacedStore(this.#client, this.#server.bucket, prefix);
  }
}
