import type { UserConfig } from "vite";

// The page is served by our own server under a strict policy: no inline script, nothing from elsewhere.
const config: UserConfig = {
  root: "src/page",
  base: "/",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../dist",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    target: "es2022",
    reportCompressedSize: false,
  },
};

// biome-ignore lint/style/noDefaultExport: vite takes it so.
export default config;
