import { prelude } from "./prelude.ts";

/**
 * Gives out a lease. ARGV: owner, ttl in ms, id of the call. Answers: `granted`, token and end; or `held`.
 *
 * A client that repeats the call on a new connection gets what it was given already.
 * Tokens come from the clock, and from the last one where the clock was set back or stands. That last one is kept for a day, and the record
 * of a lease for a week behind its end.
 */
export const acquireScript: string = `${prelude}
local given = redis.call('HMGET', lease, 'call', 'token', 'until')
if given[1] == ARGV[3] then return {'granted', given[2], given[3]} end
local refusal = refuse('', '')
if refusal then return refusal end
local last = math.max(tonumber(redis.call('GET', fence) or 0), tonumber(redis.call('HGET', lease, 'token') or 0))
local token, ends = whole(math.max(micros, last + 1)), whole(now + tonumber(ARGV[2]))
redis.call('SET', fence, token, 'EX', 86400)
redis.call('HSET', lease, 'token', token, 'owner', ARGV[1], 'until', ends, 'call', ARGV[3])
redis.call('PEXPIREAT', lease, whole(tonumber(ends) + 604800000))
return {'granted', token, ends}
`;

/** Prolongs a lease. ARGV: token, owner, ttl in ms. Answers: `granted`, token and end; or `lost`. */
export const renewScript: string = `${prelude}
local refusal = refuse(ARGV[1], ARGV[2])
if refusal then return refusal end
local ends = whole(now + tonumber(ARGV[3]))
redis.call('HSET', lease, 'until', ends)
redis.call('PEXPIREAT', lease, whole(tonumber(ends) + 604800000))
return {'granted', ARGV[1], ends}
`;

/** Ends a lease, if it is still the one that counts. ARGV: token, owner. */
export const releaseScript: string = `${prelude}
if not refuse(ARGV[1], ARGV[2]) then redis.call('DEL', lease) end
return {'released'}
`;
