import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { captureNames, eventLog, framesOf, logsFolder } from "./event-log.ts";

// Writes the event logs anew: `pnpm golden` in this package. Look at the difference before you commit it.
const names = captureNames();
for (const file of readdirSync(logsFolder)) if (file.endsWith(".events.ndjson")) rmSync(join(logsFolder, file));
for (const name of names) writeFileSync(join(logsFolder, `${name}.events.ndjson`), eventLog(framesOf(name)));
