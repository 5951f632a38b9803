import { ReinsError } from "@reins/streamjson";

/** The address cannot be served at: it is in use, not one of this machine, or not allowed. The cause is the system's error. */
export class ServeError extends ReinsError {
  readonly code = "REINS_TOOL_SERVE" as const;
  /** The address as asked for, `HOST:PORT`. */
  readonly address: string;

  constructor(address: string, cause: unknown) {
    super(`Cannot listen at ${address}: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
    this.address = address;
  }

  override get name(): string {
    return "ServeError";
  }
}
