import { writeFile } from "node:fs/promises";
import { coveragePage, coverageText } from "./coverage-table.ts";

await writeFile(coveragePage, await coverageText());
