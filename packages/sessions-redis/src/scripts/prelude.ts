/**
 * Begin of the scripts that write a session: names for `KEYS` (see `scriptKeysOf`), the clock, and the lease.
 *
 * Keys of subpaths that no caller named are made of those that were named, so they are in the same slot.
 */
export const prelude: string = `
local index, summaries, expiry, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local lease, subpaths, entries, uuids = KEYS[5], KEYS[6], KEYS[7], KEYS[8]

local time = redis.call('TIME')
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = math.floor(micros / 1000)

-- Lua would write large numbers with an exponent.
local function whole(number) return string.format('%.0f', number) end

local function forget(session)
  redis.call('ZREM', index, session)
  redis.call('ZREM', expiry, session)
  redis.call('HDEL', summaries, session)
end

-- Without any session that stays, the keys of the project may go with the last of those that do not.
local function expireProject()
  local last = redis.call('ZREVRANGE', expiry, 0, 0, 'WITHSCORES')
  if #last > 0 and redis.call('ZCARD', index) == redis.call('ZCARD', expiry) then
    for _, key in ipairs({index, summaries, expiry}) do redis.call('PEXPIREAT', key, last[2]) end
  else
    for _, key in ipairs({index, summaries, expiry}) do redis.call('PERSIST', key) end
  end
end

-- Gives nothing when the lease is the one that counts, or when none is needed.
local function refuse(token, owner)
  local held = redis.call('HMGET', lease, 'token', 'owner', 'until')
  if token ~= '' then
    if held[1] == token and held[2] == owner then return nil end
    return {'lost'}
  end
  if held[1] and tonumber(held[3]) > now then return {'held', held[2], held[3]} end
  return nil
end
`;
