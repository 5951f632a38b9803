import { closeOnSignals } from "@reins/sdk";

const release = closeOnSignals(["SIGTERM", "SIGINT"]);
console.log(typeof release);
