import type { MessageBase } from "../envelope.ts";

/** What every system message has. */
export interface SystemBase extends MessageBase {
  readonly type: "system";
}
