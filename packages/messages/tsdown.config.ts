import { defineConfig } from "tsdown";

export default defineConfig({
  // The schemas refer to the types by the package's own name: one declaration of each, and one entry that loads zod.
  deps: { neverBundle: ["@reins/messages"] },
  entry: { index: "src/index.ts", schemas: "src/schemas/index.ts" },
  // For users no module has effects; the check of the version has one, and must not be left out of the build.
  treeshake: { moduleSideEffects: [{ test: /zod-version\.ts$/, sideEffects: true }] },
  platform: "neutral",
  target: "es2022",
  fixedExtension: false,
  dts: { sourcemap: true },
  sourcemap: true,
  logLevel: "warn",
});
