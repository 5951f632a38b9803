import { s3StoreRows } from "./src/store-s3.ts";
import { toTable } from "./src/table.ts";
const quick = process.argv[2] !== "full";
for (const { name, title, measure } of s3StoreRows) console.log(`\n${name}: ${title}\n${toTable(await measure({ rounds: quick ? 1 : 3, quick }))}`);
