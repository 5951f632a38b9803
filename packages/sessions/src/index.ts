// The public surface of @reins/sessions, by name.

// Stores
// Transcripts
export type { SessionInfo, SessionKey, SessionMessage } from "@reins/messages";
export { sessionKeyOfPath } from "./mirror/key-of-path.ts";
export { type MirrorLoss, TranscriptMirror, type TranscriptMirrorOptions } from "./mirror/transcript-mirror.ts";
export { type MaterializedSession, type MaterializeOptions, materializeSession } from "./resume/materialize-session.ts";
export { type CopySessionOptions, type CopySessionReport, copySession } from "./store/copy-session.ts";
export { type EntryLine, toEntryLines } from "./store/entry-line.ts";
export {
  CorruptTranscriptError,
  InvalidEntryError,
  InvalidSessionKeyError,
  type SessionHolder,
  SessionInUseError,
  SessionLeaseLostError,
  SessionStoreError,
  type SessionStoreErrorDetails,
  type SessionStoreOperation,
} from "./store/errors.ts";
export { type ExportSessionOptions, type ExportSessionReport, exportSession } from "./store/export-session.ts";
export {
  FileSystemSessionStore,
  type FileSystemSessionStoreOptions,
} from "./store/filesystem/file-system-session-store.ts";
export type { TranscriptRepair } from "./store/filesystem/transcript-log.ts";
export type { FsyncPolicy } from "./store/filesystem/write-files.ts";
export { foldSessionSummary } from "./store/fold-session-summary.ts";
export {
  type ImportedTranscript,
  type ImportSessionOptions,
  type ImportSessionReport,
  importSession,
} from "./store/import-session.ts";
export { checkSessionLease, isLastLease, type LeaseRecord } from "./store/lease-record.ts";
export { MemorySessionStore } from "./store/memory-session-store.ts";
export type { InspectableSessionStore, SessionIssue, SessionIssueKind } from "./store/session-issue.ts";
export { checkProjectKey, checkSessionKey } from "./store/session-key.ts";
export {
  type AcquireLeaseOptions,
  isLeasingStore,
  type LeaseOptions,
  type LeasingSessionStore,
  type SessionLease,
  type SessionWriteOptions,
  withSessionLease,
} from "./store/session-lease.ts";
export type {
  SessionName,
  SessionStore,
  SessionStoreEntry,
  SessionStoreRow,
  SessionSummaryEntry,
} from "./store/session-store.ts";
export { SessionConflictError, type TransferOptions, type TransferredTranscript } from "./store/transfer.ts";
export { type SessionReport, verifySession } from "./store/verify-session.ts";
export { archiveSession, unarchiveSession } from "./transcript/archive.ts";
export {
  SessionForkError,
  SessionNotFoundError,
  SessionStoreMethodError,
  TranscriptAccessError,
  TranscriptLineError,
  type TranscriptProblem,
} from "./transcript/errors.ts";
export type { LooseEntry } from "./transcript/fields.ts";
export { type FollowTranscriptOptions, followTranscript } from "./transcript/follow-transcript.ts";
export { type ForkSessionOptions, type ForkSessionResult, forkSession } from "./transcript/fork-session.ts";
export { getSessionInfo } from "./transcript/get-session-info.ts";
export {
  type GetSessionMessagesOptions,
  getSessionMessages,
  type MessagePage,
} from "./transcript/get-session-messages.ts";
export { type ListSessionsOptions, listSessions } from "./transcript/list-sessions.ts";
export type { SessionLocation, TranscriptLocation } from "./transcript/location.ts";
export { deleteSession, renameSession, tagSession } from "./transcript/mutations.ts";
export { projectKeyForDirectory, projectKeyForPath } from "./transcript/project-key.ts";
export { type ReadTranscriptOptions, readTranscript } from "./transcript/read-transcript.ts";
export { type SearchSessionsOptions, type SessionMatch, searchSessions } from "./transcript/search-sessions.ts";
export { isSessionId } from "./transcript/session-id.ts";
export {
  type ModelTotal,
  type SessionUsage,
  sessionUsage,
  type TokenUsage,
  usageOf,
} from "./transcript/session-usage.ts";
export { type GetSubagentMessagesOptions, getSubagentMessages, listSubagents } from "./transcript/subagents.ts";
export type { TranscriptLine } from "./transcript/transcript-line.ts";
export { transcriptPath } from "./transcript/transcript-path.ts";
