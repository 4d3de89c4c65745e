-- The whole schema, in parts: 1 roles and access, 2 accounts and keys, 3 shipments and identifiers, 4 search,
-- 5 journeys and events, 6 tracking, 7 counts, 8 feed, 9 idempotency, 10 imports, 11 carrier credentials,
-- 12 carrier budgets and health, 13 push, 14 rate limits, 15 traces, 16 people.
-- This file is never edited after its release: a change is the next numbered file. infra/schema.sql shows the sum.

------------------------------------------------------------------------------------------------------------------------
-- 1. Roles and access
------------------------------------------------------------------------------------------------------------------------

-- landfall_app serves requests, landfall_system the workers and the operator, landfall_auth sign-in. Roles belong to
-- the whole cluster, and several of its databases may migrate at the same moment, so each step tolerates losing a race.
-- Where the migrating user may not create roles, an administrator creates and grants them beforehand.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['landfall_app', 'landfall_system', 'landfall_auth'] loop
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
        -- "tuple concurrently updated": another database of the cluster granted at the same moment.
        when internal_error then perform pg_sleep(0.05);
      end;
    end loop;
  end loop;
end
$$;

grant usage on schema landfall to landfall_app, landfall_system;

-- Separates the accounts in a table, also for its owner (`force`). landfall_system sees every row; landfall_app has the
-- rows of the account that its transaction is bound to, and without `for_app` none. Later migrations call it for each
-- new table; no role of the application may.
create function landfall.protect_table(
  of_table regclass, for_system text default 'select, insert, update, delete', for_app text default null,
  account_column name default 'account_id'
) returns void
language plpgsql set search_path = pg_catalog
as $$
begin
  execute format('alter table %s enable row level security', of_table);
  execute format('alter table %s force row level security', of_table);
  execute format('create policy system on %s for all to landfall_system using (true)', of_table);
  execute format('grant %s on %s to landfall_system', for_system, of_table);
  if for_app is not null then
    execute format(
      'create policy own_account on %s for all to landfall_app
        using (%I = nullif(current_setting(''landfall.account_id'', true), '''')::uuid)',
      of_table, account_column
    );
    execute format('grant %s on %s to landfall_app', for_app, of_table);
  end if;
end
$$;

revoke execute on function landfall.protect_table(regclass, text, text, name) from public;

------------------------------------------------------------------------------------------------------------------------
-- 2. Accounts and keys
------------------------------------------------------------------------------------------------------------------------

-- `limits`: requests per minute of one key, by class; a class that is missing has the default.
create table landfall.accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  limits jsonb not null default '{}',
  created_at timestamptz not null default now(),
  constraint accounts_name_unique unique (name),
  constraint accounts_name_length check (length(name) between 1 and 200),
  constraint accounts_limits_known check (
    jsonb_typeof(limits) = 'object'
    and limits - array['read', 'write', 'batch', 'mcp'] = '{}'
    and not jsonb_path_exists(limits, '$.* ? (@.type() != "number" || @ < 1 || @ > 1000000000 || @.floor() != @)')
  )
);

-- An account cannot create, change or remove accounts.
select landfall.protect_table('landfall.accounts', for_app => 'select', account_column => 'id');

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

select landfall.protect_table('landfall.api_keys', for_app => 'select, insert, update, delete');

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

-- Append-only for every role.
select landfall.protect_table('landfall.audit', for_system => 'select, insert', for_app => 'select, insert');

------------------------------------------------------------------------------------------------------------------------
-- 3. Shipments and identifiers
------------------------------------------------------------------------------------------------------------------------

-- No foreign key to accounts from here on: every insert of a busy account would lock the same accounts row. Columns
-- besides `record` repeat what lists filter and sort by; names of places are kept in lower case, because they are only
-- searched. `journey_text` is the journey as clients read it, composed at write time, so that reading one shipment maps
-- nothing; `journey_shape` numbers its form, and readers that expect another form use `record` instead. `cadence` is
-- the part of the record that every refresh needs, so that an unchanged refresh reads no record; null stands for the
-- whole record.
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
  exception_codes text[] not null default '{}',
  departed_at timestamptz(3),
  eta timestamptz(3),
  delay_hours double precision,
  origin_unlocode text,
  origin_iata text,
  origin_country text,
  origin_name text,
  destination_unlocode text,
  destination_iata text,
  destination_country text,
  destination_name text,
  last_event_at timestamptz(3),
  record jsonb not null,
  cadence jsonb,
  journey_text text,
  journey_shape smallint,
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
      'pending', 'booked', 'in_transit', 'arrived', 'available_for_pickup', 'out_for_delivery', 'delivered', 'returned',
      'failed', 'cancelled'
    )
  ),
  constraint shipments_version_positive check (version > 0)
) with (
  -- Large: at the default share, 50 million rows would be vacuumed once in ten million changes, and then for an hour.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);

create unique index shipments_reference_unique on landfall.shipments (account_id, test, reference)
  where reference is not null;

-- Each sort of the list, and each of the ten common lists, is a scan of one index in its order.
create index shipments_by_created_at on landfall.shipments (account_id, test, created_at, id);
create index shipments_by_updated_at on landfall.shipments (account_id, test, updated_at, id);
create index shipments_by_status on landfall.shipments (account_id, test, status, created_at, id);
create index shipments_by_status_updated_at on landfall.shipments (account_id, test, status, updated_at, id);
create index shipments_by_transport_mode on landfall.shipments (account_id, test, transport_mode, created_at, id);
create index shipments_by_carrier on landfall.shipments (account_id, test, carrier, created_at, id);
create index shipments_by_eta on landfall.shipments (account_id, test, eta, id) where eta is not null;
create index shipments_by_departed_at on landfall.shipments (account_id, test, departed_at, id)
  where departed_at is not null;
create index shipments_by_status_changed_at on landfall.shipments (account_id, test, status_changed_at, id)
  where status_changed_at is not null;
create index shipments_by_last_event_at on landfall.shipments (account_id, test, last_event_at, id)
  where last_event_at is not null;
create index shipments_with_exception on landfall.shipments (account_id, test, created_at, id) where has_exception;
create index shipments_delayed on landfall.shipments (account_id, test, created_at, id, delay_hours)
  where delay_hours > 0;
create index shipments_archived on landfall.shipments (account_id, test, created_at, id) where archived_at is not null;

-- The rows that come last under a sort whose time they lack. A shipment without events lacks two of them: one index
-- instead of two that every registration would write.
create index shipments_without_eta on landfall.shipments (account_id, test, id) where eta is null;
create index shipments_without_events on landfall.shipments (account_id, test, id)
  where status_changed_at is null or last_event_at is null;

-- How many are late in each status: the first line of the dashboard's overview.
create index shipments_late on landfall.shipments (account_id, test, status)
  where delay_hours >= 24 and archived_at is null
    and status not in ('delivered', 'returned', 'failed', 'cancelled');

-- For the job that frees the numbers of shipments closed long ago.
create index shipments_closed_open on landfall.shipments (closed_at) where open and closed_at is not null;

select landfall.protect_table('landfall.shipments', for_app => 'select, insert, update, delete');

-- A writer that sets `record` alone, such as an operator's correction or a release that composes no text, must not
-- leave the former text in place. Only updates of `record` call this.
create function landfall.forget_journey_text() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  new.journey_text := null;
  new.journey_shape := null;
  return new;
end
$$;

create trigger shipments_forget_journey_text before update of record on landfall.shipments
  for each row when (
    new.journey_text is not null and new.journey_text is not distinct from old.journey_text
    and new.record is distinct from old.record
  )
  execute function landfall.forget_journey_text();

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
      'mbl', 'booking', 'container', 'hbl', 'awb', 'hawb', 'tracking_number', 'pro', 'bol', 'equipment',
      'pickup_number', 'po', 'waybill', 'railcar'
    )
  )
);

create unique index shipment_identifiers_open_unique
  on landfall.shipment_identifiers (account_id, test, transport_mode, carrier, key, match_value)
  where open and source = 'client' and key in ('mbl', 'booking', 'awb', 'tracking_number', 'pro', 'bol', 'waybill');
create index shipment_identifiers_by_match_value
  on landfall.shipment_identifiers (account_id, match_value, shipment_id);

select landfall.protect_table('landfall.shipment_identifiers', for_app => 'select, insert, update, delete');

------------------------------------------------------------------------------------------------------------------------
-- 4. Search
------------------------------------------------------------------------------------------------------------------------

-- What `q`, `tag`, `origin` and `destination` are looked up in. A table of its own, so that a refresh which changes no
-- word writes no word. `created_at` is the shipment's, so that matches are sorted without reading the shipments.
create table landfall.shipment_search (
  account_id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  text text not null,
  terms text[] not null,
  created_at timestamptz(3) not null,
  primary key (account_id, shipment_id),
  constraint shipment_search_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);

select landfall.protect_table('landfall.shipment_search', for_app => 'select, insert, update, delete');

-- Trigrams turn parts of words into an index lookup, and the account in the same index keeps one account's search away
-- from the words of others. Both extensions are trusted and ship with PostgreSQL; without them, the search reads the
-- account's rows instead.
do $$
declare
  word_class text;
  account_column text := '';
begin
  begin
    create extension if not exists pg_trgm with schema landfall;
    select format('%I.gin_trgm_ops', n.nspname) into word_class
    from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    raise notice 'pg_trgm is not available: searching by words reads every row of the account';
  end;
  begin
    create extension if not exists btree_gin with schema landfall;
    account_column := 'account_id, ';
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    raise notice 'btree_gin is not available: searching by words also reads other accounts'' index entries';
  end;
  execute format(
    'create index shipment_search_words on landfall.shipment_search using gin (%sterms%s)',
    account_column, ', text ' || word_class
  );
end
$$;

-- A row for each tag, in the order of the list: the index of an array has no order.
create table landfall.shipment_tags (
  account_id uuid not null,
  test boolean not null,
  tag text not null,
  created_at timestamptz(3) not null,
  shipment_id uuid not null,
  primary key (account_id, test, tag, created_at, shipment_id)
);

select landfall.protect_table('landfall.shipment_tags', for_app => 'select, insert, update, delete');

-- What the index of words holds of a shipment besides its text.
create function landfall.search_terms(tags text[], origin_codes text[], destination_codes text[]) returns text[]
language sql immutable
return array(
  select 'tag ' || t.tag from unnest(tags) as t (tag)
  union
  select 'origin ' || o.code from unnest(origin_codes) as o (code) where o.code is not null
  union
  select 'destination ' || d.code from unnest(destination_codes) as d (code) where d.code is not null
);

-- Once per statement, so that an import pays once for its thousand rows.
create function landfall.index_new_shipments() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  with words as (
    insert into landfall.shipment_search (account_id, shipment_id, test, created_at, text, terms)
    select n.account_id, n.id, n.test, n.created_at, n.search_text, landfall.search_terms(
      n.tags,
      array[n.origin_unlocode, n.origin_iata, n.origin_country],
      array[n.destination_unlocode, n.destination_iata, n.destination_country]
    )
    from new_shipments as n
  )
  insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
  select distinct n.account_id, n.test, t.tag, n.created_at, n.id
  from new_shipments as n cross join unnest(n.tags) as t (tag);
  return null;
end
$$;

create trigger shipments_index_new after insert on landfall.shipments
  referencing new table as new_shipments for each statement execute function landfall.index_new_shipments();

create function landfall.index_changed_words() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  update landfall.shipment_search
  set text = new.search_text, terms = landfall.search_terms(
    new.tags,
    array[new.origin_unlocode, new.origin_iata, new.origin_country],
    array[new.destination_unlocode, new.destination_iata, new.destination_country]
  )
  where account_id = new.account_id and shipment_id = new.id;
  return null;
end
$$;

create trigger shipments_index_changed_words after update on landfall.shipments
  for each row when (
    (old.search_text, old.tags, old.origin_unlocode, old.origin_iata, old.origin_country, old.destination_unlocode,
      old.destination_iata, old.destination_country)
    is distinct from
    (new.search_text, new.tags, new.origin_unlocode, new.origin_iata, new.origin_country, new.destination_unlocode,
      new.destination_iata, new.destination_country)
  )
  execute function landfall.index_changed_words();

create function landfall.index_changed_tags() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  delete from landfall.shipment_tags
  where account_id = old.account_id and test = old.test and tag = any(old.tags) and created_at = old.created_at
    and shipment_id = old.id;
  if tg_op = 'UPDATE' then
    insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
    select distinct new.account_id, new.test, t.tag, new.created_at, new.id from unnest(new.tags) as t (tag);
  end if;
  return null;
end
$$;

create trigger shipments_index_changed_tags after update on landfall.shipments
  for each row when ((old.tags, old.created_at) is distinct from (new.tags, new.created_at))
  execute function landfall.index_changed_tags();
create trigger shipments_drop_tags after delete on landfall.shipments
  for each row when (old.tags <> '{}') execute function landfall.index_changed_tags();

-- Row-level security keeps PostgreSQL from using an index for any operator that could leak values in an error, and
-- those of arrays and words count as such. Therefore this one lookup runs as the system's role and names the account
-- itself: the one that the transaction is bound to. It is planned anew with each call, because the best plan depends on
-- the words. Finds shipments with one of `any_terms`, with all of `all_patterns` or with one of `any_patterns`.
create function landfall.find_by_words(
  of_test boolean, any_terms text[], all_patterns text[], any_patterns text[], max_rows integer
) returns table (shipment_id uuid, created_at timestamptz)
language plpgsql stable security definer rows 1000 set search_path = pg_catalog, landfall set enable_seqscan = off
as $$
declare
  ways text[] := '{}';
begin
  if cardinality(any_terms) > 0 then
    ways := ways || 'w.terms && $2'::text;
  end if;
  -- Each pattern by itself, so that the index intersects them; `like all` would only be checked row by row.
  if cardinality(all_patterns) > 0 then
    ways := ways || (
      select '(' || string_agg(format('w.text like $3[%s]', n), ' and ') || ')'
      from generate_subscripts(all_patterns, 1) as n
    );
  end if;
  if cardinality(any_patterns) > 0 then
    ways := ways || 'w.text like any ($4)'::text;
  end if;
  if cardinality(ways) = 0 then
    return;
  end if;
  return query execute format('
    select w.shipment_id, w.created_at::timestamptz
    from landfall.shipment_search as w
    where w.account_id = nullif(current_setting(''landfall.account_id'', true), '''')::uuid and w.test = $1 and (%s)
    limit $5', array_to_string(ways, ' or '))
  using of_test, any_terms, all_patterns, any_patterns, max_rows;
end
$$;

revoke execute on function landfall.find_by_words(boolean, text[], text[], text[], integer) from public;
grant execute on function landfall.find_by_words(boolean, text[], text[], text[], integer) to landfall_app;
-- A new owner must be allowed to create in the schema at the moment when it becomes one.
grant create on schema landfall to landfall_system;
alter function landfall.find_by_words(boolean, text[], text[], text[], integer) owner to landfall_system;
revoke create on schema landfall from landfall_system;

------------------------------------------------------------------------------------------------------------------------
-- 5. Journeys and events
------------------------------------------------------------------------------------------------------------------------

create table landfall.events (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  dedupe_text text not null,
  dedupe_hash bytea not null,
  code text not null,
  classifier text not null,
  source text not null,
  event_at timestamptz not null,
  event jsonb not null,
  raw jsonb,
  received_at timestamptz not null default now(),
  superseded_by uuid,
  voided_at timestamptz,
  primary key (account_id, id),
  constraint events_dedupe_unique unique (account_id, shipment_id, dedupe_hash),
  constraint events_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint events_classifier_known check (classifier in ('planned', 'estimated', 'actual')),
  constraint events_source_known check (source in ('carrier', 'client', 'test'))
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

create index events_by_shipment on landfall.events (account_id, shipment_id, event_at, id);

select landfall.protect_table('landfall.events', for_app => 'select, insert, update');

-- What could not be parsed, once for each text. It expires: a carrier that puts the current time into its texts would
-- otherwise fill this table for good.
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
  constraint rejected_events_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);

create index rejected_events_by_seen_at on landfall.rejected_events (seen_at);

select landfall.protect_table('landfall.rejected_events', for_app => 'select, insert, update, delete');

-- The log of published transitions: why each happened, when the cargo reached the status (`reached_at`), and when the
-- deciding event was received.
create table landfall.status_changes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  from_status text,
  to_status text not null,
  reason text not null,
  event_id uuid,
  event_code text,
  reached_at timestamptz,
  received_at timestamptz,
  trace_id text,
  changed_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint status_changes_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);

create index status_changes_by_shipment on landfall.status_changes (account_id, shipment_id, changed_at);

-- Append-only for every role.
select landfall.protect_table('landfall.status_changes', for_system => 'select, insert', for_app => 'select, insert');

------------------------------------------------------------------------------------------------------------------------
-- 6. Tracking: polling and refreshes
------------------------------------------------------------------------------------------------------------------------

-- One row per shipment, written several times per refresh: kept narrow, so columns that are null on most rows
-- (`tracking_since`: null means since the registration; `requested_at`, `test_steps`) stay null. `answer_hash` is of
-- the last answer byte for byte together with what parsed it, and counts only with `reading_hash`. `stale_told_for` is
-- the `last_succeeded_at` whose end was published as `shipment.stale`.
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
  answer_hash bytea,
  last_refreshed_at timestamptz,
  last_succeeded_at timestamptz,
  last_changed_at timestamptz,
  stale_told_for timestamptz,
  tracking_since timestamptz,
  requested_at timestamptz,
  source text,
  trace_id text,
  test_steps integer,
  primary key (account_id, shipment_id),
  constraint polling_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint polling_state_known check (
    state in ('queued', 'active', 'awaiting_carrier', 'degraded', 'failed', 'stopped', 'completed')
  ),
  constraint polling_epoch_not_negative check (epoch >= 0),
  constraint polling_reading_hash_size check (octet_length(reading_hash) = 32),
  constraint polling_answer_hash_size check (octet_length(answer_hash) = 32),
  constraint polling_test_steps_not_negative check (test_steps >= 0)
) with (
  -- Each update of a refresh (claimed, begun, ended) changes a column that the sweep's indexes hold, so none is HOT and
  -- a full page is worth more than room on it. Vacuum comes early and runs at full speed: what it has not yet removed
  -- lies at the front of the sweep's index, and its pages take the next updates.
  fillfactor = 95, autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.02
);

-- The sweep claims by connector over all accounts. The second index finds the accounts that have due work.
create index polling_due on landfall.polling (connector, next_refresh_at) where next_refresh_at is not null;
create index polling_due_by_account on landfall.polling (connector, account_id, next_refresh_at)
  where next_refresh_at is not null;
create index polling_leases on landfall.polling (connector, account_id, lease_until) where lease_until is not null;
-- `active` and `completed` are nearly all rows; a list of those walks the index of its sort instead.
create index polling_by_rare_state on landfall.polling (account_id, state, shipment_id)
  where state in ('queued', 'awaiting_carrier', 'degraded', 'failed', 'stopped');
create index polling_waiting_credentials on landfall.polling (account_id, connector)
  where reason in ('credentials_missing', 'carrier_auth_failed') and next_refresh_at is not null;
create index polling_stale on landfall.polling (account_id, stale_at) where stale_at is not null;
-- The conditions of `has_freshness('stale')` but for the time: what went stale and was not published yet.
create index polling_stale_untold on landfall.polling (stale_at)
  where stale_at is not null and last_succeeded_at is not null and stale_told_for is distinct from last_succeeded_at
    and state not in ('completed', 'stopped');

select landfall.protect_table('landfall.polling', for_app => 'select, insert, update, delete');

-- The freshness rule: how current the data of a shipment is. PostgreSQL inlines this function and, when `wanted` is a
-- literal, keeps only that branch, so indexes and statistics apply as if the statement had the conditions itself. A
-- `set` clause would prevent that; without `parallel safe`, no statement that calls it could run in parallel.
create function landfall.has_freshness(
  wanted text, state text, last_succeeded_at timestamptz, stale_at timestamptz
) returns boolean
language sql stable parallel safe
return case wanted
  when 'final' then state in ('completed', 'stopped')
  when 'never' then state not in ('completed', 'stopped') and last_succeeded_at is null
  when 'stale' then state not in ('completed', 'stopped') and last_succeeded_at is not null and stale_at <= now()
  when 'fresh' then state not in ('completed', 'stopped') and last_succeeded_at is not null
    and (stale_at <= now()) is not true
end;

create function landfall.freshness(state text, last_succeeded_at timestamptz, stale_at timestamptz) returns text
language sql stable parallel safe
return case
  when landfall.has_freshness('final', state, last_succeeded_at, stale_at) then 'final'
  when landfall.has_freshness('never', state, last_succeeded_at, stale_at) then 'never'
  when landfall.has_freshness('stale', state, last_succeeded_at, stale_at) then 'stale'
  else 'fresh'
end;

-- Refreshes, the last 20 rows of each shipment. A run of unchanged ones is one row that each refresh updates: with
-- `last_at` in an index such an update could not stay on its page (HOT). Refreshes of one shipment follow each other
-- and only the newest row grows, so ids, which are made in order of time, sort them as `last_at` does.
create table landfall.refreshes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  count integer not null default 1,
  outcome text not null,
  reason text,
  source text,
  http_status integer,
  duration_ms double precision not null,
  events_added integer not null default 0,
  trace_id text,
  primary key (account_id, id),
  constraint refreshes_outcome_known check (outcome in ('changed', 'unchanged', 'not_found', 'error')),
  constraint refreshes_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

create index refreshes_newest on landfall.refreshes (account_id, shipment_id, id desc);

select landfall.protect_table('landfall.refreshes', for_app => 'select, insert, update, delete');

-- Reads several single shipments in one statement, so that concurrent requests share a round trip. The account is set
-- for each read before that read is planned and run, and the function runs as its caller: row-level security holds for
-- each read alone, also between reads of different accounts. `place` numbers the reads from 1; a read that finds
-- nothing has no row.
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
returns table (
  place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier text,
  carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code text,
  status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
  archived_at timestamptz, version bigint, state text, reason text, source text, last_refreshed_at timestamptz,
  last_succeeded_at timestamptz, last_changed_at timestamptz, next_refresh_at timestamptz, consecutive_failures integer,
  trace_id text, freshness text, journey_text text, record jsonb
)
language plpgsql volatile security invoker set search_path = pg_catalog, landfall
as $$
#variable_conflict use_column
begin
  for turn in 1 .. cardinality(of_ids) loop
    perform set_config('landfall.account_id', of_accounts[turn]::text, true);
    return query
      select turn, s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name,
        s.identifiers, s.reference, s.tags, s.metadata, s.destination_postal_code, s.status,
        s.status_changed_at::timestamptz, s.warnings, s.created_at::timestamptz, s.updated_at::timestamptz,
        s.archived_at, s.version, p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at,
        p.last_changed_at, p.next_refresh_at, p.consecutive_failures, p.trace_id,
        landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
        case when s.journey_shape = with_shapes[turn] then s.journey_text end,
        case when s.journey_shape = with_shapes[turn] and s.journey_text is not null then null else s.record end
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;

revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;

------------------------------------------------------------------------------------------------------------------------
-- 7. Counts
------------------------------------------------------------------------------------------------------------------------

-- How many shipments an account has, by everything that counts are requested by: kept, not counted. Writers only add
-- deltas, so that none waits for another; a job folds deltas into the counts, and readers add what is not folded yet.
create table landfall.shipment_counts (
  account_id uuid not null,
  test boolean not null,
  archived boolean not null,
  status text not null,
  state text not null,
  has_exception boolean not null,
  counted bigint not null,
  primary key (account_id, test, archived, status, state, has_exception)
) with (fillfactor = 50);

create table landfall.shipment_count_deltas (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  archived boolean not null,
  status text not null,
  state text not null,
  has_exception boolean not null,
  delta bigint not null,
  primary key (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Requests never take a delta back. The job needs `update` on deltas only to lock them.
select landfall.protect_table('landfall.shipment_counts', for_system => 'select, insert, update', for_app => 'select');
select landfall.protect_table('landfall.shipment_count_deltas', for_app => 'select, insert');

-- A shipment without a polling row counts as queued, as its row will be: a registration then writes one delta, and an
-- import one per statement.
create function landfall.count_new_shipments() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
  select n.account_id, n.test, n.archived_at is not null, n.status, 'queued', n.has_exception, count(*)
  from new_shipments as n
  group by 1, 2, 3, 4, 6;
  return null;
end
$$;

create trigger shipments_count_new after insert on landfall.shipments
  referencing new table as new_shipments for each statement execute function landfall.count_new_shipments();

-- Whoever changes a state holds the shipment's row until the end of the transaction (all writers lock it before they
-- touch polling; `count_changed_state` makes sure), so a status and a state that change at the same moment see each
-- other.
create function landfall.count_changed_shipment() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
declare
  of_state text := coalesce((
    select p.state from landfall.polling as p where p.account_id = old.account_id and p.shipment_id = old.id
  ), 'queued');
begin
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
  values (old.account_id, old.test, old.archived_at is not null, old.status, of_state, old.has_exception, -1);
  if tg_op = 'DELETE' then
    return old;
  end if;
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
  values (new.account_id, new.test, new.archived_at is not null, new.status, of_state, new.has_exception, 1);
  return null;
end
$$;

create trigger shipments_count_changed after update on landfall.shipments
  for each row when (
    (old.test, old.archived_at is null, old.status, old.has_exception) is distinct from
    (new.test, new.archived_at is null, new.status, new.has_exception)
  )
  execute function landfall.count_changed_shipment();
-- Before the delete, while its polling row is still there.
create trigger shipments_count_removed before delete on landfall.shipments
  for each row execute function landfall.count_changed_shipment();

create function landfall.count_changed_state() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
declare
  subject record;
  from_state text := 'queued';
  to_state text := 'queued';
begin
  if tg_op <> 'INSERT' then
    from_state := old.state;
    select s.account_id, s.test, s.archived_at is not null as archived, s.status, s.has_exception into subject
    from landfall.shipments as s where s.account_id = old.account_id and s.id = old.shipment_id
    for no key update;
  else
    select s.account_id, s.test, s.archived_at is not null as archived, s.status, s.has_exception into subject
    from landfall.shipments as s where s.account_id = new.account_id and s.id = new.shipment_id
    for no key update;
  end if;
  if tg_op <> 'DELETE' then
    to_state := new.state;
  end if;
  -- A shipment that is removed with its polling row took its count along.
  if subject.account_id is not null then
    insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
    values
      (subject.account_id, subject.test, subject.archived, subject.status, from_state, subject.has_exception, -1),
      (subject.account_id, subject.test, subject.archived, subject.status, to_state, subject.has_exception, 1);
  end if;
  return null;
end
$$;

create trigger polling_count_new after insert on landfall.polling
  for each row when (new.state <> 'queued') execute function landfall.count_changed_state();
create trigger polling_count_changed after update on landfall.polling
  for each row when (old.state is distinct from new.state) execute function landfall.count_changed_state();
create trigger polling_count_removed after delete on landfall.polling
  for each row when (old.state <> 'queued') execute function landfall.count_changed_state();

------------------------------------------------------------------------------------------------------------------------
-- 8. Feed
------------------------------------------------------------------------------------------------------------------------

-- `seq` is taken after the shipment's row lock and is not commit order; the sequencer gives `position` later, to
-- committed rows. `created_at` has milliseconds, rounded as the shipment's times are: they are the same moment.
create sequence landfall.change_seq as bigint cache 1;
grant usage on sequence landfall.change_seq to landfall_app, landfall_system;

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
  created_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  constraint changes_position_unique unique (position)
) with (
  -- Every change is updated once: vacuum in small steps, before the index of the waiting ones fills with what no longer
  -- waits. Rows come at one end and go at the other; returning the empty end to the disk takes a lock that stops
  -- everybody, for room that is needed again within the hour.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, vacuum_truncate = off
);

create index changes_unpositioned on landfall.changes (seq) where position is null;
-- Readers page by account, test mode and position, and by type or shipment without reading what they skip.
create index changes_by_position on landfall.changes (account_id, test, position) where position is not null;
create index changes_by_type on landfall.changes (account_id, test, type, position) where position is not null;
create index changes_by_shipment on landfall.changes (account_id, shipment_id, position) where position is not null;

-- A request adds changes; only the system moves them on.
select landfall.protect_table('landfall.changes', for_app => 'select, insert');

-- What the sequencer and the retention have reached. `given`: the last position that a change was given; it cannot be
-- read from the changes, which expire. `removed`: everything up to here is gone. Two rows, so that one never waits for
-- the other.
create table landfall.feed_positions (
  name text primary key,
  position bigint not null default 0,
  constraint feed_positions_name_known check (name in ('given', 'removed')),
  constraint feed_positions_not_negative check (position >= 0)
) with (fillfactor = 50);

insert into landfall.feed_positions (name) values ('given'), ('removed');

select landfall.protect_table('landfall.feed_positions', for_system => 'select, update');
create policy anyone_reads on landfall.feed_positions for select to landfall_app using (true);
grant select on landfall.feed_positions to landfall_app;

-- One call is one transaction on the server: a sequencer that is paused or dies holds nothing. Null: another sequencer
-- is at work.
create function landfall.position_changes(batch_size integer) returns integer
language plpgsql volatile
as $$
declare
  last_given bigint;
  newly_given integer;
begin
  select f.position into last_given from landfall.feed_positions as f where f.name = 'given' for update skip locked;
  if not found then
    return null;
  end if;
  -- A statement of its own: its snapshot is younger than the lock, so it sees all that the sequencer before gave. `seq`
  -- follows each shipment's row lock, so a visible change never overtakes an earlier one of its shipment.
  with waiting as (
    select c.account_id, c.id, c.seq from landfall.changes as c where c.position is null order by c.seq limit batch_size
  ),
  numbered as (
    select w.account_id, w.id, last_given + row_number() over (order by w.seq) as position from waiting as w
  )
  update landfall.changes as c
  set position = n.position
  from numbered as n
  where c.account_id = n.account_id and c.id = n.id;
  get diagnostics newly_given = row_count;
  if newly_given > 0 then
    update landfall.feed_positions set position = last_given + newly_given where name = 'given';
  end if;
  return newly_given;
end
$$;

revoke all on function landfall.position_changes(integer) from public;
grant execute on function landfall.position_changes(integer) to landfall_system;

------------------------------------------------------------------------------------------------------------------------
-- 9. Idempotency
------------------------------------------------------------------------------------------------------------------------

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
) with (
  vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1
);

