-- As the owner of the tables, whom policies do not bind. Each transaction of a store sets reins.tenant.
ALTER TABLE agent.reins_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent.reins_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_sessions ON agent.reins_sessions TO app
  USING (tenant = nullif(current_setting('reins.tenant', true), ''));
CREATE POLICY own_entries ON agent.reins_entries TO app
  USING (EXISTS (SELECT FROM agent.reins_sessions WHERE id = session));
