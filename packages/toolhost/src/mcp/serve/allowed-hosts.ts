import type { IncomingMessage } from "node:http";

/** The names under which a machine reaches itself. */
const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Addresses that mean all of a machine's. No client is to be reached under them. */
const wildcards: readonly string[] = ["0.0.0.0", "[::]"];

/** A host as it stands in a URL: IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The names that clients may use where nothing else was said. */
export function defaultHosts(host: string): readonly string[] {
  const name = urlHost(host);
  return wildcards.includes(name) ? loopbackNames : [...loopbackNames, name];
}

/** The address of a server that listens at `host`, for clients on this machine. */
export function reachableHost(host: string): string {
  const name = urlHost(host);
  return wildcards.includes(name) ? "127.0.0.1" : name;
}

/**
 * Why a request is refused, or `undefined`.
 *
 * A web page can reach a server of the machine of its reader, under the page's own name when it controls the name's address (DNS
 * rebinding). Then `Host` is that name, and `Origin` the page's: neither is one that the server was told.
 */
export function refusalOf({ headers }: IncomingMessage, allowed: readonly string[]): string | undefined {
  const { host, origin } = headers;
  if (!isAllowed(`http://${host}`, allowed)) return "The Host header names no host that is allowed";
  // Clients that are no browsers send none.
  if (origin !== undefined && !isAllowed(origin, allowed)) return "The Origin header names no host that is allowed";
  return undefined;
}

function isAllowed(url: string, allowed: readonly string[]): boolean {
  return URL.canParse(url) && allowed.includes(new URL(url).hostname);
}
