import { readFileSync } from "node:fs";

/** The version of this package. */
export function version(): string {
  // Read, not imported: Node 20 warns about modules of JSON. From `src` and from `dist` it is the same path.
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}
