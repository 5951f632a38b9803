import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";

// What each package adds to a user's bundle: its root entry with everything in it, minified and gzipped, without the
// sibling packages and dependencies that it imports. Raise a budget on purpose, in a commit that says what for.
const budgets = {
  streamjson: "4 KiB",
  messages: "4 KiB",
  control: "14 KiB",
  toolhost: "11 KiB",
  process: "22 KiB",
  testkit: "16 KiB",
  sdk: "20 KiB",
  sessions: "30 KiB",
  "sessions-redis": "8 KiB",
  "sessions-s3": "11 KiB",
  "sessions-postgres": "8 KiB",
  runtime: "18 KiB",
  wiretap: "9 KiB",
  bridge: "8 KiB",
  chat: "20 KiB",
  cli: "4 KiB",
};

const external = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

export default Object.entries(budgets).map(([name, limit]) => {
  const manifest = JSON.parse(readFileSync(new URL(`packages/${name}/package.json`, import.meta.url), "utf8"));
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return {
    name: manifest.name,
    path: `packages/${name}/dist/index.js`,
    limit,
    gzip: true,
    ignore: [...external, ...dependencies],
  };
});
