import type { OpenString, UnknownValue } from "./open.ts";

/** Where a prompt came from. Absent means that nobody said. */
export type MessageOrigin =
  | HumanOrigin
  | ChannelOrigin
  | PeerOrigin
  | TaskNotificationOrigin
  | ObserverOrigin
  | PlainOrigin
  | UnknownOrigin;

/** A person wrote it. */
export interface HumanOrigin {
  readonly kind: "human";
}

/** It came through a channel of an MCP server. */
export interface ChannelOrigin {
  readonly kind: "channel";
  readonly server: string;
}

/** Another session wrote it. */
export interface PeerOrigin {
  readonly kind: "peer";
  readonly from: string;
  readonly fromMode?: OpenString<"bypass" | "prompting">;
  readonly name?: string;
  readonly fromSession?: string;
  readonly senderTaskId?: string;
  readonly body?: string;
  readonly verifiedPeerPid?: number;
}

/** A background task ended and woke the session: nobody sent a prompt. */
export interface TaskNotificationOrigin {
  readonly kind: "task-notification";
  readonly subkind?: OpenString<"scheduled-trigger" | "peer-send-message" | "projects-relay" | "session-inbox">;
  readonly fireReason?: string;
  readonly runId?: string;
  /** Internal. */
  readonly producer?: string;
}

/** An observer of the session wrote it. */
export interface ObserverOrigin {
  readonly kind: "observer";
  readonly from: string;
  readonly senderTaskId: string;
}

/** Origins that say nothing more. `unclassified` is what a prompt with `isSynthetic` gets. */
export interface PlainOrigin {
  readonly kind: "coordinator" | "unclassified" | "auto-continuation" | "observer-activity";
}

/** A kind that this package does not know. */
export interface UnknownOrigin {
  readonly kind: UnknownValue;
}
