/**
 * Machines, their chains and their records. Records are partitioned by the day on which they arrived, by the clock of the
 * database: the clock of a machine may be a year off. The text of a record is `text`, never `jsonb`, which would
 * change it and break its hash.
 */
export const journal = `
CREATE TABLE holdpoint.tokens (
  hash text PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('push', 'read', 'admin')),
  label text NOT NULL DEFAULT '',
  team text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  uses_left integer,
  revoked_at timestamptz
);

CREATE TABLE holdpoint.machines (
  machine uuid PRIMARY KEY,
  public_key text NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  team text NOT NULL DEFAULT '',
  labels jsonb NOT NULL DEFAULT '{}',
  hostname text NOT NULL DEFAULT '',
  username text NOT NULL DEFAULT '',
  platform text NOT NULL DEFAULT '',
  version text NOT NULL DEFAULT '',
  last_seen timestamptz,
  last_counter bigint NOT NULL DEFAULT 0,
  clock_skew_ms bigint NOT NULL DEFAULT 0,
  bundle_name text NOT NULL DEFAULT '',
  bundle_revision bigint NOT NULL DEFAULT 0,
  bundle_channel text NOT NULL DEFAULT '',
  bundle_enforced boolean NOT NULL DEFAULT false,
  bundle_expires timestamptz,
  bundle_problem text NOT NULL DEFAULT '',
  unguarded boolean NOT NULL DEFAULT false,
  status jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE holdpoint.chains (
  machine uuid NOT NULL REFERENCES holdpoint.machines,
  branch text NOT NULL,
  parent_branch text,
  head_seq bigint NOT NULL,
  head_hash bytea NOT NULL,
  anchor_seq bigint NOT NULL,
  anchor_hash bytea NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (machine, branch)
);

CREATE TABLE holdpoint.records (
  received_on date NOT NULL,
  machine uuid NOT NULL,
  branch text NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  id text NOT NULL,
  host text NOT NULL,
  event text NOT NULL,
  session text NOT NULL,
  agent text NOT NULL,
  agent_type text NOT NULL,
  tool text NOT NULL,
  effect text NOT NULL,
  project text NOT NULL,
  project_path text NOT NULL,
  hooks text[] NOT NULL,
  duration_ms real NOT NULL,
  revision text NOT NULL,
  intact boolean NOT NULL,
  hash bytea NOT NULL,
  digest bytea NOT NULL,
  salt bytea NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (machine, branch, seq, received_on)
) PARTITION BY RANGE (received_on);
CREATE INDEX records_session ON holdpoint.records (session, at);
CREATE INDEX records_at ON holdpoint.records (at);
CREATE INDEX records_stops ON holdpoint.records (at) WHERE effect IN ('deny', 'ask');

CREATE TABLE holdpoint.findings (
  machine uuid NOT NULL REFERENCES holdpoint.machines,
  branch text NOT NULL,
  kind text NOT NULL,
  seq bigint NOT NULL,
  detail text NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  resolved_by text,
  PRIMARY KEY (machine, branch, kind, seq)
);

-- Counted when records arrive, so that a board reads hundreds of rows and not millions. A collector adds to its own
-- shard, so that two of them never wait for each other.
CREATE TABLE holdpoint.daily (
  day date NOT NULL,
  team text NOT NULL,
  project text NOT NULL,
  guard text NOT NULL,
  effect text NOT NULL,
  shard smallint NOT NULL,
  decisions bigint NOT NULL,
  PRIMARY KEY (day, team, project, guard, effect, shard)
);

CREATE TABLE holdpoint.machine_bundles (
  machine uuid NOT NULL REFERENCES holdpoint.machines,
  name text NOT NULL,
  revision bigint NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (machine, name, revision)
);

CREATE TABLE holdpoint.erasures (
  at timestamptz NOT NULL DEFAULT now(),
  by text NOT NULL,
  what text NOT NULL,
  records bigint NOT NULL
);

-- Owned by the one who migrates, so that a role that may only push cannot create tables of its own.
CREATE FUNCTION holdpoint.ensure_partition(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = holdpoint, pg_temp AS $$
DECLARE
  name text := 'records_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF abs(day - current_date) > 40 THEN RAISE EXCEPTION 'no partition for %', day; END IF;
  IF to_regclass('holdpoint.' || name) IS NOT NULL THEN RETURN; END IF;
  -- Two collectors at midnight: one of them creates it, the other waits and finds it.
  PERFORM pg_advisory_xact_lock(7405, (day - DATE '2000-01-01')::integer);
  BEGIN
    EXECUTE format('CREATE TABLE holdpoint.%I PARTITION OF holdpoint.records FOR VALUES FROM (%L) TO (%L)', name, day, day + 1);
  EXCEPTION WHEN duplicate_table THEN
    -- to_regclass would not do: it may answer from before the wait.
    NULL;
  END;
END $$;
`
