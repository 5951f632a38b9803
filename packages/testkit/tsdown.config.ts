import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    memory: "src/scripted-cli/memory.ts",
    // The program of `scriptedCliExecutable`, which lies beside the entries and shares the interpreter with them.
    "executable-main": "src/scripted-cli/executable-main.js",
  },
  platform: "node",
  target: "es2022",
  fixedExtension: false,
  dts: { sourcemap: true },
  sourcemap: true,
  logLevel: "warn",
});
