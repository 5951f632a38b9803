import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Row, Samples } from "./row.ts";

/** Programs, each bundled alone. */
const programs = {
  "@reins/streamjson": everything("@reins/streamjson"),
  "@reins/messages": everything("@reins/messages"),
  "@reins/control": everything("@reins/control"),
  "@reins/process": everything("@reins/process"),
  "@reins/toolhost": everything("@reins/toolhost"),
  "@reins/sessions": everything("@reins/sessions"),
  "@reins/sdk": everything("@reins/sdk"),
  "official SDK": everything("@anthropic-ai/claude-agent-sdk"),
  "@reins/sdk, query() alone": queryAlone("@reins/sdk"),
  "official SDK, query() alone": queryAlone("@anthropic-ai/claude-agent-sdk"),
} as const;

/** What a package adds to a program in one file, with all that it imports but Node's own modules. */
export const sizes: Row = {
  name: "sizes",
  title: "A program in one file, minified, with all that it imports",
  measure: async () => {
    const samples: Samples[] = [];
    for (const [name, contents] of Object.entries(programs)) samples.push({ name, costs: [await sizeOf(contents)] });
    return samples;
  },
};

function everything(name: string): string {
  return `export * from "${name}";`;
}

function queryAlone(name: string): string {
  return `import { query } from "${name}"; for await (const message of query({ prompt: "Hi." })) console.log(message);`;
}

async function sizeOf(contents: string): Promise<{ readonly KiB: number; readonly "KiB gzipped": number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { KiB: bytes.length / 1024, "KiB gzipped": gzipSync(bytes).length / 1024 };
}
