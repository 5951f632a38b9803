import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";

/** A secret that cannot be guessed: 256 bits, in characters that a URL takes. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * What may be done by a page: run its own scripts and styles, talk to its own server, show pictures that are in the page already. Trusted Types
 * without a policy turn every way to make HTML of a text into an error.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Puts the headers on every response that keep a hostile transcript, and other pages, out. */
export function secureHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const set = (name: string, value: string): void => context.res.headers.set(name, value);
    set("content-security-policy", contentSecurityPolicy);
    set("x-content-type-options", "nosniff");
    set("referrer-policy", "no-referrer");
    set("x-frame-options", "DENY");
    set("cross-origin-opener-policy", "same-origin");
    set("cross-origin-resource-policy", "same-origin");
    set("permissions-policy", "camera=(), geolocation=(), microphone=()");
    set("cache-control", "no-store");
  };
}

/**
 * Refuses what does not come from our own page: a `Host` that is another name for loopback (DNS rebinding), and an `Origin` or a fetch site that
 * is not ours.
 *
 * @param port Asked for each time: it is known once the server listens.
 */
export function sameOriginOnly(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const hosts = [`127.0.0.1:${port()}`, `localhost:${port()}`];
    const host = context.req.header("host") ?? "";
    if (!hosts.includes(host)) return refuse(context, 421, "This server answers to its own name only.");
    const origin = context.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`) return refuse(context, 403, "Another origin asks.");
    const site = context.req.header("sec-fetch-site");
    // A person who opens the link sends "none"; where the link stands on another page, the navigation has no token to send.
    const isNavigation = context.req.header("sec-fetch-mode") === "navigate";
    if (site !== undefined && site !== "same-origin" && site !== "none" && !isNavigation) {
      return refuse(context, 403, "Another site asks.");
    }
    return next();
  };
}

/** Asks for `Authorization: Bearer <token>`, which no other page can send: it has no cookie to ride on. */
export function tokenOnly(token: string): MiddlewareHandler {
  const wanted = digest(`Bearer ${token}`);
  return async (context, next) => {
    // Digests have one length, so that comparing takes one time.
    const given = digest(context.req.header("authorization") ?? "");
    if (!timingSafeEqual(given, wanted)) return refuse(context, 401, "The token is missing or wrong.");
    return next();
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function refuse(context: Context, status: 401 | 403 | 421, error: string): Response {
  return context.json({ error }, status);
}
