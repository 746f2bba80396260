/** What people ask a fleet. docs/reference/fleet-views.md describes each view and its columns. */
export const views = `
CREATE VIEW holdpoint.machine_overview AS
SELECT m.machine, m.hostname, m.username, m.team, m.labels, m.platform, m.version, m.last_seen,
  m.bundle_name, m.bundle_revision, m.bundle_channel, m.bundle_enforced, m.bundle_expires, m.bundle_problem,
  m.unguarded, m.revoked_at IS NOT NULL AS revoked, m.clock_skew_ms, m.registered_at,
  coalesce(m.status -> 'agents', '[]') AS agents,
  coalesce(f.findings, 0) AS open_findings,
  m.last_seen IS NULL OR m.last_seen < now() - interval '1 day' AS silent,
  m.bundle_name <> '' AND m.bundle_revision < coalesce(n.revision, 0) AS outdated,
  CASE
    WHEN coalesce(f.findings, 0) > 0 THEN 1
    WHEN m.unguarded THEN 2
    WHEN m.last_seen IS NULL OR m.last_seen < now() - interval '1 day' THEN 3
    WHEN m.bundle_problem <> '' OR m.bundle_expires < now() THEN 4
    WHEN m.bundle_name <> '' AND m.bundle_revision < coalesce(n.revision, 0) THEN 5
    ELSE 9
  END AS urgency
FROM holdpoint.machines m
LEFT JOIN (
  SELECT machine, count(*) AS findings FROM holdpoint.findings
  WHERE resolved_at IS NULL AND kind <> 'clock' GROUP BY machine
) f USING (machine)
LEFT JOIN (
  SELECT bundle_name, bundle_channel, max(bundle_revision) AS revision FROM holdpoint.machines
  WHERE revoked_at IS NULL GROUP BY bundle_name, bundle_channel
) n USING (bundle_name, bundle_channel);

CREATE VIEW holdpoint.stops_by_day AS
SELECT day, team, project, guard, effect, sum(decisions)::bigint AS decisions
FROM holdpoint.daily WHERE guard <> '' AND effect IN ('deny', 'ask')
GROUP BY day, team, project, guard, effect;

CREATE VIEW holdpoint.decisions_by_day AS
SELECT day, team, project, effect, sum(decisions)::bigint AS decisions
FROM holdpoint.daily WHERE guard = '' GROUP BY day, team, project, effect;

CREATE VIEW holdpoint.decisions AS
SELECT r.at, r.received_on, r.machine, m.hostname, m.username, m.team, r.branch, r.seq, r.id, r.host, r.event,
  r.session, r.agent, r.agent_type, r.tool, r.effect, r.project, r.project_path, r.hooks, r.duration_ms, r.revision,
  r.intact, r.record
FROM holdpoint.records r JOIN holdpoint.machines m USING (machine);

CREATE VIEW holdpoint.rollout AS
SELECT b.name, b.revision, date_trunc('minute', b.first_seen) AS minute, count(*) AS machines,
  sum(count(*)) OVER (PARTITION BY b.name, b.revision ORDER BY date_trunc('minute', b.first_seen)) AS machines_so_far
FROM holdpoint.machine_bundles b GROUP BY b.name, b.revision, date_trunc('minute', b.first_seen);

CREATE VIEW holdpoint.open_findings AS
SELECT f.found_at, f.machine, m.hostname, m.username, m.team, f.branch, f.kind, f.seq, f.detail
FROM holdpoint.findings f JOIN holdpoint.machines m USING (machine) WHERE f.resolved_at IS NULL;

CREATE VIEW holdpoint.erasure_requests AS
SELECT r.at, r.machine, m.hostname, m.username, r.project, r.record
FROM holdpoint.records r JOIN holdpoint.machines m USING (machine) WHERE r.host = 'person' AND r.event = 'Erase';

GRANT SELECT ON holdpoint.machine_overview, holdpoint.stops_by_day, holdpoint.decisions_by_day, holdpoint.decisions,
  holdpoint.rollout, holdpoint.open_findings, holdpoint.erasure_requests TO holdpoint_read, holdpoint_admin;
`
