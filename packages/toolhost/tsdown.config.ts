import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: false,
  dts: { sourcemap: true },
  sourcemap: true,
  logLevel: "warn",
});
