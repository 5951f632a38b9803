import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { startFauxqs } from "fauxqs";

/** What the server does with one request instead of answering it. */
export type S3Fault =
  /** 503 SlowDown, and nothing was done. */
  | "slow-down"
  /** The connection breaks before anything was done. */
  | "drop-before"
  /** The connection breaks when everything was done. */
  | "drop-after"
  /** Any answer, in place of that of the server. */
  | { readonly status: number; readonly body: string }
  /** Waits with doing it. */
  | { readonly waitFor: Promise<unknown> };

/** A request as it came in. */
export interface S3Request {
  readonly method: string;
  /** Key of the object; empty for requests about the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
}

/** How the server behaves. */
export interface S3ServerOptions {
  /** Enforce `If-None-Match: *` and `If-Match`, as AWS does. Default false: `fauxqs` takes and ignores them. */
  readonly enforceConditions?: boolean;
  /** Most keys in a page of a list. Default 1,000. */
  readonly pageSize?: number;
}

/** A server with one bucket, in this process. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  /** Everything that was asked so far. */
  readonly requests: S3Request[];
  /** Decides about each request; `undefined` answers it as usual. */
  fault: ((request: S3Request) => S3Fault | undefined) | undefined;
  /** Makes a client for it, which the caller destroys. */
  createClient(config?: S3ClientConfig): S3Client;
  /** Breaks all connections and stops to listen, as if the process had been killed. What was stored stays. */
  kill(): Promise<void>;
  /** Listens again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Credentials of no one. */
export const s3Credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

/** Makes a client for the endpoint of such a server, also in another process. */
export function createS3Client(endpoint: string, config: S3ClientConfig = {}): S3Client {
  // The client warns on stderr that it will give up this version of Node.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";
  return new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: s3Credentials, ...config });
}

