import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import type { Options } from "@reins/sdk";
import { Hono } from "hono";
import { createApi } from "./api.ts";
import { readAssets } from "./assets.ts";
import { createToken, sameOriginOnly, secureHeaders, tokenOnly } from "./guard.ts";
import type { Library } from "./library.ts";
import { Runs } from "./runs.ts";

export interface ViewerOptions {
  readonly library: Library;
  /** Folder of the built page. */
  readonly page: string;
  /** Options of sessions that are started in the page. None: none can be started. */
  readonly runs?: (Options & { readonly cwd: string }) | undefined;
  /** True where the answers of started sessions are scripted. Default false. */
  readonly demo?: boolean | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
}

export interface Viewer extends AsyncDisposable {
  /** Open this: it has the token, behind the `#`, where browsers send it to nobody. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Ends the sessions that were started here, and all connections. */
  close(): Promise<void>;
}

/**
 * Serves the viewer on loopback.
 *
 * @throws When the page was not built, or the port is taken.
 */
export async function startViewer(options: ViewerOptions): Promise<Viewer> {
  const assets = await readAssets(options.page);
  const token = createToken();
  const closing = new AbortController();
  const runs = options.runs === undefined ? undefined : new Runs(options.runs);
  let port = 0;

  const app = new Hono();
  app.use(secureHeaders());
  app.use(sameOriginOnly(() => port));
  app.use("/api/*", tokenOnly(token));
  app.route("/api", createApi({ ...options, runs, closing: closing.signal }));
  // The page itself is no secret: it is the same for everyone, and can do nothing without the token.
  app.get("/*", (context) => {
    const asset = assets.get(context.req.path);
    if (asset === undefined) return context.json({ error: "There is nothing here." }, 404);
    return context.body(asset.body, 200, { "content-type": asset.type });
  });

  const server = await listen(app, options.port ?? 0);
  // Bound to 127.0.0.1 by port, so the address has one.
  port = (server.address() as AddressInfo).port;

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      closing.abort(new Error("The viewer ends."));
      await runs?.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    })();
    return closed;
  };
  return { url: `http://127.0.0.1:${port}/#token=${token}`, port, token, close, [Symbol.asyncDispose]: close };
}

function listen(app: Hono, port: number): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, () => resolve(server));
    server.once("error", reject);
  });
}
