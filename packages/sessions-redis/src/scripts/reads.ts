/**
 * Reads a part of a transcript. KEYS: its list. ARGV: position of the first element, bytes after which to stop.
 *
 * Answers the header, the number of elements in all, and elements; nothing when there is no transcript. 16 elements are read at a time, so
 * the answer exceeds the limit by 16 elements at most.
 */
export const readScript: string = `
local header = redis.call('LINDEX', KEYS[1], 0)
if not header then return {} end
local reply = {header, redis.call('LLEN', KEYS[1]) - 1}
local at, limit, bytes = tonumber(ARGV[1]), tonumber(ARGV[2]), 0
while bytes < limit do
  local part = redis.call('LRANGE', KEYS[1], at + 1, at + 16)
  if #part == 0 then break end
  for _, element in ipairs(part) do
    reply[#reply + 1] = element
    bytes = bytes + #element
  end
  at = at + #part
end
return reply
`;

/** Ends of sessions that expired, and were not yet removed from the index: nobody wrote to the project since. */
const expired = `
local time = redis.call('TIME')
local expired = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. time[1] .. string.sub(string.format('%06d', time[2]), 1, 3))
`;

/** Lists sessions. KEYS: index, expiry. ARGV: cursor, how many. Answers the next cursor, (session, mtime) pairs, and the expired. */
export const listScript: string = `${expired}
local page = redis.call('ZSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
return {page[1], page[2], expired}
`;

/** Lists summaries. KEYS: summaries, expiry. ARGV: cursor, how many. Answers the next cursor, (session, summary) pairs, and the expired. */
export const summariesScript: string = `${expired}
local page = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
return {page[1], page[2], expired}
`;

/** Lists the subpaths of a session. KEYS: their set. */
export const subpathsScript: string = "return redis.call('SMEMBERS', KEYS[1])";