/** Starts `fauxqs` on a free port of loopback, behind a proxy that can enforce conditions and fail. */
export async function startS3(options: S3ServerOptions = {}): Promise<S3Server> {
  const bucket = "sessions";
  const backend = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  backend.createBucket(bucket);
  const proxy = new S3Proxy(bucket, backend.port, options);
  await proxy.listen(0);
  const close = async (): Promise<void> => {
    await proxy.stop();
    proxy.agent.destroy();
    await backend.stop();
  };
  return {
    endpoint: `http://127.0.0.1:${proxy.port}`,
    bucket,
    requests: proxy.requests,
    get fault() {
      return proxy.fault;
    },
    set fault(fault) {
      proxy.fault = fault;
    },
    createClient: (config) => createS3Client(`http://127.0.0.1:${proxy.port}`, config),
    kill: () => proxy.stop(),
    restart: () => proxy.listen(proxy.port),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

class S3Proxy {
  readonly requests: S3Request[] = [];
  readonly agent: Agent = new Agent({ keepAlive: true });
  fault: ((request: S3Request) => S3Fault | undefined) | undefined;
  port = 0;
  readonly #bucket: string;
  readonly #backendPort: number;
  readonly #options: S3ServerOptions;
  readonly #sockets = new Set<Socket>();
  /** The last conditional write per key, behind which the next waits. */
  readonly #writes = new Map<string, Promise<unknown>>();
  readonly #server = createServer((incoming, response) => {
    this.#answer(incoming, response).catch(() => incoming.socket.destroy());
  });

  constructor(bucket: string, backendPort: number, options: S3ServerOptions) {
    this.#bucket = bucket;
    this.#backendPort = backendPort;
    this.#options = options;
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    // A server that listens on a port has an address of this form.
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = new URL(incoming.url ?? "/", "http://s3");
    const key = decodeURIComponent(url.pathname).slice(this.#bucket.length + 2);
    const asked: S3Request = { method: incoming.method ?? "", key, query: url.searchParams };
    this.requests.push(asked);
    const fault = this.fault?.(asked);
    if (fault === "drop-before") return void incoming.socket.destroy();
    if (fault === "slow-down") return send(response, errorAnswer(503, "SlowDown", "Please reduce your request rate."));
    if (typeof fault === "object" && "status" in fault) {
      const headers = { "content-type": "application/xml" };
      return send(response, { status: fault.status, headers, body: Buffer.from(fault.body) });
    }
    if (typeof fault === "object") await fault.waitFor;
    if (url.searchParams.has("list-type")) {
      send(response, await this.#list(url.pathname, url.searchParams));
      return;
    }
    const forward = () => this.#forward(asked.method, `${url.pathname}${url.search}`, incoming.headers, body);
    const answer =
      asked.method === "PUT" ? await this.#write(url.pathname, incoming.headers, forward) : await forward();
    if (fault === "drop-after") return void incoming.socket.destroy();
    send(response, answer);
  }

  /**
   * Lists as S3 does, by the bytes of the keys. The backend sorts by language and goes on by code units, which loses keys between pages.
   */
  async #list(path: string, query: URLSearchParams): Promise<Answer> {
    const prefix = query.get("prefix") ?? "";
    const all = new URLSearchParams({ "list-type": "2", prefix, "max-keys": "1000000000" });
    const { status, headers, body } = await this.#forward("GET", `${path}?${all}`, {}, Buffer.alloc(0));
    if (status !== 200) return { status, headers, body };
    const found = body.toString().matchAll(/<Contents><Key>(.*?)<\/Key>.*?<\/Contents>/gs);
    const items = new Map<string, string>();
    for (const [xml, escaped = ""] of found) {
      const key = fromXml(escaped);
      const end = query.has("delimiter") ? key.indexOf(query.get("delimiter") ?? "", prefix.length) : -1;
      const folder = key.slice(0, end + 1);
      items.set(
        end < 0 ? key : folder,
        end < 0 ? xml : `<CommonPrefixes><Prefix>${toXml(folder)}</Prefix></CommonPrefixes>`,
      );
    }
    const token = query.get("continuation-token");
    const after = token === null ? (query.get("start-after") ?? "") : Buffer.from(token, "base64").toString();
    const later = [...items].filter(([key]) => key > after).sort(([a], [b]) => (a < b ? -1 : 1));
    const pageSize = Math.min(this.#options.pageSize ?? 1_000, Number(query.get("max-keys") ?? 1_000));
    const page = later.slice(0, pageSize);
    const isTruncated = later.length > page.length;
    const next = Buffer.from(page.at(-1)?.[0] ?? "").toString("base64");
    const xml = [
      '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
      `<Prefix>${toXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>`,
      ...(isTruncated ? [`<NextContinuationToken>${next}</NextContinuationToken>`] : []),
      ...page.map(([, item]) => item),
      "</ListBucketResult>",
    ];
    return { status: 200, headers: { "content-type": "application/xml" }, body: Buffer.from(xml.join("")) };
  }

  /** Lets the writes of one key pass one after the other, so that nothing comes between a condition and its write. */
  async #write(path: string, headers: IncomingHttpHeaders, forward: () => Promise<Answer>): Promise<Answer> {
    if (this.#options.enforceConditions !== true) return await forward();
    const writing = (this.#writes.get(path) ?? Promise.resolve()).then(async () => {
      const { "if-none-match": ifNoneMatch, "if-match": ifMatch } = headers;
      if (ifNoneMatch === undefined && ifMatch === undefined) return await forward();
      const { status, headers: found } = await this.#forward("HEAD", path, {}, Buffer.alloc(0));
      if (ifMatch !== undefined && status === 404) return errorAnswer(404, "NoSuchKey", "The key does not exist.");
      const isMet = ifMatch === undefined ? status === 404 : found.etag === ifMatch;
      return isMet ? await forward() : errorAnswer(412, "PreconditionFailed", "A pre-condition did not hold.");
    });
    const settled = writing.catch(() => {});
    this.#writes.set(path, settled);
    try {
      return await writing;
    } finally {
      if (this.#writes.get(path) === settled) this.#writes.delete(path);
    }
  }

  async #forward(method: string, path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
    const outgoing = request({ port: this.#backendPort, host: "127.0.0.1", method, path, headers, agent: this.agent });
    // What comes behind the answer, when the server did not read all; before it `once` rejects.
    outgoing.on("error", () => {});
    outgoing.end(body);
    // The event has one argument, of this type.
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    return { status: incoming.statusCode ?? 500, headers: incoming.headers, body: Buffer.concat(chunks) };
  }
}

function toXml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function fromXml(text: string): string {
  const names: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(\w+);/g, (whole, name: string) => names[name] ?? whole);
}

function errorAnswer(status: number, code: string, message: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(body) };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const { "transfer-encoding": _, connection: __, "keep-alive": ___, ...kept } = headers;
  const length = kept["content-length"] ?? String(body.byteLength);
  response.writeHead(status, { ...kept, "content-length": length });
  response.end(body);
}
