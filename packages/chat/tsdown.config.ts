import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts" },
  platform: "node",
  target: "es2022",
  fixedExtension: false,
  dts: { sourcemap: true },
  sourcemap: true,
  logLevel: "warn",
});
