-- The two roles are cluster-wide: several databases of one cluster may migrate at the same moment, so each step tolerates losing a race.
-- Where the migrating user may not create roles, an administrator creates and grants both beforehand.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['landfall_app', 'landfall_system'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit', role_name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    for attempt in 1..20 loop
      exit when pg_has_role(current_user, role_name, 'set')
        and (select rolsuper from pg_roles where rolname = current_user);
      exit when exists (
        select from pg_auth_members as m
          join pg_roles as granted on granted.oid = m.roleid
          join pg_roles as member on member.oid = m.member
        where granted.rolname = role_name and member.rolname = current_user and m.set_option
      );
      begin
        execute format('grant %I to %I with inherit false, set true', role_name, current_user);
      exception
        when unique_violation then null;
        -- "tuple concurrently updated": another database of the cluster granted at the same moment
        when internal_error then perform pg_sleep(0.05);
      end;
    end loop;
  end loop;
end
$$;

create table landfall.accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  created_at timestamptz not null default now(),
  constraint accounts_name_unique unique (name),
  constraint accounts_name_length check (length(name) between 1 and 200)
);

create table landfall.api_keys (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id uuid not null default uuidv7(),
  name text not null,
  prefix text not null,
  last_four text not null,
  key_hash bytea not null,
  scopes text[] not null,
  test boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  rotated_at timestamptz,
  rotated_to uuid,
  primary key (account_id, id),
  constraint api_keys_key_hash_unique unique (key_hash),
  constraint api_keys_key_hash_size check (octet_length(key_hash) = 32),
  constraint api_keys_name_length check (length(name) between 1 and 200),
  constraint api_keys_scopes_known check (
    scopes <@ array['shipments:read', 'shipments:write', 'webhooks:manage', 'carriers:manage', 'keys:manage']
  )
);

create table landfall.audit (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id uuid,
  request_id text,
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);

-- No foreign key to accounts from here on: every insert of a busy account would lock the same accounts row.
create table landfall.shipments (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  transport_mode text not null,
  service_type text,
  carrier text not null,
  carrier_name text not null,
  connector text not null,
  identifiers jsonb not null,
  reference text,
  tags text[] not null default '{}',
  metadata jsonb not null default '{}',
  destination_postal_code text,
  status text not null default 'pending',
  status_changed_at timestamptz(3),
  has_exception boolean not null default false,
  eta timestamptz(3),
  delay_hours double precision,
  origin_unlocode text,
  origin_name text,
  destination_unlocode text,
  destination_name text,
  last_event_at timestamptz(3),
  record jsonb not null,
  warnings jsonb not null default '[]',
  search_text text not null default '',
  registration_traceparent text,
  open boolean not null default true,
  closed_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version bigint not null default 1,
  primary key (account_id, id),
  constraint shipments_transport_mode_known check (transport_mode in ('ocean', 'air', 'road', 'rail', 'parcel')),
  constraint shipments_service_type_known check (service_type in ('ltl', 'ftl')),
  constraint shipments_status_known check (
    status in (
      'pending', 'booked', 'in_transit', 'arrived', 'available_for_pickup', 'out_for_delivery', 'delivered', 'returned', 'failed', 'cancelled'
    )
  ),
  constraint shipments_version_positive check (version > 0)
);

create unique index shipments_reference_unique on landfall.shipments (account_id, test, reference) where reference is not null;
create index shipments_by_created_at on landfall.shipments (account_id, test, created_at, id);
create index shipments_by_updated_at on landfall.shipments (account_id, test, updated_at, id);
create index shipments_by_status on landfall.shipments (account_id, test, status, created_at, id);
create index shipments_by_eta on landfall.shipments (account_id, test, eta, id) where eta is not null;
create index shipments_by_status_changed_at on landfall.shipments (account_id, test, status_changed_at, id) where status_changed_at is not null;
create index shipments_by_last_event_at on landfall.shipments (account_id, test, last_event_at, id) where last_event_at is not null;

-- `test`, `transport_mode`, `carrier` and `open` repeat the shipment's, because a unique index sees one table only.
create table landfall.shipment_identifiers (
  account_id uuid not null,
  shipment_id uuid not null,
  key text not null,
  value text not null,
  match_value text not null collate "C",
  source text not null,
  test boolean not null,
  transport_mode text not null,
  carrier text not null,
  open boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (account_id, shipment_id, key, source, match_value),
  constraint shipment_identifiers_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint shipment_identifiers_source_known check (source in ('client', 'carrier')),
  constraint shipment_identifiers_key_known check (
    key in (
      'mbl', 'booking', 'container', 'hbl', 'awb', 'hawb', 'tracking_number', 'pro', 'bol', 'equipment', 'pickup_number', 'po', 'waybill', 'railcar'
    )
  )
);

create unique index shipment_identifiers_open_unique
  on landfall.shipment_identifiers (account_id, test, transport_mode, carrier, key, match_value)
  where open and source = 'client' and key in ('mbl', 'booking', 'awb', 'tracking_number', 'pro', 'bol', 'waybill');
create index shipment_identifiers_by_match_value on landfall.shipment_identifiers (account_id, match_value, shipment_id);

