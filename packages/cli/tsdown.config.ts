import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", main: "src/main.ts" },
  platform: "node",
  target: "es2022",
  fixedExtension: false,
  // Nobody imports `main`.
  dts: { sourcemap: true, entry: "src/index.ts" },
  sourcemap: true,
  logLevel: "warn",
});
