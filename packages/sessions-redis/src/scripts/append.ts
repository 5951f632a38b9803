import { prelude } from "./prelude.ts";

/**
 * Adds entries to a transcript, folds them into the summary and writes the index, all or nothing.
 *
 * ARGV: session, subpath or "", ttl in ms or "0", token and owner of the lease or "", id of the call, header of a new transcript, the
 * numbers of summary changes and of elements, the changes (how, name, value), the elements of the list that hold the entries, and the uuid or
 * "" of each entry. Several entries are one element, since Lua takes much longer for 50 texts than for one that holds them.
 *
 * Answers: `stored`; `known` and the positions of entries that are there already, when nothing was written; `held` or `lost`.
 */
export const appendScript: string = `${prelude}
local list, known_uuids = KEYS[9], KEYS[10]
local session, subpath, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3])
local call, header, changes, elements = ARGV[6], ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])
local first_change = 10
local first_element = first_change + changes * 3
local first_uuid = first_element + elements

local refusal = refuse(ARGV[4], ARGV[5])
if refusal then return refusal end

-- Entries without a uuid go by the id of their call, which is sent twice when a client repeats it on a new connection.
-- In slices, since Lua hands over at most some 8,000 values in a call.
local slices = {}
for from = first_uuid, #ARGV, 2000 do
  local names = {}
  for i = from, math.min(from + 1999, #ARGV) do names[#names + 1] = ARGV[i] == '' and call or ARGV[i] end
  slices[#slices + 1] = names
end
local known, position = {'known'}, 0
for _, names in ipairs(slices) do
  for _, is_known in ipairs(redis.call('SMISMEMBER', known_uuids, unpack(names))) do
    if is_known == 1 then known[#known + 1] = position end
    position = position + 1
  end
end
if #known > 1 then return known end

-- Before anything is written: how long the keys of the session still live.
local left = redis.call('PTTL', entries)
if left == -2 then left = redis.call('PTTL', subpaths) end

-- What the index has of a session whose keys expired is of another life.
for _, member in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', '(' .. whole(now), 'LIMIT', 0, 100)) do
  if redis.call('EXISTS', string.sub(entries, 1, #entries - #session) .. member) == 0 then forget(member) end
end
if subpath == '' and redis.call('EXISTS', entries) == 0 then forget(session) end

if redis.call('EXISTS', list) == 0 then redis.call('RPUSH', list, header) end
for i = first_element, first_uuid - 1 do redis.call('RPUSH', list, ARGV[i]) end
for _, names in ipairs(slices) do redis.call('SADD', known_uuids, unpack(names)) end

local is_new = false
if subpath == '' then
  local last = redis.call('ZSCORE', index, session)
  is_new = not last
  local mtime = whole(math.max(now, (tonumber(last) or 0) + 1))
  redis.call('ZADD', index, mtime, session)

  local names, values = {}, {}
  local function set(name, value)
    if values[name] == nil then names[#names + 1] = name end
    values[name] = value
  end
  for line in string.gmatch(redis.call('HGET', summaries, session) or '', '[^\\n]+') do
    local name, value = string.match(line, '^([^\\t]*)\\t(.*)$')
    if name then set(name, value) end
  end
  local is_open = values['"firstPromptLocked"'] == nil
  for i = first_change, first_element - 1, 3 do
    local how, name, value = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if how == 'last' then set(name, value)
    elseif how == 'drop' then values[name] = nil
    elseif values[name] == nil and (how == 'first' or is_open) then set(name, value) end
  end
  local lines = {mtime}
  for _, name in ipairs(names) do
    if values[name] ~= nil then
      lines[#lines + 1] = name .. '\\t' .. values[name]
    end
  end
  redis.call('HSET', summaries, session, table.concat(lines, '\\n'))
else
  redis.call('SADD', subpaths, subpath)
end

local is_listed = redis.call('ZSCORE', index, session)
local function everyKey(command, ...)
  for _, key in ipairs({entries, uuids, subpaths}) do redis.call(command, key, ...) end
  for _, name in ipairs(redis.call('SMEMBERS', subpaths)) do
    redis.call(command, entries .. ':' .. name, ...)
    redis.call(command, uuids .. ':' .. name, ...)
  end
end
if ttl > 0 then
  -- A tenth more than is asked for, so that not every append has to look at every key of the session.
  local most = math.floor(ttl * 1.1)
  local is_due = left < ttl or left > most
  local at = whole(now + (is_due and most or left))
  if is_due then everyKey('PEXPIREAT', at)
  else
    for _, key in ipairs({list, known_uuids, subpaths}) do redis.call('PEXPIREAT', key, at) end
  end
  if is_listed then redis.call('ZADD', expiry, at, session) end
  if is_due or is_new then expireProject() end
else
  if left >= 0 then
    everyKey('PERSIST')
    redis.call('ZREM', expiry, session)
  end
  if redis.call('PTTL', index) >= 0 then expireProject() end
end
return {'stored'}
`;
