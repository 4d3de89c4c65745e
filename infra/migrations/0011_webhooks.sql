-- Webhook endpoints, what was delivered to them, and replays. An endpoint belongs to the mode (live or test) of the key
-- that created it. `types` null: all. `filter`: null, or the filter of the list as the client sent it. Secrets and the
-- values of custom headers are sealed.
create table landfall.webhook_endpoints (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id uuid not null default uuidv7(),
  test boolean not null,
  url text not null,
  description text,
  types text[],
  filter jsonb,
  payload text not null default 'summary',
  api_version text not null default 'v1',
  header_names text[] not null default '{}',
  headers_key_version text,
  headers_sealed bytea,
  ordering text not null default 'none',
  rate_per_second integer,
  timeout_s smallint not null default 10,
  key_version text not null,
  secret_sealed bytea not null,
  secret_made_at timestamptz not null default now(),
  previous_key_version text,
  previous_sealed bytea,
  previous_until timestamptz,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint webhook_endpoints_url_length check (length(url) between 1 and 2048),
  constraint webhook_endpoints_description_length check (length(description) between 1 and 500),
  constraint webhook_endpoints_types_present check (cardinality(types) > 0),
  constraint webhook_endpoints_payload_known check (payload in ('summary', 'full', 'thin')),
  constraint webhook_endpoints_headers_whole check (
    (headers_sealed is null) = (headers_key_version is null)
    and (headers_sealed is null) = (cardinality(header_names) = 0)
  ),
  constraint webhook_endpoints_ordering_known check (ordering in ('none', 'shipment')),
  constraint webhook_endpoints_rate check (rate_per_second between 1 and 1000),
  constraint webhook_endpoints_timeout check (timeout_s between 1 and 30),
  constraint webhook_endpoints_previous_whole check (
    (previous_sealed is null) = (previous_key_version is null) and (previous_sealed is null) = (previous_until is null)
  ),
  constraint webhook_endpoints_disabled_reason_known check (disabled_reason in ('requested', 'gone', 'failing')),
  constraint webhook_endpoints_disabled_whole check (
    enabled = (disabled_at is null) and enabled = (disabled_reason is null)
  )
);
select landfall.protect_table('landfall.webhook_endpoints', for_app => 'select, insert, update, delete');

-- The part of an endpoint that deliveries write. Each change up to `position` has an outcome. `retry_at`: when the next
-- waiting delivery is due. No index has a changing column, so that updates stay in their page.
create table landfall.webhook_cursors (
  account_id uuid not null,
  endpoint_id uuid not null,
  position bigint not null,
  epoch bigint not null default 0,
  lease_until timestamptz,
  retry_at timestamptz,
  failing_since timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  consecutive_failures integer not null default 0,
  primary key (account_id, endpoint_id),
  constraint webhook_cursors_endpoint foreign key (account_id, endpoint_id)
    references landfall.webhook_endpoints (account_id, id) on delete cascade
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);
select landfall.protect_table('landfall.webhook_cursors', for_app => 'select, insert, update');

-- One row for each delivery that was tried, with its last try; `earlier` holds the former ones. `position` is null for
-- a test. No foreign key to the endpoint: deleting one would delete millions of rows at once, and they expire anyway.
create table landfall.webhook_deliveries (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default uuidv7(),
  position bigint,
  change_id uuid not null,
  type text not null,
  shipment_id uuid,
  state text not null,
  tries smallint not null,
  next_try_at timestamptz,
  tried_at timestamptz,
  status smallint,
  latency_ms integer,
  error text,
  trace_id text,
  answer text,
  earlier jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, endpoint_id, id),
  constraint webhook_deliveries_state_known check (state in ('delivered', 'waiting', 'exhausted')),
  constraint webhook_deliveries_next_try check ((state = 'waiting') = (next_try_at is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, vacuum_truncate = off);
create unique index webhook_deliveries_once on landfall.webhook_deliveries (account_id, endpoint_id, position)
  where position is not null;
create index webhook_deliveries_waiting on landfall.webhook_deliveries (account_id, endpoint_id, next_try_at)
  where state = 'waiting';
create index webhook_deliveries_undelivered on landfall.webhook_deliveries (account_id, endpoint_id, id)
  where state <> 'delivered';
-- Of a shipment: the list of its deliveries, and their removal with it.
create index webhook_deliveries_by_shipment on landfall.webhook_deliveries (account_id, shipment_id, endpoint_id, id)
  where shipment_id is not null;
create index webhook_deliveries_old on landfall.webhook_deliveries (created_at) where state = 'delivered';
create index webhook_deliveries_old_undelivered on landfall.webhook_deliveries (created_at) where state <> 'delivered';
select landfall.protect_table('landfall.webhook_deliveries', for_app => 'select, insert, update');

-- A replay parks the changes of its range as waiting deliveries, up to `position` so far.
create table landfall.webhook_replays (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  endpoint_id uuid not null,
  from_position bigint not null,
  to_position bigint not null,
  failed_only boolean not null default false,
  position bigint not null,
  queued bigint not null default 0,
  state text not null default 'running',
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (account_id, id),
  constraint webhook_replays_endpoint foreign key (account_id, endpoint_id)
    references landfall.webhook_endpoints (account_id, id) on delete cascade,
  constraint webhook_replays_state_known check (state in ('running', 'done', 'cancelled')),
  constraint webhook_replays_completed check ((state = 'running') = (completed_at is null)),
  constraint webhook_replays_range check (from_position between 0 and to_position)
);
create index webhook_replays_of_endpoint on landfall.webhook_replays (account_id, endpoint_id, id);
-- An endpoint has one running replay at most.
create unique index webhook_replays_running on landfall.webhook_replays (account_id, endpoint_id)
  where state = 'running';
create index webhook_replays_old on landfall.webhook_replays (completed_at) where completed_at is not null;
select landfall.protect_table('landfall.webhook_replays', for_app => 'select, insert, update');
