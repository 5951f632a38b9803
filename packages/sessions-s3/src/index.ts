// The public surface of @reins/sessions-s3, by name.
export { S3LeasesUnavailableError } from "./conditional-writes.ts";
export { S3RequestError, type S3RequestErrorDetails, type S3RequestName } from "./s3-request-error.ts";
export {
  type CompactedTranscript,
  type CompactSessionOptions,
  type S3CallOptions,
  S3SessionStore,
  type S3SessionStoreOptions,
} from "./s3-session-store.ts";
