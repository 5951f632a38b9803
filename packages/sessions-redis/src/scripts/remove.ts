import { prelude } from "./prelude.ts";

/**
 * Removes a session with all that belongs to it, or one subpath.
 *
 * ARGV: session, subpath or "", token and owner of the lease or "". Answers: `removed`, `held` or `lost`.
 */
export const removeScript: string = `${prelude}
local session, subpath = ARGV[1], ARGV[2]
local refusal = refuse(ARGV[3], ARGV[4])
-- The lease went with the session, so a delete that is repeated has none to show.
if refusal and redis.call('EXISTS', lease, entries, subpaths) > 0 then return refusal end

if subpath ~= '' then
  redis.call('UNLINK', KEYS[9], KEYS[10])
  redis.call('SREM', subpaths, subpath)
  return {'removed'}
end
for _, name in ipairs(redis.call('SMEMBERS', subpaths)) do
  redis.call('UNLINK', entries .. ':' .. name, uuids .. ':' .. name)
end
redis.call('UNLINK', entries, uuids, subpaths, lease)
forget(session)
expireProject()
return {'removed'}
`;
