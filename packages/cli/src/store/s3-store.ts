import { StoreUrlError } from "./errors.ts";
import { loadPackages } from "./load-package.ts";
import { type OpenedSessionStore, openedStore } from "./opened-session-store.ts";
import { takeParameter } from "./take-parameter.ts";

/** Opens a store in a bucket. Nothing is asked of the server yet. */
export async function openS3(url: URL): Promise<OpenedSessionStore> {
  const { bucket, prefix, ...config } = readAddress(url);
  // The client warns on stderr that it will give up this version of Node.js.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  const packages = ["@reins/sessions-s3", "@aws-sdk/client-s3"];
  const [{ S3SessionStore }, { S3Client }] = await loadPackages(url.protocol, packages, () =>
    Promise.all([import("@reins/sessions-s3"), import("@aws-sdk/client-s3")]),
  );
  const client = new S3Client(config);
  const store = new S3SessionStore({ client, bucket, prefix });
  return openedStore(store, async () => {
    await store.close();
    client.destroy();
  });
}

/** What an address says: where, and how the client is to be set up. What would be passed over is refused. */
function readAddress(url: URL) {
  const address = url.href;
  const refuse = (problem: string, cause?: unknown): never => {
    throw new StoreUrlError(address, problem, cause);
  };
  const { hostname: bucket, username, password, port, hash } = url;
  if (bucket === "") refuse("it names no bucket: s3://BUCKET/PREFIX.");
  if (username !== "" || password !== "") refuse("credentials are taken from where the AWS client finds them.");
  if (port !== "") refuse("a port belongs to the server: s3://BUCKET/PREFIX?endpoint=URL.");
  if (hash !== "") refuse("write %23 for #.");
  const endpoint = takeParameter(url, "endpoint");
  const isUrl = endpoint === undefined || (URL.canParse(endpoint) && /^https?:/i.test(endpoint));
  if (!isUrl) refuse("its endpoint is no URL that begins with http: or https:.");
  const region = takeParameter(url, "region");
  const pathStyle = takeParameter(url, "path-style") ?? "false";
  if (pathStyle !== "true" && pathStyle !== "false") refuse("path-style is true or false.");
  const [unknown] = url.searchParams.keys();
  if (unknown !== undefined) refuse(`it has ${unknown}=, which stores in buckets do not know.`);
  return {
    bucket,
    prefix: prefixOf(url, refuse),
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle: pathStyle === "true",
  };
}

function prefixOf({ pathname }: URL, refuse: (problem: string, cause: unknown) => never): string {
  try {
    const folder = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, "");
    return folder === "" ? "" : `${folder}/`;
  } catch (error) {
    return refuse("a % in its prefix is no escape: write %25.", error);
  }
}
