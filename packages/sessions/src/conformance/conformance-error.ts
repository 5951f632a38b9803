import { ReinsError } from "@reins/streamjson";

/** A store did not do what a check asks for. */
export class ConformanceError extends ReinsError {
  readonly code = "REINS_STORE_CONFORMANCE" as const;

  override get name(): string {
    return "ConformanceError";
  }
}
