import { messageOf } from "./errors.ts";

/** Why the API was not reached. */
export interface ReachFailure {
  readonly message: string;
  /** Whether asking again would come to the same. */
  readonly isLasting: boolean;
}

/** Describes the failure of a request; with what to do where the certificate of the API is the reason. */
export function reachFailure(error: unknown): ReachFailure {
  const message = messageOf(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (message.includes("wrong version number")) {
    return { message: "there is no TLS at that address. Does it begin with http: and not https:?", isLasting: true };
  }
  // OpenSSL's names for what is wrong with a certificate, and that of Node.js for another host's.
  if (!/CERT|^UNABLE_TO_VERIFY_|^INVALID_CA$/.test(code)) return { message, isLasting: false };
  const isUnknown = /SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED$/.test(code);
  const remedy = isUnknown
    ? " If it is right, name the authority that signed it in NODE_EXTRA_CA_CERTS where the process of the wiretap is started."
    : "";
  return { message: `its certificate is refused: ${message} (${code}).${remedy}`, isLasting: true };
}
