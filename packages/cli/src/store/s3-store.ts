import { StoreUrlError } from "./errors.ts";
import { loadPackages } from "./load-package.ts";
import { type OpenedSessionStore, openedStore } from "./opened-session-store.ts";
import { takeParameter } from "./take-parameter.ts";

/** Opens a store in a bucket. Nothing is asked of the server yet. */
export async function openS3(url: URL): Promise<OpenedSessionStore> {
  if (url.hostname === "") throw new StoreUrlError(url.href, "it names no bucket: s3://BUCKET/PREFIX.");
  // The client warns on stderr that it will give up this version of Node.js.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  const packages = ["@reins/sessions-s3", "@aws-sdk/client-s3"];
  const [{ S3SessionStore }, { S3Client }] = await loadPackages(url.protocol, packages, () =>
    Promise.all([import("@reins/sessions-s3"), import("@aws-sdk/client-s3")]),
  );
  const endpoint = takeParameter(url, "endpoint");
  const region = takeParameter(url, "region");
  const forcePathStyle = takeParameter(url, "path-style") === "true";
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle,
  });
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  const store = new S3SessionStore({ client, bucket: url.hostname, prefix: folder === "" ? "" : `${folder}/` });
  return openedStore(store, async () => {
    await store.close();
    client.destroy();
  });
}
