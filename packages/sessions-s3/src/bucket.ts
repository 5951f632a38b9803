import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { SessionKey, SessionStoreOperation } from "@reins/sessions";
import { Limiter } from "./limiter.ts";
import { factsOf, S3RequestError, type S3RequestErrorDetails, type S3RequestName } from "./s3-request-error.ts";
import { untilAborted } from "./until-aborted.ts";

/** What a request is made for, which errors say. */
export interface Call {
  readonly operation: SessionStoreOperation;
  readonly key: SessionKey | { readonly projectKey: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

export interface BucketOptions {
  readonly client: Pick<S3Client, "send">;
  readonly bucket: string;
  readonly maxRequests: number;
  readonly timeoutMs: number;
  /** What is put along with every object. */
  readonly encryption: Pick<PutObjectCommandInput, "ServerSideEncryption" | "SSEKMSKeyId" | "BucketKeyEnabled">;
}

/** When a conditional write is done: only for a new object, or only over the version that has this ETag. */
export type WriteCondition = "new" | { readonly etag: string };

/** S3 takes this many keys in one request. */
const maxDeletedKeys = 1_000;

/** The bucket, by the few requests that the store needs. Limits how many run at once and how long each takes. */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #limiter: Limiter;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#limiter = new Limiter(options.maxRequests);
  }

  async put(
    call: Call,
    objectKey: string,
    body: string,
    storageClass?: PutObjectCommandInput["StorageClass"],
  ): Promise<void> {
    await this.#put(call, objectKey, body, storageClass === undefined ? {} : { StorageClass: storageClass });
  }

  /** Gives whether the condition was met. A retry of the client may meet its own first attempt: the caller has to look. */
  async putIf(call: Call, objectKey: string, body: string, condition: WriteCondition): Promise<boolean> {
    try {
      await this.#put(call, objectKey, body, condition === "new" ? { IfNoneMatch: "*" } : { IfMatch: condition.etag });
      return true;
    } catch (error) {
      if (!(error instanceof S3RequestError)) throw error;
      const { status, reason } = error;
      // 404: the object that was to be replaced is gone. 409: another conditional write of the key runs.
      if (status === 412 || status === 409 || (status === 404 && reason === "NoSuchKey")) return false;
      throw error;
    }
  }

  async #put(call: Call, objectKey: string, body: string, more: Partial<PutObjectCommandInput>): Promise<void> {
    const { client, bucket, encryption } = this.#options;
    // Bytes, so that each attempt of the client sends the same.
    const input = { Bucket: bucket, Key: objectKey, Body: Buffer.from(body), ContentType: "application/x-ndjson" };
    await this.#send(call, "PutObject", objectKey, (abortSignal) =>
      client.send(new PutObjectCommand({ ...input, ...encryption, ...more }), { abortSignal }),
    );
  }

  /** Gives the text of an object, or of its first bytes; `undefined` when there is none. */
  async get(call: Call, objectKey: string, firstBytes?: number): Promise<{ text: string; etag: string } | undefined> {
    const { client, bucket } = this.#options;
    const range = firstBytes === undefined ? {} : { Range: `bytes=0-${firstBytes - 1}` };
    return await this.#send(call, "GetObject", objectKey, async (abortSignal) => {
      try {
        const command = new GetObjectCommand({ Bucket: bucket, Key: objectKey, ...range });
        const { Body, ETag = "" } = await client.send(command, { abortSignal });
        const stop = () => (Body as { destroy?: () => void } | undefined)?.destroy?.();
        abortSignal.addEventListener("abort", stop, { once: true });
        try {
          return { text: (await Body?.transformToString("utf-8")) ?? "", etag: ETag };
        } finally {
          abortSignal.removeEventListener("abort", stop);
        }
      } catch (error) {
        const { status, reason } = factsOf(error);
        if (status === 404 && reason === "NoSuchKey") return undefined;
        throw error;
      }
    });
  }

  /** Lists the objects whose keys begin with a prefix, in the order of their keys, however many there are. */
  async list(call: Call, prefix: string, startAfter?: string): Promise<ListedObject[]> {
    const objects: ListedObject[] = [];
    for await (const { Contents = [] } of this.#pages(call, prefix, { StartAfter: startAfter })) {
      for (const { Key = "", Size = 0 } of Contents) objects.push({ key: Key, bytes: Size });
    }
    return objects;
  }

  /** Lists what stands between a prefix and the next slash. */
  async listFolders(call: Call, prefix: string): Promise<string[]> {
    const folders: string[] = [];
    for await (const { CommonPrefixes = [] } of this.#pages(call, prefix, { Delimiter: "/" })) {
      for (const { Prefix = "" } of CommonPrefixes) folders.push(Prefix.slice(prefix.length, -1));
    }
    return folders;
  }

  async *#pages(call: Call, prefix: string, more: { StartAfter?: string | undefined; Delimiter?: string }) {
    const { client, bucket } = this.#options;
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...more, ContinuationToken: token });
      const page = await this.#send(call, "ListObjectsV2", prefix, (abortSignal) =>
        client.send(command, { abortSignal }),
      );
      yield page;
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Removes objects; those that are gone already are fine. */
  async remove(call: Call, objectKeys: readonly string[]): Promise<void> {
    const { client, bucket } = this.#options;
    for (let from = 0; from < objectKeys.length; from += maxDeletedKeys) {
      const keys = objectKeys.slice(from, from + maxDeletedKeys);
      const [first = ""] = keys;
      const command = new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) },
      });
      await this.#send(call, "DeleteObjects", first, async (abortSignal) => {
        const { Errors = [], $metadata } = await client.send(command, { abortSignal });
        const [failed] = Errors;
        // The answer is 200 also when single keys were refused.
        if (failed !== undefined) {
          const requestId = $metadata.requestId;
          throw Object.assign(new Error(failed.Message), { Code: failed.Code, $metadata: { requestId } });
        }
      });
    }
  }

  async #send<T>(
    { operation, key, signal }: Call,
    request: S3RequestName,
    objectKey: string,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { bucket, timeoutMs } = this.#options;
    return await this.#limiter.run(async () => {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), timeoutMs);
      try {
        // The client does not look at its signal everywhere, such as in the pauses between its attempts.
        return await untilAborted(send, signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]));
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        const where: S3RequestErrorDetails = { operation, key, request, bucket, objectKey };
        throw new S3RequestError(where, error, late.signal.aborted ? timeoutMs : undefined);
      } finally {
        clearTimeout(timer);
      }
    }, signal);
  }
}
