import { schemaFor } from "@reins/messages/schemas";
import type { Frame } from "@reins/streamjson";

/** The flaws of a frame, by the schema of its kind; `undefined` for a kind that is not known. */
export function checkFrame(frame: Frame): readonly string[] | undefined {
  const schema = schemaFor(frame.value);
  if (schema === undefined) return undefined;
  const { error } = schema.safeParse(frame.value);
  return error?.issues.map(({ path, message }) => `${path.join(".") || "(frame)"}: ${message}`) ?? [];
}
