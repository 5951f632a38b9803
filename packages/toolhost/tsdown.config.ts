import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", files: "src/files/index.ts", serve: "src/mcp/serve/index.ts" },
  platform: "neutral",
  // Only `files` and `serve` have some, and the platform knows none.
  deps: { neverBundle: [/^node:/] },
  target: "es2022",
  fixedExtension: false,
  dts: { sourcemap: true },
  sourcemap: true,
  logLevel: "warn",
});
