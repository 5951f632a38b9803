// The public surface of @reins/sessions/conformance, by name.

export { ConformanceError } from "./conformance-error.ts";
export type { ConformanceOptions, SessionStoreFactory, StoreCapability } from "./factory.ts";
export { type ConformanceReport, runSessionStoreChecks } from "./run-checks.ts";
export { type SessionStoreCheck, sessionStoreChecks } from "./suite.ts";
