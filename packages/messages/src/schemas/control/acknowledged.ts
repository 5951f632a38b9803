import type { Acknowledged } from "@reins/messages";
import * as z from "zod";
import { pinned } from "../pinned.ts";

/** Schema of {@link Acknowledged}. */
export const acknowledgedSchema: z.ZodType<Acknowledged> = pinned(z.record(z.string(), z.unknown()));
