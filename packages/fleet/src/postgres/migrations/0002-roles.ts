/**
 * Three roles. The collector takes the one that a request needs, so that a machine that pushes can neither read nor
 * change what others pushed, even if the collector has a bug.
 */
export const roles = `
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['holdpoint_push', 'holdpoint_read', 'holdpoint_admin'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', name); END IF;
    IF NOT pg_has_role(current_user, name, 'MEMBER') THEN EXECUTE format('GRANT %I TO %I', name, current_user); END IF;
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA holdpoint TO holdpoint_push, holdpoint_read, holdpoint_admin;
REVOKE ALL ON FUNCTION holdpoint.ensure_partition(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION holdpoint.ensure_partition(date) TO holdpoint_push, holdpoint_admin;

GRANT SELECT ON holdpoint.schema_version TO holdpoint_push, holdpoint_read, holdpoint_admin;
GRANT SELECT, UPDATE ON holdpoint.tokens TO holdpoint_push;
GRANT SELECT, INSERT, UPDATE ON holdpoint.machines, holdpoint.chains, holdpoint.daily TO holdpoint_push;
GRANT SELECT, INSERT ON holdpoint.machine_bundles, holdpoint.findings TO holdpoint_push;
GRANT INSERT, SELECT (received_on, machine, branch, seq, hash) ON holdpoint.records TO holdpoint_push;

GRANT SELECT ON holdpoint.records, holdpoint.chains, holdpoint.findings, holdpoint.daily, holdpoint.machine_bundles,
  holdpoint.erasures TO holdpoint_read, holdpoint_admin;
GRANT SELECT (machine, registered_at, revoked_at, team, labels, hostname, username, platform, version, last_seen,
  last_counter, clock_skew_ms, bundle_name, bundle_revision, bundle_channel, bundle_enforced, bundle_expires,
  bundle_problem, unguarded, status) ON holdpoint.machines TO holdpoint_read;

GRANT SELECT, INSERT, UPDATE ON holdpoint.tokens, holdpoint.machines, holdpoint.chains, holdpoint.findings TO holdpoint_admin;
GRANT UPDATE ON holdpoint.records TO holdpoint_admin;
GRANT INSERT ON holdpoint.erasures TO holdpoint_admin;
`
