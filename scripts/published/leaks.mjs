// The leak check names the line that left something, not one of its own; and what is printed to a pipe leaves nothing.
import { rejects } from "node:assert/strict";
import { startLeakCheck } from "@reins/testkit";

const clean = startLeakCheck({ timeoutMs: 1_000 });
process.stdout.write("ok\n");
await clean.assertClean();

const leaks = startLeakCheck({ timeoutMs: 10 });
const timer = setInterval(() => {}, 60_000);
await rejects(leaks.assertClean(), /timer: at .*leaks\.mjs:10:/);
clearInterval(timer);
