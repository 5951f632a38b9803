-- As the role that migrated. The application needs no more than this.
GRANT USAGE ON SCHEMA agent TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON agent.reins_sessions TO app;
GRANT SELECT, INSERT, DELETE ON agent.reins_entries TO app;
GRANT USAGE ON SEQUENCE agent.reins_lease_tokens TO app;
GRANT SELECT ON agent.reins_migrations TO app;