create table landfall.polling (
  account_id uuid not null,
  shipment_id uuid not null,
  connector text not null,
  state text not null default 'queued',
  reason text,
  next_refresh_at timestamptz,
  epoch bigint not null default 0,
  lease_until timestamptz,
  stale_at timestamptz,
  attempts bigint not null default 0,
  consecutive_failures integer not null default 0,
  reading_hash bytea,
  last_refreshed_at timestamptz,
  last_succeeded_at timestamptz,
  last_changed_at timestamptz,
  source text,
  trace_id text,
  priority smallint not null default 0,
  primary key (account_id, shipment_id),
  constraint polling_shipment foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade,
  constraint polling_state_known check (state in ('queued', 'active', 'awaiting_carrier', 'degraded', 'failed', 'stopped', 'completed')),
  constraint polling_epoch_not_negative check (epoch >= 0),
  constraint polling_reading_hash_size check (octet_length(reading_hash) = 32)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

-- Both serve the sweep, which is the system's: by connector, over all accounts. The second one finds the accounts that have due work.
create index polling_due on landfall.polling (connector, next_refresh_at) where next_refresh_at is not null;
create index polling_due_by_account on landfall.polling (connector, account_id, next_refresh_at) where next_refresh_at is not null;
create index polling_leases on landfall.polling (connector, account_id, lease_until) where lease_until is not null;
create index polling_stale on landfall.polling (account_id, stale_at) where stale_at is not null;

create table landfall.events (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  dedupe_text text not null,
  dedupe_hash bytea not null,
  revision_hash bytea,
  code text not null,
  classifier text not null,
  source text not null,
  event_at timestamptz not null,
  event jsonb not null,
  raw jsonb,
  received_at timestamptz not null default now(),
  superseded_by uuid,
  voided_at timestamptz,
  suspect boolean not null default false,
  primary key (account_id, id),
  constraint events_dedupe_unique unique (account_id, shipment_id, dedupe_hash),
  constraint events_shipment foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade,
  constraint events_classifier_known check (classifier in ('planned', 'estimated', 'actual')),
  constraint events_source_known check (source in ('carrier', 'client', 'test'))
);

create index events_by_shipment on landfall.events (account_id, shipment_id, event_at, id);

create table landfall.rejected_events (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  raw jsonb not null,
  raw_hash bytea not null,
  reason text not null,
  seen_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint rejected_events_unique unique (account_id, shipment_id, raw_hash),
  constraint rejected_events_shipment foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade
);

create table landfall.status_changes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  from_status text,
  to_status text not null,
  event_id uuid,
  event_code text,
  trace_id text,
  changed_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint status_changes_shipment foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade
);

create index status_changes_by_shipment on landfall.status_changes (account_id, shipment_id, changed_at);

create table landfall.refreshes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  count integer not null default 1,
  outcome text not null,
  http_status integer,
  duration_ms double precision not null,
  events_added integer not null default 0,
  trace_id text,
  reason text,
  source text,
  primary key (account_id, id),
  constraint refreshes_outcome_known check (outcome in ('changed', 'unchanged', 'not_found', 'error')),
  constraint refreshes_shipment foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade
);

create index refreshes_by_shipment on landfall.refreshes (account_id, shipment_id, last_at desc, id desc);

-- `seq` is taken after the shipment's row lock and is not commit order; `position` is given later to committed rows by one sequencer.
create sequence landfall.change_seq as bigint cache 1;

create table landfall.changes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  seq bigint not null default nextval('landfall.change_seq'),
  position bigint,
  type text not null,
  shipment_id uuid,
  test boolean not null default false,
  data jsonb not null,
  traceparent text,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint changes_position_unique unique (position)
);

create index changes_unpositioned on landfall.changes (seq) where position is null;
create index changes_by_position on landfall.changes (account_id, position) where position is not null;

create table landfall.idempotency (
  account_id uuid not null,
  route text not null,
  key text not null,
  body_hash text not null,
  status text not null default 'running',
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, route, key),
  constraint idempotency_status_known check (status in ('running', 'done')),
  constraint idempotency_key_length check (length(key) between 1 and 255)
);

create index idempotency_by_created_at on landfall.idempotency (created_at);

grant usage on schema landfall to landfall_app, landfall_system;
grant usage on sequence landfall.change_seq to landfall_app, landfall_system;

do $$
declare
  table_name text;
  account_column text;
begin
  foreach table_name in array array[
    'accounts', 'api_keys', 'audit', 'shipments', 'shipment_identifiers', 'polling', 'events', 'rejected_events', 'status_changes', 'refreshes',
    'changes', 'idempotency'
  ] loop
    account_column := case table_name when 'accounts' then 'id' else 'account_id' end;
    execute format('alter table landfall.%I enable row level security', table_name);
    execute format('alter table landfall.%I force row level security', table_name);
    execute format(
      'create policy own_account on landfall.%I for all to landfall_app using (%I = nullif(current_setting(''landfall.account_id'', true), '''')::uuid)',
      table_name, account_column
    );
    execute format('create policy system on landfall.%I for all to landfall_system using (true)', table_name);
    execute format('grant select, insert, update, delete on landfall.%I to landfall_system', table_name);
    execute format('grant select, insert, update, delete on landfall.%I to landfall_app', table_name);
  end loop;
end
$$;

-- Append-only: nobody rewrites history on a request's path. An account cannot create or remove accounts.
revoke update, delete on landfall.audit, landfall.status_changes from landfall_app, landfall_system;
revoke delete on landfall.events, landfall.changes from landfall_app;
revoke insert, update, delete on landfall.accounts from landfall_app;
