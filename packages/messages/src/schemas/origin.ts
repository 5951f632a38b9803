import type {
  ChannelOrigin,
  HumanOrigin,
  MessageOrigin,
  ObserverOrigin,
  PeerOrigin,
  PlainOrigin,
  TaskNotificationOrigin,
} from "@reins/messages";
import * as z from "zod";
import { openKinds } from "./kinds.ts";
import { open } from "./open.ts";
import { loose, pinned } from "./pinned.ts";

/** Schema of {@link HumanOrigin}. */
export const humanOriginSchema: z.ZodType<HumanOrigin> = loose({ kind: z.literal("human") });

/** Schema of {@link ChannelOrigin}. */
export const channelOriginSchema: z.ZodType<ChannelOrigin> = loose({ kind: z.literal("channel"), server: z.string() });

/** Schema of {@link PeerOrigin}. */
export const peerOriginSchema: z.ZodType<PeerOrigin> = loose({
  kind: z.literal("peer"),
  from: z.string(),
  fromMode: open("bypass", "prompting").exactOptional(),
  name: z.string().exactOptional(),
  fromSession: z.string().exactOptional(),
  senderTaskId: z.string().exactOptional(),
  body: z.string().exactOptional(),
  verifiedPeerPid: z.number().exactOptional(),
});

/** Schema of {@link TaskNotificationOrigin}. */
export const taskNotificationOriginSchema: z.ZodType<TaskNotificationOrigin> = loose({
  kind: z.literal("task-notification"),
  subkind: open("scheduled-trigger", "peer-send-message", "projects-relay", "session-inbox").exactOptional(),
  fireReason: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  producer: z.string().exactOptional(),
});

/** Schema of {@link ObserverOrigin}. */
export const observerOriginSchema: z.ZodType<ObserverOrigin> = loose({
  kind: z.literal("observer"),
  from: z.string(),
  senderTaskId: z.string(),
});

/** Schema of {@link PlainOrigin}. */
export const plainOriginSchema: z.ZodType<PlainOrigin> = loose({
  kind: z.enum(["coordinator", "unclassified", "auto-continuation", "observer-activity"]),
});

/** Schema of {@link MessageOrigin}. */
export const messageOriginSchema: z.ZodType<MessageOrigin> = pinned(
  openKinds("kind", [
    humanOriginSchema,
    channelOriginSchema,
    peerOriginSchema,
    taskNotificationOriginSchema,
    observerOriginSchema,
    plainOriginSchema,
  ]),
);
