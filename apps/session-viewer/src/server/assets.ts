import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/**
 * Reads the built page into memory. What is asked for later is looked up by name among what is there: no request becomes a path.
 *
 * @throws When the page was not built.
 */
export async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new Error(`The page is not built: ${folder} is not there. Run "npm run build" in apps/session-viewer.`, {
      cause,
    });
  });
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    assets.set(`/${name.replaceAll("\\", "/")}`, { body: new Uint8Array(await readFile(join(folder, name))), type });
  }
  const index = assets.get("/index.html");
  if (index === undefined)
    throw new Error(`There is no index.html in ${folder}. Run "npm run build" in apps/session-viewer.`);
  assets.set("/", index);
  return assets;
}
