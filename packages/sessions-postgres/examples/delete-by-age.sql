-- From time to time. Entries go with their session; whoever holds a valid lease keeps it.
DELETE FROM agent.reins_sessions
WHERE updated_at < now() - interval '90 days'
  AND coalesce(lease_expires, 0) < extract(epoch FROM now()) * 1000;