create index idempotency_by_created_at on landfall.idempotency (created_at);

select landfall.protect_table('landfall.idempotency', for_app => 'select, insert, update, delete');

------------------------------------------------------------------------------------------------------------------------
-- 10. Imports
------------------------------------------------------------------------------------------------------------------------

-- An upload of any size. The API stores its rows in chunks as they arrive; a worker registers each chunk and marks it
-- done in one transaction, so that no row is registered twice and none is lost, whichever process dies.
create table landfall.imports (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  key_id uuid,
  test boolean not null,
  idempotency_key text,
  format text not null,
  -- How rows are parsed: delimiter, columns, defaults. A repeated request with the same key must have the same.
  options jsonb not null,
  dry_run boolean not null,
  state text not null default 'receiving',
  -- The process that receives the upload now, and until when it counts as alive.
  receiver uuid,
  receiver_until timestamptz,
  -- Until when a broken upload may be continued.
  resumable_until timestamptz,
  chunks integer not null default 0,
  received bigint not null default 0,
  processed bigint not null default 0,
  created bigint not null default 0,
  existing bigint not null default 0,
  failed bigint not null default 0,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (account_id, id),
  constraint imports_format_known check (format in ('csv', 'ndjson')),
  constraint imports_state_known check (state in ('receiving', 'running', 'completed', 'interrupted')),
  constraint imports_key_length check (length(idempotency_key) between 1 and 255),
  constraint imports_counts check (processed = created + existing + failed and processed <= received)
) with (
  -- Progress is written once per chunk, in columns that no index holds.
  fillfactor = 70
);

