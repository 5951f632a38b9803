import { parseArgs } from "node:util";
import { schemaFolder, staleSchemaFiles, writeSchemaFiles } from "./schema-files.ts";

const usage = `pnpm schemas [--check]

Makes contracts/schemas from the zod schemas of @reins/messages/schemas.
  --check  writes nothing; fails when a file is stale`;

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});

if (values.help) {
  console.log(usage);
} else if (values.check) {
  const stale = await staleSchemaFiles(schemaFolder);
  if (stale.length > 0) {
    console.error(`Stale: ${stale.join(", ")}. Run pnpm schemas and look at the diff.`);
    process.exitCode = 1;
  }
} else {
  const written = await writeSchemaFiles(schemaFolder);
  console.log(written.length === 0 ? "Nothing has changed." : written.join("\n"));
}
