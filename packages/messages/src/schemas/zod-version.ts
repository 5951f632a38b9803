// Loaded first. The peer range admits older versions, which programs that do not load the schemas may have.
import * as z from "zod";

// zod 3 lacks it too, and is found here under the name of zod 4.
const added: unknown = (z as Readonly<Record<string, unknown>>)["exactOptional"];
if (typeof added !== "function") {
  throw new Error("@reins/messages/schemas needs zod 4.3 or newer, and an older one was found. Run: npm install zod@4");
}