create index imports_by_key on landfall.imports (account_id, test, idempotency_key, created_at)
  where idempotency_key is not null;
create index imports_ended on landfall.imports (completed_at) where completed_at is not null;
create index imports_receiving on landfall.imports (resumable_until) where state = 'receiving';

select landfall.protect_table('landfall.imports', for_app => 'select, insert, update, delete');

-- `rows` is JSON as text (jsonb and text cannot hold every character of a client's file), null once the chunk is done;
-- the hash stays, so that a repeated upload is recognized.
create table landfall.import_chunks (
  account_id uuid not null,
  import_id uuid not null,
  number integer not null,
  first_row bigint not null,
  row_count integer not null,
  content_hash bytea not null,
  rows text,
  attempts integer not null default 0,
  retry_at timestamptz,
  done_at timestamptz,
  primary key (account_id, import_id, number),
  constraint import_chunks_import foreign key (account_id, import_id)
    references landfall.imports (account_id, id) on delete cascade,
  constraint import_chunks_hash_size check (octet_length(content_hash) = 32)
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05);

create index import_chunks_pending on landfall.import_chunks (account_id, import_id, number) where done_at is null;
create index import_chunks_done on landfall.import_chunks (done_at) where done_at is not null;

select landfall.protect_table('landfall.import_chunks', for_app => 'select, insert, update, delete');

create table landfall.import_errors (
  account_id uuid not null,
  import_id uuid not null,
  row_number bigint not null,
  raw text not null,
  code text not null,
  detail text not null,
  mistakes jsonb not null default '[]',
  primary key (account_id, import_id, row_number),
  constraint import_errors_import foreign key (account_id, import_id)
    references landfall.imports (account_id, id) on delete cascade
) with (vacuum_truncate = off);

select landfall.protect_table('landfall.import_errors', for_app => 'select, insert, update, delete');

------------------------------------------------------------------------------------------------------------------------
-- 11. Carrier credentials
------------------------------------------------------------------------------------------------------------------------

-- What an account uses at a carrier. `sealed` is for the workers alone: the request role writes it and can never read
-- it. A row whose credentials were removed stays, empty, so that its version continues.
create table landfall.carrier_credentials (
  account_id uuid not null,
  carrier text not null,
  id uuid not null,
  connector text not null,
  fields text[] not null,
  key_version text,
  sealed bytea,
  version bigint not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  removed_at timestamptz(3),
  suspended_at timestamptz(3),
  suspended_reason text,
  probe_at timestamptz,
  primary key (account_id, carrier),
  constraint carrier_credentials_id_unique unique (id),
  constraint carrier_credentials_sealed_size check (octet_length(sealed) <= 131072),
  constraint carrier_credentials_sealed_or_removed check (
    (sealed is null) = (removed_at is not null) and (key_version is null) = (sealed is null)
  ),
  constraint carrier_credentials_suspension_whole check (
    (suspended_at is null) = (suspended_reason is null) and (suspended_at is null) = (probe_at is null)
  )
);

create index carrier_credentials_by_key_version on landfall.carrier_credentials (key_version) where sealed is not null;

select landfall.protect_table('landfall.carrier_credentials', for_app => '
  select (
    account_id, carrier, id, connector, fields, key_version, version, created_at, updated_at, removed_at, suspended_at,
    suspended_reason, probe_at
  ), insert, update, delete
');

-- What the workers are configured with for each connector, written by themselves; no secret of it. `accounts` lists
-- whom it serves; simulated carriers serve everybody. A changed configuration has another fingerprint, which ends a
-- suspension.
create table landfall.instance_credentials (
  connector text primary key,
  simulated boolean not null,
  fingerprint text not null,
  accounts uuid[] not null,
  fields text[] not null,
  version bigint not null default 1,
  updated_at timestamptz(3) not null default now(),
  suspended_at timestamptz(3),
  suspended_reason text,
  probe_at timestamptz,
  constraint instance_credentials_suspension_whole check (
    (suspended_at is null) = (suspended_reason is null) and (suspended_at is null) = (probe_at is null)
  )
);

select landfall.protect_table('landfall.instance_credentials');
create policy serves_account on landfall.instance_credentials for select to landfall_app
  using (simulated or nullif(current_setting('landfall.account_id', true), '')::uuid = any (accounts));
grant select (connector, simulated, fields, updated_at, suspended_at, suspended_reason)
  on landfall.instance_credentials to landfall_app;

-- Credentials have changed: the shipments that waited for them are due. By account and carrier or, for those of the
-- instance, by connector.
create table landfall.credential_wakes (
  id uuid primary key default uuidv7(),
  account_id uuid,
  carrier text,
  connector text,
  created_at timestamptz not null default now(),
  constraint credential_wakes_whom check (
    (account_id is not null and carrier is not null and connector is null)
    or (account_id is null and carrier is null and connector is not null)
  )
);

select landfall.protect_table('landfall.credential_wakes');
create policy own_account on landfall.credential_wakes for insert to landfall_app
  with check (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
grant insert on landfall.credential_wakes to landfall_app;

------------------------------------------------------------------------------------------------------------------------
-- 12. Carrier budgets and health
------------------------------------------------------------------------------------------------------------------------

-- How many requests each carrier still allows, where there is no Redis. Lost in a crash, after which the buckets are
-- full: one more burst at most.
create unlogged table landfall.token_buckets (
  key text not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  closed_until timestamptz,
  primary key (key)
) with (
  -- A few rows, each updated thousands of times a minute: HOT cleans their pages, so vacuum rarely has to.
  fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 0
);

select landfall.protect_table('landfall.token_buckets');

-- Takes up to `wanted` tokens that are above `keep`, or exactly `wanted` when `forced` (a negative number gives tokens
-- back), by the database's clock and under the row's lock. `close_ms` above 0 closes the bucket for that long: nothing
-- is granted then without force.
create function landfall.take_tokens(
  bucket_key text, capacity double precision, per_ms double precision, wanted double precision, keep double precision,
  forced boolean, close_ms double precision
) returns table (granted double precision, tokens double precision, closed_ms double precision)
language plpgsql
set search_path = landfall, pg_temp
as $$
#variable_conflict use_column
declare
  stored landfall.token_buckets%rowtype;
  clock timestamptz;
  filled double precision;
  closing timestamptz;
  given double precision := 0;
begin
  insert into landfall.token_buckets as b (key, tokens, filled_at)
  values (bucket_key, capacity, clock_timestamp())
  on conflict do nothing;
  select * into strict stored from landfall.token_buckets as b where b.key = bucket_key for update;
  -- Read after the lock: a caller that waited for it must not count the time of the one before twice.
  clock := clock_timestamp();
  filled := least(
    capacity,
    stored.tokens + greatest(0, extract(epoch from clock - stored.filled_at)::double precision * 1000) * per_ms
  );
  closing := greatest(stored.closed_until, case when close_ms > 0 then clock + close_ms * interval '1 millisecond' end);
  if forced then
    given := wanted;
  elsif closing is null or closing <= clock then
    given := greatest(0, least(wanted, floor(filled - keep + 1e-9)));
  end if;
  filled := least(capacity, filled - given);
  update landfall.token_buckets as b
  set tokens = filled, filled_at = clock, closed_until = closing
  where b.key = bucket_key;
  return query
    select given, filled, greatest(0, coalesce(extract(epoch from closing - clock)::double precision * 1000, 0));
end
$$;

revoke all on function landfall.take_tokens(
  text, double precision, double precision, double precision, double precision, boolean, double precision
) from public;
grant execute on function landfall.take_tokens(
  text, double precision, double precision, double precision, double precision, boolean, double precision
) to landfall_system;

-- The credential that a carrier is asked with for an account; the workers write what they used.
create unlogged table landfall.carrier_served (
  account_id uuid not null,
  connector text not null,
  carrier text not null,
  credential_id text not null,
  seen_at timestamptz not null default now(),
  primary key (account_id, connector, carrier)
);

select landfall.protect_table('landfall.carrier_served');
create policy own_account on landfall.carrier_served for select to landfall_app
  using (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
grant select on landfall.carrier_served to landfall_app;

-- How carriers answer, as each worker saw it lately, by credential.
create unlogged table landfall.carrier_health (
  connector text not null,
  credential_id text not null,
  worker_id uuid not null,
  updated_at timestamptz not null default now(),
  requests integer not null,
  succeeded integer not null,
  latency_p50_ms double precision,
  latency_p95_ms double precision,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error_reason text,
  circuit text not null,
  budget_left double precision not null,
  closed_until timestamptz,
  lag_s double precision,
  primary key (connector, credential_id, worker_id),
  constraint carrier_health_circuit_known check (circuit in ('closed', 'half_open', 'open'))
) with (fillfactor = 50);

-- An account sees the health of the credentials that serve it, and of no others.
select landfall.protect_table('landfall.carrier_health');
create policy own_account on landfall.carrier_health for select to landfall_app
  using (exists (
    select from landfall.carrier_served as s
    where s.account_id = nullif(current_setting('landfall.account_id', true), '')::uuid
      and s.connector = carrier_health.connector and s.credential_id = carrier_health.credential_id
  ));
grant select on landfall.carrier_health to landfall_app;

-- Live workers: each one's share of a budget while the store of the buckets is unavailable.
create unlogged table landfall.workers (
  id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (id)
) with (fillfactor = 50);

select landfall.protect_table('landfall.workers');

-- Refreshes scheduled for the next hour, overdue ones included; one worker counts for all.
create unlogged table landfall.carrier_demand (
  account_id uuid not null,
  connector text not null,
  refreshes integer not null,
  counted_at timestamptz not null default now(),
  primary key (account_id, connector)
);

select landfall.protect_table('landfall.carrier_demand');

------------------------------------------------------------------------------------------------------------------------
-- 13. Push
------------------------------------------------------------------------------------------------------------------------

-- Where carriers send events to. `id` and the random `token` make the callback's address; the signature proves the
-- sender.
create table landfall.push_subscriptions (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id uuid not null default uuidv7(),
  token text not null,
  connector text not null,
  -- The carrier it was made for; with `all_carriers` the credential serves every carrier of the connector.
  carrier text not null,
  all_carriers boolean not null,
  credential_id text not null,
  callback_url text not null,
  carrier_subscription_id text,
  key_version text not null,
  secret_sealed bytea not null,
  secret_made_at timestamptz not null default now(),
  -- Accepted beside the current secret. `previous_until` null: the carrier has not confirmed the current one yet.
  previous_key_version text,
  previous_sealed bytea,
  previous_until timestamptz,
  state text not null default 'requested',
  reason text,
  failures integer not null default 0,
  -- When maintenance is due; it adds one to the epoch, and what an older epoch writes is refused.
  check_at timestamptz not null default now(),
  epoch bigint not null default 0,
  created_at timestamptz not null default now(),
  -- The first delivery with a valid signature: from then on the shipments are refreshed less often.
  verified_at timestamptz,
  last_delivery_at timestamptz,
  ended_at timestamptz,
  primary key (account_id, id),
  constraint push_subscriptions_state_known check (state in ('requested', 'active', 'failed', 'ended')),
  constraint push_subscriptions_token_length check (length(token) = 32),
  constraint push_subscriptions_previous_whole check ((previous_sealed is null) = (previous_key_version is null))
);

create unique index push_subscriptions_one_each on landfall.push_subscriptions (account_id, connector, credential_id)
  where state <> 'ended';
create unique index push_subscriptions_by_id on landfall.push_subscriptions (id);
create index push_subscriptions_to_check on landfall.push_subscriptions (check_at) where state <> 'ended';
-- Ended subscriptions are removed with the last of their deliveries.
create index push_subscriptions_ended on landfall.push_subscriptions (ended_at) where state = 'ended';

-- The request role notes that a delivery came, and can read neither the secrets nor the addresses.
select landfall.protect_table('landfall.push_subscriptions', for_app => '
  select (account_id, id, verified_at, last_delivery_at), update (verified_at, last_delivery_at)
');

-- What was received, as it came. The same body for the same subscription is kept once: carriers send again what they
-- think was lost.
create table landfall.push_deliveries (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  subscription_id uuid not null,
  body bytea not null,
  body_hash bytea not null,
  received_at timestamptz not null default now(),
  state text not null default 'received',
  attempts integer not null default 0,
  -- When a worker may take it next, which is also when the lease of the worker that has it ends.
  retry_at timestamptz not null default now(),
  processed_at timestamptz,
  events integer,
  shipments integer,
  reason text,
  primary key (account_id, id),
  constraint push_deliveries_once unique (account_id, subscription_id, body_hash),
  constraint push_deliveries_subscription foreign key (account_id, subscription_id)
    references landfall.push_subscriptions (account_id, id) on delete cascade,
  constraint push_deliveries_state_known check (state in ('received', 'processed', 'failed')),
  constraint push_deliveries_hash_size check (octet_length(body_hash) = 32)
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05);

create index push_deliveries_pending on landfall.push_deliveries (account_id, id) where state = 'received';
create index push_deliveries_by_received_at on landfall.push_deliveries (received_at) where state <> 'received';

-- Nobody rewrites what a carrier sent.
select landfall.protect_table(
  'landfall.push_deliveries',
  for_system => 'select, delete, update (state, attempts, retry_at, processed_at, events, shipments, reason)',
  for_app => 'select, insert'
);

------------------------------------------------------------------------------------------------------------------------
-- 14. Rate limits
------------------------------------------------------------------------------------------------------------------------

-- Requests counted against the limits, where there is no Redis. Lost in a crash, which admits one more window at most.
create unlogged table landfall.limit_counts (
  key text not null,
  points bigint not null,
  ends_at timestamptz not null,
  primary key (key)
) with (
  fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 0
);

select landfall.protect_table('landfall.limit_counts');

------------------------------------------------------------------------------------------------------------------------
-- 15. Traces
------------------------------------------------------------------------------------------------------------------------

-- The trace store: what telemetry kept of each process's part of a trace. Unlogged and by day, so that writing is cheap
-- and expiry drops a table; lost in a crash. Partitions are made ahead; if that fails, rows go to the default one.
create table landfall.trace_parts (
  trace_id uuid not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  service text not null,
  name text not null,
  -- Why it was kept: error, limited, slow, share or follows.
  kept_for text not null,
  failed boolean not null,
  http_status integer,
  error_type text,
  outcome text,
  carrier text,
  shipment_id uuid,
  account_id uuid
) partition by range (started_at);

create table landfall.spans (
  trace_id uuid not null,
  span_id text not null,
  parent_span_id text,
  service text not null,
  name text not null,
  kind text not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  status text not null,
  attributes jsonb not null,
  links jsonb
) partition by range (started_at);

create index trace_parts_by_trace on landfall.trace_parts (trace_id);
create index trace_parts_by_time on landfall.trace_parts (started_at desc);
create index trace_parts_by_shipment on landfall.trace_parts (shipment_id, started_at desc)
  where shipment_id is not null;
create index trace_parts_by_carrier on landfall.trace_parts (carrier, started_at desc) where carrier is not null;
-- Without it a rare outcome was found by reading the whole day: 1,805 pages of 100,000 parts instead of 103.
create index trace_parts_by_outcome on landfall.trace_parts (outcome, started_at desc) where outcome is not null;
create index trace_parts_failed on landfall.trace_parts (started_at desc) where failed;
create index trace_parts_slowest on landfall.trace_parts (duration_us desc);
create index spans_by_trace on landfall.spans (trace_id);

create unlogged table landfall.trace_parts_default partition of landfall.trace_parts default;
create unlogged table landfall.spans_default partition of landfall.spans default;

select landfall.protect_table('landfall.trace_parts', for_system => 'select, insert, delete');
select landfall.protect_table('landfall.trace_parts_default', for_system => 'select, insert, delete');
select landfall.protect_table('landfall.spans', for_system => 'select, insert, delete');
select landfall.protect_table('landfall.spans_default', for_system => 'select, insert, delete');

-- Makes the partitions of today and the days after, and drops those that ended longer ago than `kept`; returns how many
-- tables it changed. It has its owner's rights, because the system's role owns no table. When another call runs, or a
-- table stays busy for a second, it leaves the work for later.
create function landfall.keep_trace_partitions(days_ahead integer, kept interval) returns integer
language plpgsql
security definer
set search_path = landfall, pg_temp
set lock_timeout = '1s'
as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  parent text;
  name text;
  day date;
  changed integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('landfall.trace_partitions', 0)) then
    return 0;
  end if;
  foreach parent in array array['trace_parts', 'spans'] loop
    for ahead in 0..days_ahead loop
      day := today + ahead;
      name := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
      continue when to_regclass(format('landfall.%I', name)) is not null;
      begin
        execute format('create unlogged table landfall.%I (like landfall.%I)', name, parent);
        -- Without a policy: a partition is only read and written through its parent.
        execute format('alter table landfall.%I enable row level security', name);
        execute format('alter table landfall.%I force row level security', name);
        -- Attaching locks readers and writers out for a moment; creating it as a partition would for longer.
        execute format(
          'alter table landfall.%I attach partition landfall.%I for values from (%L) to (%L)',
          parent, name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00'
        );
        changed := changed + 1;
      exception
        -- The default partition has rows of that day already: the day stays there.
        when check_violation then null;
      end;
    end loop;
    for name in
      select c.relname::text from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
      where i.inhparent = format('landfall.%I', parent)::regclass and c.relname ~ '_[0-9]{8}$'
        and (to_date(right(c.relname::text, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= now() - kept
    loop
      execute format('drop table landfall.%I', name);
      changed := changed + 1;
    end loop;
  end loop;
  return changed;
end
$$;

revoke all on function landfall.keep_trace_partitions(integer, interval) from public;
grant execute on function landfall.keep_trace_partitions(integer, interval) to landfall_system;

select landfall.keep_trace_partitions(2, '48 hours');

------------------------------------------------------------------------------------------------------------------------
-- 16. People
------------------------------------------------------------------------------------------------------------------------

-- Who signs in to the dashboard: the tables of better-auth (users, their passwords and sessions; organizations, which
-- are our accounts, with their members and invitations) and the claim link. In a schema and under a role of their own:
-- a request with a key cannot reach them, and a session cannot reach shipments through them.
create schema auth;

create table auth.users (
  id uuid primary key default uuidv7(),
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_unique unique (email),
  constraint users_email_lower check (email = lower(email))
);

create table auth.sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  active_organization_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sessions_token_unique unique (token)
);

create index sessions_by_user on auth.sessions (user_id, created_at desc);

-- How a user signs in; better-auth calls it an account, which is another thing here. For a password `provider_id` is
-- `credential`.
create table auth.logins (
  id uuid primary key default uuidv7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint logins_of_provider unique (provider_id, account_id)
);

create index logins_by_user on auth.logins (user_id);

create table auth.verifications (
  id uuid primary key default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index verifications_by_identifier on auth.verifications (identifier);

-- Its id is the account's.
create table auth.organizations (
  id uuid primary key references landfall.accounts (id) on delete cascade,
  name text not null,
  slug text not null,
  logo text,
  metadata text,
  created_at timestamptz not null default now(),
  constraint organizations_slug_unique unique (slug)
);

create table auth.members (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references auth.organizations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null default 'member',
  created_at timestamptz not null default now(),
  constraint members_once unique (organization_id, user_id),
  constraint members_role_known check (role in ('owner', 'member', 'viewer'))
);

create index members_by_user on auth.members (user_id);

-- The token of the link is kept as a hash: reading the database opens nothing.
create table auth.invitations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references auth.organizations (id) on delete cascade,
  email text not null,
  role text,
  status text not null default 'pending',
  token_hash bytea not null,
  expires_at timestamptz not null,
  inviter_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint invitations_token_unique unique (token_hash),
  constraint invitations_role_known check (role in ('owner', 'member', 'viewer')),
  constraint invitations_status_known check (status in ('pending', 'accepted', 'rejected', 'canceled'))
);

create index invitations_by_organization on auth.invitations (organization_id, created_at desc);
create index invitations_by_email on auth.invitations (email);

-- The claim link, which creates the first owner: at most one row, and none once it was used.
create table auth.claim (
  the_only boolean primary key default true,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  constraint claim_is_one check (the_only)
);

-- What cookies are signed with; every process of the installation uses the same secret.
create table auth.signing_secret (
  the_only boolean primary key default true,
  secret text not null,
  constraint signing_secret_is_one check (the_only)
);

grant usage on schema auth to landfall_auth;
grant select, insert, update, delete on all tables in schema auth to landfall_auth;
