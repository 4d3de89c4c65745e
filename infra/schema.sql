-- Generated from infra/migrations by npm run generate: the schema after all migrations. Do not edit.

create schema landfall;
comment on schema landfall is 'Landfall 0.2';
grant usage on schema landfall to landfall_app;
grant usage on schema landfall to landfall_auth;
grant usage on schema landfall to landfall_system;

create schema auth;
grant usage on schema auth to landfall_auth;
grant usage on schema auth to landfall_system;

create extension btree_gin with schema landfall;

create extension pg_trgm with schema landfall;

create sequence landfall.change_seq as bigint cache 1;
grant usage on sequence landfall.change_seq to landfall_app;
grant usage on sequence landfall.change_seq to landfall_system;

create table landfall.account_feeds (
  account_id uuid not null,
  given bigint not null default 0,
  removed bigint not null default 0,
  skipped int8multirange not null default '{}'::int8multirange,
  constraint account_feeds_pkey primary key (account_id),
  constraint account_feeds_in_order check (((removed >= 0) and (removed <= given)))
);
alter table landfall.account_feeds enable row level security;
alter table landfall.account_feeds force row level security;
create policy own_account on landfall.account_feeds for select to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.account_feeds for all to landfall_system using (true);
grant select on landfall.account_feeds to landfall_app;
grant select, insert, update, delete on landfall.account_feeds to landfall_system;

create table landfall.account_members (
  account_id uuid not null,
  user_id uuid not null,
  name text not null,
  left_at timestamptz(3),
  released_at timestamptz(3),
  constraint account_members_pkey primary key (account_id, user_id),
  constraint account_members_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete
    cascade,
  constraint account_members_released check (((released_at is null) or (left_at is not null)))
);
create index account_members_of_user on landfall.account_members (user_id);
create index account_members_unreleased
  on landfall.account_members (left_at)
  where ((left_at is not null) and (released_at is null));
alter table landfall.account_members enable row level security;
alter table landfall.account_members force row level security;
create policy own_account on landfall.account_members for select to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.account_members for all to landfall_system using (true);
grant select on landfall.account_members to landfall_app;
grant select, insert, update, delete on landfall.account_members to landfall_system;

create table landfall.accounts (
  id uuid not null default uuidv7(),
  name text not null,
  limits jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  retention_days integer,
  removed_at timestamptz,
  constraint accounts_pkey primary key (id),
  constraint accounts_name_unique unique (name),
  constraint accounts_limits_known check (((jsonb_typeof(limits) = 'object') and ((limits - array['read', 'write',
    'batch', 'mcp']) = '{}'::jsonb) and (not jsonb_path_exists(limits,
    '$.*?(((@.type() != "number" || @ < 1) || @ > 1000000000) || @.floor() != @)'::jsonpath)))),
  constraint accounts_name_length check (((length(name) >= 1) and (length(name) <= 200))),
  constraint accounts_retention_days check (((retention_days >= 1) and (retention_days <= 36500)))
);
alter table landfall.accounts enable row level security;
alter table landfall.accounts force row level security;
create policy own_account on landfall.accounts for select to landfall_app
  using (id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.accounts for all to landfall_system using (true);
grant select on landfall.accounts to landfall_app;
grant select, insert, update, delete on landfall.accounts to landfall_system;

create table landfall.alert_channels (
  account_id uuid not null,
  user_id uuid not null,
  kind text not null,
  id uuid not null default uuidv7(),
  host text not null,
  key_version text not null,
  url_sealed bytea not null,
  secret_key_version text,
  secret_sealed bytea,
  updated_at timestamptz(3) not null default now(),
  constraint alert_channels_pkey primary key (account_id, user_id, kind),
  constraint alert_channels_person foreign key (account_id, user_id) references landfall.alert_preferences(account_id,
    user_id) on delete cascade,
  constraint alert_channels_kind_known check ((kind = any (array['slack', 'teams', 'webhook']))),
  constraint alert_channels_secret_whole check ((((secret_sealed is null) = (secret_key_version is null)) and
    ((secret_sealed is not null) = (kind = 'webhook'))))
);
create unique index alert_channels_by_id on landfall.alert_channels (id);
alter table landfall.alert_channels enable row level security;
alter table landfall.alert_channels force row level security;
create policy own_account on landfall.alert_channels for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_channels for all to landfall_system using (true);
grant select, insert, update, delete on landfall.alert_channels to landfall_app;
grant select, insert, update, delete on landfall.alert_channels to landfall_system;

create table landfall.alert_cursors (
  account_id uuid not null,
  test boolean not null,
  sequence bigint not null,
  epoch bigint not null default 0,
  lease_until timestamptz,
  swept_at timestamptz not null,
  constraint alert_cursors_pkey primary key (account_id, test),
  constraint alert_cursors_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 50, vacuum_truncate = off);
create index alert_cursors_by_sweep on landfall.alert_cursors (swept_at);
alter table landfall.alert_cursors enable row level security;
alter table landfall.alert_cursors force row level security;
create policy own_account on landfall.alert_cursors for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_cursors for all to landfall_system using (true);
grant select, insert, update on landfall.alert_cursors to landfall_app;
grant select, insert, update, delete on landfall.alert_cursors to landfall_system;

create table landfall.alert_entries (
  account_id uuid not null,
  user_id uuid not null,
  channel text not null,
  key text not null,
  test boolean not null,
  timing text not null,
  due_at timestamptz not null,
  alert_ids uuid[] not null default '{}'::uuid[],
  shipment_id uuid,
  facts jsonb not null,
  message_id uuid,
  created_at timestamptz not null default now(),
  constraint alert_entries_pkey primary key (account_id, user_id, channel, key),
  constraint alert_entries_person foreign key (account_id, user_id) references landfall.alert_preferences(account_id,
    user_id) on delete cascade
);
create index alert_entries_of_message
  on landfall.alert_entries (account_id, message_id, created_at)
  where (message_id is not null);
create index alert_entries_of_shipment
  on landfall.alert_entries (account_id, shipment_id)
  where (shipment_id is not null);
create index alert_entries_old on landfall.alert_entries (created_at);
create index alert_entries_waiting
  on landfall.alert_entries (account_id, user_id, channel, test, timing, due_at)
  where (message_id is null);
alter table landfall.alert_entries enable row level security;
alter table landfall.alert_entries force row level security;
create policy own_account on landfall.alert_entries for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_entries for all to landfall_system using (true);
grant select, insert, update, delete on landfall.alert_entries to landfall_app;
grant select, insert, update, delete on landfall.alert_entries to landfall_system;

create table landfall.alert_failing (
  account_id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  since timestamptz not null,
  constraint alert_failing_pkey primary key (account_id, shipment_id),
  constraint alert_failing_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id, id)
    on delete cascade
);
create index alert_failing_by_since on landfall.alert_failing (account_id, test, since);
alter table landfall.alert_failing enable row level security;
alter table landfall.alert_failing force row level security;
create policy own_account on landfall.alert_failing for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_failing for all to landfall_system using (true);
grant select, insert, update, delete on landfall.alert_failing to landfall_app;
grant select, insert, update, delete on landfall.alert_failing to landfall_system;

create table landfall.alert_mailboxes (
  account_id uuid not null,
  user_id uuid not null,
  channel text not null,
  test boolean not null,
  timing text not null,
  due_at timestamptz,
  opened_at timestamptz,
  held_until timestamptz,
  counted_from timestamptz,
  messages integer not null default 0,
  constraint alert_mailboxes_pkey primary key (account_id, user_id, channel, test, timing),
  constraint alert_mailboxes_person foreign key (account_id, user_id) references landfall.alert_preferences(account_id,
    user_id) on delete cascade
);
create index alert_mailboxes_due on landfall.alert_mailboxes (due_at) where (due_at is not null);
alter table landfall.alert_mailboxes enable row level security;
alter table landfall.alert_mailboxes force row level security;
create policy own_account on landfall.alert_mailboxes for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_mailboxes for all to landfall_system using (true);
grant select, insert, update on landfall.alert_mailboxes to landfall_app;
grant select, insert, update, delete on landfall.alert_mailboxes to landfall_system;

create table landfall.alert_messages (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  channel text not null,
  test boolean not null,
  timing text not null,
  kind text not null default 'changes',
  entries integer not null,
  state text not null default 'waiting',
  tries smallint not null default 0,
  next_try_at timestamptz,
  lease_until timestamptz,
  epoch bigint not null default 0,
  sent_at timestamptz(3),
  error text,
  created_at timestamptz(3) not null default now(),
  constraint alert_messages_pkey primary key (account_id, id),
  constraint alert_messages_person foreign key (account_id, user_id) references landfall.alert_preferences(account_id,
    user_id) on delete cascade,
  constraint alert_messages_kind_known check ((kind = any (array['changes', 'trial']))),
  constraint alert_messages_next_try check (((state = 'waiting') = (next_try_at is not null))),
  constraint alert_messages_state_known check ((state = any (array['waiting', 'sent', 'failed', 'dropped'])))
);
create index alert_messages_of_person on landfall.alert_messages (account_id, user_id, id);
create index alert_messages_old on landfall.alert_messages (created_at) where (state <> 'waiting');
create index alert_messages_waiting on landfall.alert_messages (next_try_at) where (state = 'waiting');
alter table landfall.alert_messages enable row level security;
alter table landfall.alert_messages force row level security;
create policy own_account on landfall.alert_messages for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_messages for all to landfall_system using (true);
grant select, insert, update on landfall.alert_messages to landfall_app;
grant select, insert, update, delete on landfall.alert_messages to landfall_system;

create table landfall.alert_notices (
  account_id uuid not null,
  key text not null,
  kind text not null,
  test boolean not null,
  facts jsonb not null,
  created_at timestamptz not null default now(),
  notified_at timestamptz,
  constraint alert_notices_pkey primary key (account_id, key),
  constraint alert_notices_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade
);
create index alert_notices_old on landfall.alert_notices (created_at) where (notified_at is not null);
create index alert_notices_pending on landfall.alert_notices (created_at) where (notified_at is null);
alter table landfall.alert_notices enable row level security;
alter table landfall.alert_notices force row level security;
create policy own_account on landfall.alert_notices for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_notices for all to landfall_system using (true);
grant select, insert, update on landfall.alert_notices to landfall_app;
grant select, insert, update, delete on landfall.alert_notices to landfall_system;

create table landfall.alert_preferences (
  account_id uuid not null,
  user_id uuid not null,
  time_zone text not null default 'UTC',
  digest_hour smallint not null default 7,
  channels text[] not null default '{email}'::text[],
  timing text not null default 'at_once',
  quiet_from smallint,
  quiet_to smallint,
  notices boolean not null default true,
  mentions boolean not null default true,
  mail_off_at timestamptz(3),
  mail_token bytea not null,
  updated_at timestamptz(3) not null default now(),
  constraint alert_preferences_pkey primary key (account_id, user_id),
  constraint alert_preferences_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete
    cascade,
  constraint alert_preferences_member foreign key (account_id, user_id) references auth.members(organization_id,
    user_id) on delete cascade,
  constraint alert_preferences_channels_known check ((channels <@ '{email,slack,teams,webhook}'::text[])),
  constraint alert_preferences_digest_hour check (((digest_hour >= 0) and (digest_hour <= 23))),
  constraint alert_preferences_quiet check ((((quiet_from is null) = (quiet_to is null)) and ((quiet_from is null) or
    (((quiet_from >= 0) and (quiet_from <= 23)) and ((quiet_to >= 0) and (quiet_to <= 23)) and (quiet_from <>
    quiet_to))))),
  constraint alert_preferences_timing_known check ((timing = any (array['at_once', 'hourly', 'daily', 'weekdays']))),
  constraint alert_preferences_token_size check ((octet_length(mail_token) = 16)),
  constraint alert_preferences_zone_length check (((length(time_zone) >= 1) and (length(time_zone) <= 64)))
);
alter table landfall.alert_preferences enable row level security;
alter table landfall.alert_preferences force row level security;
create policy own_account on landfall.alert_preferences for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alert_preferences for all to landfall_system using (true);
grant select, insert, update, delete on landfall.alert_preferences to landfall_app;
grant select, insert, update, delete on landfall.alert_preferences to landfall_system;

create table landfall.alerts (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  user_id uuid not null,
  view_id uuid,
  shipment_id uuid,
  rules jsonb not null,
  channels text[] not null,
  timing text not null,
  paused_at timestamptz(3),
  from_sequence bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint alerts_pkey primary key (account_id, id),
  constraint alerts_person foreign key (account_id, user_id) references landfall.alert_preferences(account_id, user_id)
    on delete cascade,
  constraint alerts_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id, id) on
    delete cascade,
  constraint alerts_view foreign key (account_id, view_id) references landfall.saved_views(account_id, id) on delete
    cascade,
  constraint alerts_channels_known check (((channels <@ '{email,slack,teams,webhook}'::text[]) and
    ((cardinality(channels) > 0) or (paused_at is not null)))),
  constraint alerts_of_one check ((num_nonnulls(view_id, shipment_id) = 1)),
  constraint alerts_timing_known check ((timing = any (array['at_once', 'hourly', 'daily', 'weekdays'])))
);
create index alerts_active on landfall.alerts (account_id, test, id) where (paused_at is null);
create index alerts_of_person on landfall.alerts (account_id, user_id, id);
create index alerts_of_shipment on landfall.alerts (account_id, shipment_id) where (shipment_id is not null);
create index alerts_of_view on landfall.alerts (account_id, view_id) where (view_id is not null);
alter table landfall.alerts enable row level security;
alter table landfall.alerts force row level security;
create policy own_account on landfall.alerts for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.alerts for all to landfall_system using (true);
grant select, insert, update, delete on landfall.alerts to landfall_app;
grant select, insert, update, delete on landfall.alerts to landfall_system;

create table landfall.analytics_cursors (
  account_id uuid not null,
  test boolean not null,
  sequence bigint not null,
  scanned_to uuid,
  shape smallint not null,
  followed_at timestamptz(3) not null default now(),
  measured_at timestamptz(3),
  constraint analytics_cursors_pkey primary key (account_id, test),
  constraint analytics_cursors_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete
    cascade
) with (fillfactor = 50);
create index analytics_cursors_by_measure on landfall.analytics_cursors (measured_at nulls first);
create index analytics_cursors_scanning on landfall.analytics_cursors (account_id, test) where (scanned_to is not null);
alter table landfall.analytics_cursors enable row level security;
alter table landfall.analytics_cursors force row level security;
create policy own_account on landfall.analytics_cursors for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.analytics_cursors for all to landfall_system using (true);
grant select, insert, update on landfall.analytics_cursors to landfall_app;
grant select, insert, update, delete on landfall.analytics_cursors to landfall_system;

create table landfall.api_keys (
  account_id uuid not null,
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
  created_by uuid,
  made_with uuid,
  parent_id uuid,
  app_token_id uuid,
  constraint api_keys_pkey primary key (account_id, id),
  constraint api_keys_app_token_unique unique (app_token_id),
  constraint api_keys_key_hash_unique unique (key_hash),
  constraint api_keys_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade,
  constraint api_keys_of_app_token foreign key (app_token_id) references auth.oauth_access_tokens(id) on delete cascade,
  constraint api_keys_of_parent foreign key (account_id, parent_id) references landfall.api_keys(account_id, id) on
    delete cascade,
  constraint api_keys_key_hash_size check ((octet_length(key_hash) = 32)),
  constraint api_keys_name_length check (((length(name) >= 1) and (length(name) <= 200))),
  constraint api_keys_of_app check (((parent_id is null) = (app_token_id is null))),
  constraint api_keys_of_app_expire check (((parent_id is null) or (expires_at is not null))),
  constraint api_keys_of_app_read check (((parent_id is null) or (scopes <@ array['shipments:read']))),
  constraint api_keys_scopes_known check ((scopes <@ array['shipments:read', 'shipments:write', 'shipments:delete',
    'events:write', 'shares:write', 'webhooks:manage', 'carriers:manage', 'keys:manage']))
);
create index api_keys_by_parent on landfall.api_keys (account_id, parent_id) where (parent_id is not null);
create trigger admit_key_maker after insert on landfall.api_keys
  for each row
  when ((new.created_by is not null))
  execute function landfall.admit_key_maker();
alter table landfall.api_keys enable row level security;
alter table landfall.api_keys force row level security;
create policy own_account on landfall.api_keys for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy people_issue on landfall.api_keys for insert to landfall_auth with check (parent_id is not null);
create policy people_read on landfall.api_keys for select to landfall_auth using (true);
create policy people_revoke on landfall.api_keys for update to landfall_auth using (true);
create policy system on landfall.api_keys for all to landfall_system using (true);
grant select, insert, update, delete on landfall.api_keys to landfall_app;
grant select, insert, update, delete on landfall.api_keys to landfall_system;
grant insert (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at, created_by, parent_id,
  app_token_id) on landfall.api_keys to landfall_auth;
grant select (account_id, id, name, prefix, last_four, scopes, test, created_at, expires_at, revoked_at, last_used_at,
  rotated_to, created_by, made_with, parent_id, app_token_id) on landfall.api_keys to landfall_auth;
grant update (revoked_at) on landfall.api_keys to landfall_auth;

create table landfall.arrival_cells (
  account_id uuid not null,
  test boolean not null,
  day date not null,
  carrier text not null,
  transport_mode text not null,
  origin text not null,
  destination text not null,
  origin_country text not null,
  destination_country text not null,
  arrivals integer not null,
  early integer not null,
  on_time integer not null,
  late integer not null,
  transit_hours integer[] not null,
  delay_causes jsonb not null,
  free_time jsonb not null,
  constraint arrival_cells_pkey primary key (account_id, test, day, carrier, transport_mode, origin, destination,
    origin_country, destination_country)
);
alter table landfall.arrival_cells enable row level security;
alter table landfall.arrival_cells force row level security;
create policy own_account on landfall.arrival_cells for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.arrival_cells for all to landfall_system using (true);
grant select, insert, update, delete on landfall.arrival_cells to landfall_app;
grant select, insert, update, delete on landfall.arrival_cells to landfall_system;

create table landfall.audit (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id uuid,
  request_id text,
  detail jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  constraint audit_pkey primary key (account_id, id)
);
create index audit_by_subject on landfall.audit (account_id, subject_id) where (subject_id is not null);
alter table landfall.audit enable row level security;
alter table landfall.audit force row level security;
create policy only_of_removed on landfall.audit as restrictive for delete to landfall_system
  using ((action <> 'account.removed') and (not (exists ( select from landfall.accounts a where (a.id =
    audit.account_id)))));
create policy own_account on landfall.audit for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy people_append on landfall.audit for insert to landfall_auth with check (true);
create policy system on landfall.audit for all to landfall_system using (true);
grant select, insert on landfall.audit to landfall_app;
grant insert on landfall.audit to landfall_auth;
grant select, insert, delete on landfall.audit to landfall_system;

create table landfall.bulk_action_parts (
  account_id uuid not null,
  bulk_action_id uuid not null,
  number integer not null,
  shipment_ids uuid[] not null,
  changed_ids uuid[],
  constraint bulk_action_parts_pkey primary key (account_id, bulk_action_id, number),
  constraint bulk_action_parts_action foreign key (account_id, bulk_action_id) references
    landfall.bulk_actions(account_id, id) on delete cascade
);
create index bulk_action_parts_open
  on landfall.bulk_action_parts (account_id, bulk_action_id, number)
  where (changed_ids is null);
alter table landfall.bulk_action_parts enable row level security;
alter table landfall.bulk_action_parts force row level security;
create policy own_account on landfall.bulk_action_parts for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.bulk_action_parts for all to landfall_system using (true);
grant select, insert, update on landfall.bulk_action_parts to landfall_app;
grant select, insert, update, delete on landfall.bulk_action_parts to landfall_system;

create table landfall.bulk_actions (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  action jsonb not null,
  filter jsonb,
  undoes uuid,
  state text not null,
  position jsonb,
  total integer not null default 0,
  processed integer not null default 0,
  changed integer not null default 0,
  failed integer not null default 0,
  limited boolean not null default false,
  failures jsonb not null default '[]'::jsonb,
  attempts smallint not null default 0,
  retry_at timestamptz,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  started_by uuid,
  started_with uuid,
  stop_reason text,
  constraint bulk_actions_pkey primary key (account_id, id),
  constraint bulk_actions_undone_once unique (account_id, undoes),
  constraint bulk_actions_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade,
  constraint bulk_actions_counts check ((((changed + failed) <= processed) and (processed <= total))),
  constraint bulk_actions_end check (((completed_at is null) = (state = any (array['finding', 'running'])))),
  constraint bulk_actions_state_known check ((state = any (array['finding', 'running', 'completed', 'cancelled',
    'stopped']))),
  constraint bulk_actions_stop_reason check (((stop_reason is not null) = (state = 'stopped')))
);
create index bulk_actions_old on landfall.bulk_actions (completed_at) where (completed_at is not null);
create index bulk_actions_open on landfall.bulk_actions (account_id, id) where (completed_at is null);
alter table landfall.bulk_actions enable row level security;
alter table landfall.bulk_actions force row level security;
create policy own_account on landfall.bulk_actions for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.bulk_actions for all to landfall_system using (true);
grant select, insert, update on landfall.bulk_actions to landfall_app;
grant select, insert, update, delete on landfall.bulk_actions to landfall_system;

create table landfall.carrier_addresses (
  connector text not null,
  constraint carrier_addresses_pkey primary key (connector)
);
alter table landfall.carrier_addresses enable row level security;
alter table landfall.carrier_addresses force row level security;
create policy everyone on landfall.carrier_addresses for select to landfall_app using (true);
create policy system on landfall.carrier_addresses for all to landfall_system using (true);
grant select on landfall.carrier_addresses to landfall_app;
grant select, insert, update, delete on landfall.carrier_addresses to landfall_system;

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
  constraint carrier_credentials_pkey primary key (account_id, carrier),
  constraint carrier_credentials_id_unique unique (id),
  constraint carrier_credentials_sealed_or_removed check ((((sealed is null) = (removed_at is not null)) and
    ((key_version is null) = (sealed is null)))),
  constraint carrier_credentials_sealed_size check ((octet_length(sealed) <= 131072)),
  constraint carrier_credentials_suspension_whole check ((((suspended_at is null) = (suspended_reason is null)) and
    ((suspended_at is null) = (probe_at is null))))
);
create index carrier_credentials_by_key_version
  on landfall.carrier_credentials (key_version)
  where (sealed is not null);
alter table landfall.carrier_credentials enable row level security;
alter table landfall.carrier_credentials force row level security;
create policy own_account on landfall.carrier_credentials for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.carrier_credentials for all to landfall_system using (true);
grant insert, update, delete on landfall.carrier_credentials to landfall_app;
grant select, insert, update, delete on landfall.carrier_credentials to landfall_system;
grant select (account_id, carrier, id, connector, fields, key_version, version, created_at, updated_at, removed_at,
  suspended_at, suspended_reason, probe_at) on landfall.carrier_credentials to landfall_app;

create table landfall.carrier_deliveries (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  subscription_id uuid not null,
  body bytea not null,
  body_hash bytea not null,
  received_at timestamptz not null default now(),
  state text not null default 'received',
  attempts integer not null default 0,
  retry_at timestamptz not null default now(),
  processed_at timestamptz,
  events integer,
  shipments integer,
  reason text,
  constraint carrier_deliveries_pkey primary key (account_id, id),
  constraint carrier_deliveries_once unique (account_id, subscription_id, body_hash),
  constraint carrier_deliveries_subscription foreign key (account_id, subscription_id) references
    landfall.carrier_subscriptions(account_id, id) on delete cascade,
  constraint carrier_deliveries_hash_size check ((octet_length(body_hash) = 32)),
  constraint carrier_deliveries_state_known check ((state = any (array['received', 'processed', 'failed'])))
) with (autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);
create index carrier_deliveries_by_received_at on landfall.carrier_deliveries (received_at) where (state <> 'received');
create index carrier_deliveries_pending on landfall.carrier_deliveries (account_id, id) where (state = 'received');
alter table landfall.carrier_deliveries enable row level security;
alter table landfall.carrier_deliveries force row level security;
create policy own_account on landfall.carrier_deliveries for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.carrier_deliveries for all to landfall_system using (true);
grant select, insert on landfall.carrier_deliveries to landfall_app;
grant select, delete on landfall.carrier_deliveries to landfall_system;
grant update (state, attempts, retry_at, processed_at, events, shipments, reason) on landfall.carrier_deliveries to
  landfall_system;

create unlogged table landfall.carrier_demand (
  account_id uuid not null,
  connector text not null,
  refreshes integer not null,
  counted_at timestamptz not null default now(),
  constraint carrier_demand_pkey primary key (account_id, connector)
);
alter table landfall.carrier_demand enable row level security;
alter table landfall.carrier_demand force row level security;
create policy system on landfall.carrier_demand for all to landfall_system using (true);
grant select, insert, update, delete on landfall.carrier_demand to landfall_system;

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
  constraint carrier_health_pkey primary key (connector, credential_id, worker_id),
  constraint carrier_health_circuit_known check ((circuit = any (array['closed', 'half_open', 'open'])))
) with (fillfactor = 50);
alter table landfall.carrier_health enable row level security;
alter table landfall.carrier_health force row level security;
create policy own_account on landfall.carrier_health for select to landfall_app
  using (exists ( select from landfall.carrier_served s where ((s.account_id =
    (nullif(current_setting('landfall.account_id', true), ''))::uuid) and (s.connector = carrier_health.connector) and
    (s.credential_id = carrier_health.credential_id))));
create policy system on landfall.carrier_health for all to landfall_system using (true);
grant select on landfall.carrier_health to landfall_app;
grant select, insert, update, delete on landfall.carrier_health to landfall_system;

create unlogged table landfall.carrier_served (
  account_id uuid not null,
  connector text not null,
  carrier text not null,
  credential_id text not null,
  seen_at timestamptz not null default now(),
  constraint carrier_served_pkey primary key (account_id, connector, carrier)
);
alter table landfall.carrier_served enable row level security;
alter table landfall.carrier_served force row level security;
create policy own_account on landfall.carrier_served for select to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.carrier_served for all to landfall_system using (true);
grant select on landfall.carrier_served to landfall_app;
grant select, insert, update, delete on landfall.carrier_served to landfall_system;

create table landfall.carrier_subscriptions (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  token text not null,
  connector text not null,
  carrier text not null,
  all_carriers boolean not null,
  credential_id text not null,
  callback_url text not null,
  carrier_subscription_id text,
  key_version text not null,
  secret_sealed bytea not null,
  secret_made_at timestamptz not null default now(),
  previous_key_version text,
  previous_sealed bytea,
  previous_until timestamptz,
  state text not null default 'requested',
  reason text,
  failures integer not null default 0,
  check_at timestamptz not null default now(),
  epoch bigint not null default 0,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  last_delivery_at timestamptz,
  ended_at timestamptz,
  constraint carrier_subscriptions_pkey primary key (account_id, id),
  constraint carrier_subscriptions_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete
    cascade,
  constraint carrier_subscriptions_previous_whole check (((previous_sealed is null) = (previous_key_version is null))),
  constraint carrier_subscriptions_state_known check ((state = any (array['requested', 'active', 'failed', 'ended']))),
  constraint carrier_subscriptions_token_length check ((length(token) = 32))
);
create unique index carrier_subscriptions_by_id on landfall.carrier_subscriptions (id);
create index carrier_subscriptions_ended on landfall.carrier_subscriptions (ended_at) where (state = 'ended');
create unique index carrier_subscriptions_one_each
  on landfall.carrier_subscriptions (account_id, connector, credential_id)
  where (state <> 'ended');
create index carrier_subscriptions_to_check on landfall.carrier_subscriptions (check_at) where (state <> 'ended');
alter table landfall.carrier_subscriptions enable row level security;
alter table landfall.carrier_subscriptions force row level security;
create policy own_account on landfall.carrier_subscriptions for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.carrier_subscriptions for all to landfall_system using (true);
grant select, insert, update, delete on landfall.carrier_subscriptions to landfall_system;
grant select (account_id, id, verified_at, last_delivery_at) on landfall.carrier_subscriptions to landfall_app;
grant update (verified_at, last_delivery_at) on landfall.carrier_subscriptions to landfall_app;

create table landfall.changes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  write_order bigint not null default nextval('landfall.change_seq'::regclass),
  sequence bigint,
  type text not null,
  shipment_id uuid,
  test boolean not null default false,
  data jsonb,
  packed bytea,
  packed_place smallint,
  event_marks integer[],
  traceparent text,
  created_at timestamptz(3) not null default now(),
  constraint changes_data_once check ((((data is null) = (packed_place is not null)) and (num_nonnulls(data, packed) <=
    1)))
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02, vacuum_truncate = off);
create unique index changes_by_sequence on landfall.changes (account_id, test, sequence) where (sequence is not null);
create index changes_by_shipment on landfall.changes (account_id, shipment_id, sequence) where (sequence is not null);
create index changes_by_type on landfall.changes (account_id, test, type, sequence) where (sequence is not null);
create index changes_unsequenced on landfall.changes (write_order) where (sequence is null);
alter table landfall.changes enable row level security;
alter table landfall.changes force row level security;
create policy own_account on landfall.changes for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.changes for all to landfall_system using (true);
grant select, insert on landfall.changes to landfall_app;
grant select, insert, update, delete on landfall.changes to landfall_system;

create table landfall.credential_wakes (
  id uuid not null default uuidv7(),
  account_id uuid,
  carrier text,
  connector text,
  created_at timestamptz not null default now(),
  constraint credential_wakes_pkey primary key (id),
  constraint credential_wakes_whom check ((((account_id is not null) and (carrier is not null) and (connector is null))
    or ((account_id is null) and (carrier is null) and (connector is not null))))
);
alter table landfall.credential_wakes enable row level security;
alter table landfall.credential_wakes force row level security;
create policy own_account on landfall.credential_wakes for insert to landfall_app
  with check (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.credential_wakes for all to landfall_system using (true);
grant insert on landfall.credential_wakes to landfall_app;
grant select, insert, update, delete on landfall.credential_wakes to landfall_system;

create table landfall.events (
  account_id uuid not null,
  shipment_id uuid not null,
  id uuid not null,
  dedupe_key bytea not null,
  code text not null,
  event_at timestamptz not null,
  received_at timestamptz,
  source_created_at timestamptz,
  place bigint,
  reading integer,
  raw_index smallint,
  local_offset smallint,
  occurrence smallint,
  empty boolean,
  classifier text not null,
  leg_role text,
  source text,
  zone_source text,
  precision text,
  timezone text,
  container text,
  iso_type text,
  mode text,
  vehicle_name text,
  vehicle_imo text,
  voyage text,
  flight text,
  carrier_code text,
  carrier_description text,
  description text,
  delay_reason text,
  document text,
  source_event_id text,
  family text,
  seals text[],
  superseded_by uuid,
  voided_at timestamptz,
  rest jsonb,
  constraint events_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id, id) on
    delete cascade,
  constraint events_classifier_known check ((classifier = any (array['planned', 'estimated', 'actual']))),
  constraint events_dedupe_key_size check ((octet_length(dedupe_key) = 16)),
  constraint events_source_known check ((source = any (array['client', 'test'])))
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index events_by_code on landfall.events (account_id, code, place);
create index events_by_shipment on landfall.events (account_id, shipment_id);
create index events_by_time on landfall.events using brin (event_at);
alter table landfall.events enable row level security;
alter table landfall.events force row level security;
create policy own_account on landfall.events for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.events for all to landfall_system using (true);
grant select, insert, update on landfall.events to landfall_app;
grant select, insert, update, delete on landfall.events to landfall_system;

create table landfall.free_time_terms (
  account_id uuid not null,
  test boolean not null,
  version bigint not null,
  terms jsonb not null,
  marked_to uuid,
  updated_at timestamptz(3) not null default now(),
  constraint free_time_terms_pkey primary key (account_id, test),
  constraint free_time_terms_is_list check ((jsonb_typeof(terms) = 'array')),
  constraint free_time_terms_size check ((octet_length((terms)::text) <= 4194304)),
  constraint free_time_terms_version_positive check ((version > 0))
);
create index free_time_terms_to_mark on landfall.free_time_terms (account_id, test) where (marked_to is not null);
alter table landfall.free_time_terms enable row level security;
alter table landfall.free_time_terms force row level security;
create policy own_account on landfall.free_time_terms for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.free_time_terms for all to landfall_system using (true);
grant select, insert, update, delete on landfall.free_time_terms to landfall_app;
grant select, insert, update, delete on landfall.free_time_terms to landfall_system;

create table landfall.idempotency (
  account_id uuid not null,
  route text not null,
  key text not null,
  body_hash text not null,
  status text not null default 'running',
  response jsonb,
  created_at timestamptz not null default now(),
  constraint idempotency_pkey primary key (account_id, route, key),
  constraint idempotency_key_length check (((length(key) >= 1) and (length(key) <= 255))),
  constraint idempotency_status_known check ((status = any (array['running', 'done'])))
) with (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);
create index idempotency_by_created_at on landfall.idempotency (created_at);
alter table landfall.idempotency enable row level security;
alter table landfall.idempotency force row level security;
create policy own_account on landfall.idempotency for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.idempotency for all to landfall_system using (true);
grant select, insert, update, delete on landfall.idempotency to landfall_app;
grant select, insert, update, delete on landfall.idempotency to landfall_system;

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
  constraint import_chunks_pkey primary key (account_id, import_id, number),
  constraint import_chunks_import foreign key (account_id, import_id) references landfall.imports(account_id, id) on
    delete cascade,
  constraint import_chunks_hash_size check ((octet_length(content_hash) = 32))
) with (autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);
create index import_chunks_done on landfall.import_chunks (done_at) where (done_at is not null);
create index import_chunks_pending on landfall.import_chunks (account_id, import_id, number) where (done_at is null);
alter table landfall.import_chunks enable row level security;
alter table landfall.import_chunks force row level security;
create policy own_account on landfall.import_chunks for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.import_chunks for all to landfall_system using (true);
grant select, insert, update, delete on landfall.import_chunks to landfall_app;
grant select, insert, update, delete on landfall.import_chunks to landfall_system;

create table landfall.import_errors (
  account_id uuid not null,
  import_id uuid not null,
  row_number bigint not null,
  line bigint,
  raw text not null,
  severity text not null default 'error',
  code text not null,
  detail text not null,
  mistakes jsonb not null default '[]'::jsonb,
  constraint import_errors_pkey primary key (account_id, import_id, row_number),
  constraint import_errors_import foreign key (account_id, import_id) references landfall.imports(account_id, id) on
    delete cascade,
  constraint import_errors_severity_known check ((severity = any (array['error', 'warning'])))
) with (vacuum_truncate = off);
alter table landfall.import_errors enable row level security;
alter table landfall.import_errors force row level security;
create policy own_account on landfall.import_errors for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.import_errors for all to landfall_system using (true);
grant select, insert, update, delete on landfall.import_errors to landfall_app;
grant select, insert, update, delete on landfall.import_errors to landfall_system;

create table landfall.imports (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  key_id uuid,
  test boolean not null,
  idempotency_key text,
  format text not null,
  file jsonb not null default '{}'::jsonb,
  options jsonb not null,
  dry_run boolean not null,
  state text not null default 'receiving',
  reason text,
  receiver uuid,
  receiver_until timestamptz,
  resumable_until timestamptz,
  chunks integer not null default 0,
  stored_bytes bigint not null default 0,
  received bigint not null default 0,
  processed bigint not null default 0,
  created bigint not null default 0,
  existing bigint not null default 0,
  updated bigint not null default 0,
  warned bigint not null default 0,
  failed bigint not null default 0,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  constraint imports_pkey primary key (account_id, id),
  constraint imports_counts check (((processed = (((created + existing) + updated) + failed)) and (processed <=
    received))),
  constraint imports_format_known check ((format = any (array['csv', 'ndjson', 'xlsx']))),
  constraint imports_key_length check (((length(idempotency_key) >= 1) and (length(idempotency_key) <= 255))),
  constraint imports_reason_known check ((((reason is null) = (state <> 'failed')) and (reason = any
    (array['too_many_errors', 'cancelled'])))),
  constraint imports_state_known check ((state = any (array['receiving', 'running', 'completed', 'interrupted',
    'failed']))),
  constraint imports_stored_bytes check ((stored_bytes >= 0))
) with (fillfactor = 70);
create index imports_by_key
  on landfall.imports (account_id, test, idempotency_key, created_at)
  where (idempotency_key is not null);
create index imports_ended on landfall.imports (completed_at) where (completed_at is not null);
create index imports_listed on landfall.imports (account_id, test, id);
create index imports_receiving on landfall.imports (resumable_until) where (state = 'receiving');
alter table landfall.imports enable row level security;
alter table landfall.imports force row level security;
create policy own_account on landfall.imports for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.imports for all to landfall_system using (true);
grant select, insert, update, delete on landfall.imports to landfall_app;
grant select, insert, update, delete on landfall.imports to landfall_system;

create table landfall.instance_credentials (
  connector text not null,
  simulated boolean not null,
  fingerprint text not null,
  accounts uuid[] not null,
  fields text[] not null,
  version bigint not null default 1,
  updated_at timestamptz(3) not null default now(),
  suspended_at timestamptz(3),
  suspended_reason text,
  probe_at timestamptz,
  constraint instance_credentials_pkey primary key (connector),
  constraint instance_credentials_suspension_whole check ((((suspended_at is null) = (suspended_reason is null)) and
    ((suspended_at is null) = (probe_at is null))))
);
alter table landfall.instance_credentials enable row level security;
alter table landfall.instance_credentials force row level security;
create policy serves_account on landfall.instance_credentials for select to landfall_app
  using (simulated or ((nullif(current_setting('landfall.account_id', true), ''))::uuid = any (accounts)));
create policy system on landfall.instance_credentials for all to landfall_system using (true);
grant select, insert, update, delete on landfall.instance_credentials to landfall_system;
grant select (connector, simulated, fields, updated_at, suspended_at, suspended_reason) on
  landfall.instance_credentials to landfall_app;

create unlogged table landfall.limit_counts (
  key text not null,
  points bigint not null,
  ends_at timestamptz not null,
  constraint limit_counts_pkey primary key (key)
) with (autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  fillfactor = 50);
alter table landfall.limit_counts enable row level security;
alter table landfall.limit_counts force row level security;
create policy system on landfall.limit_counts for all to landfall_system using (true);
grant select, insert, update, delete on landfall.limit_counts to landfall_system;

create table landfall.notes (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  user_id uuid,
  key_id uuid,
  text text not null,
  mentions uuid[] not null default '{}'::uuid[],
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  edits integer not null default 0,
  constraint notes_pkey primary key (account_id, id),
  constraint notes_person foreign key (account_id, user_id) references landfall.account_members(account_id, user_id),
  constraint notes_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id, id) on
    delete cascade,
  constraint notes_mentions_count check ((cardinality(mentions) <= 20)),
  constraint notes_of_one check ((num_nonnulls(user_id, key_id) = 1)),
  constraint notes_text_length check (((length(text) >= 1) and (length(text) <= 8000)))
);
create index notes_of_person on landfall.notes (account_id, user_id) where (user_id is not null);
create index notes_of_shipment on landfall.notes (account_id, shipment_id, id);
alter table landfall.notes enable row level security;
alter table landfall.notes force row level security;
create policy own_account on landfall.notes for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.notes for all to landfall_system using (true);
grant select, insert, update, delete on landfall.notes to landfall_app;
grant select, insert, update, delete on landfall.notes to landfall_system;

create table landfall.operations_samples (
  at timestamptz not null,
  oldest_due_s double precision not null,
  calls_per_minute integer not null,
  troubled integer not null,
  failed_refreshes integer not null,
  feed_age_s double precision not null,
  connectors jsonb not null,
  constraint operations_samples_pkey primary key (at),
  constraint operations_samples_connectors_size check ((octet_length((connectors)::text) <= 20000))
);
alter table landfall.operations_samples enable row level security;
alter table landfall.operations_samples force row level security;
create policy system on landfall.operations_samples for all to landfall_system using (true);
grant select, insert, update, delete on landfall.operations_samples to landfall_system;

create table landfall.places (
  account_id uuid not null,
  id bigint not null,
  lat double precision,
  lng double precision,
  name text,
  unlocode text,
  iata text,
  country text,
  timezone text,
  facility text,
  constraint places_pkey primary key (account_id, id),
  constraint places_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade
);
alter table landfall.places enable row level security;
alter table landfall.places force row level security;
create policy own_account on landfall.places for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.places for all to landfall_system using (true);
grant select, insert on landfall.places to landfall_app;
grant select, insert, update, delete on landfall.places to landfall_system;

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
  stale_notified_for timestamptz,
  tracking_since timestamptz,
  requested_at timestamptz,
  source text,
  trace_id text,
  test_steps integer,
  unreadable jsonb,
  trace_kept boolean not null default false,
  hurried boolean not null default false,
  stale_after_hours smallint,
  ends_at timestamptz,
  constraint polling_pkey primary key (account_id, shipment_id),
  constraint polling_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id, id) on
    delete cascade,
  constraint polling_answer_hash_size check ((octet_length(answer_hash) = 32)),
  constraint polling_epoch_not_negative check ((epoch >= 0)),
  constraint polling_reading_hash_size check ((octet_length(reading_hash) = 32)),
  constraint polling_stale_after_hours_range check (((stale_after_hours >= 1) and (stale_after_hours <= 720))),
  constraint polling_state_known check ((state = any (array['queued', 'active', 'awaiting_carrier', 'degraded',
    'failed', 'stopped', 'completed']))),
  constraint polling_test_steps_not_negative check ((test_steps >= 0))
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_scale_factor =
  0.005, autovacuum_vacuum_threshold = 1000, fillfactor = 85);
create index polling_by_rare_state
  on landfall.polling (account_id, state, shipment_id)
  where (state = any (array['queued', 'awaiting_carrier', 'degraded', 'failed', 'stopped']));
create index polling_due on landfall.polling (connector, next_refresh_at) where (next_refresh_at is not null);
create index polling_due_by_account
  on landfall.polling (connector, account_id, next_refresh_at)
  where (next_refresh_at is not null);
create index polling_ending on landfall.polling (ends_at) where (ends_at is not null);
create index polling_hurried on landfall.polling (connector, account_id, next_refresh_at) where hurried;
create index polling_stale on landfall.polling (account_id, stale_at) where (stale_at is not null);
create index polling_stale_pending
  on landfall.polling (stale_at)
  where ((stale_at is not null) and (last_succeeded_at is not null) and (stale_notified_for is distinct from
    last_succeeded_at) and (state <> all (array['completed', 'stopped'])));
create index polling_waiting_credentials
  on landfall.polling (account_id, connector)
  where ((reason = any (array['credentials_missing', 'carrier_auth_failed', 'data_withheld'])) and (next_refresh_at is
    not null));
create trigger polling_count_changed after update on landfall.polling
  for each row
  when (((old.state is distinct from new.state) or (old.reason is distinct from new.reason) or (old.tracking_since is
    distinct from new.tracking_since)))
  execute function landfall.count_changed_state();
create trigger polling_count_new after insert on landfall.polling
  for each row
  when (((new.state <> 'queued') or (new.reason is not null)))
  execute function landfall.count_changed_state();
create trigger polling_count_removed after delete on landfall.polling
  for each row
  when (((old.state <> 'queued') or (old.reason is not null)))
  execute function landfall.count_changed_state();
alter table landfall.polling enable row level security;
alter table landfall.polling force row level security;
create policy own_account on landfall.polling for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.polling for all to landfall_system using (true);
grant select, insert, update, delete on landfall.polling to landfall_app;
grant select, insert, update, delete on landfall.polling to landfall_system;

create table landfall.position_rounds (
  single boolean not null default true,
  next_at timestamptz not null default now(),
  failures integer not null default 0,
  succeeded_at timestamptz,
  failed_at timestamptz,
  failure text,
  constraint position_rounds_pkey primary key (single),
  constraint position_rounds_failure_length check ((length(failure) <= 300)),
  constraint position_rounds_single check (single)
);
alter table landfall.position_rounds enable row level security;
alter table landfall.position_rounds force row level security;
create policy system on landfall.position_rounds for all to landfall_system using (true);
grant select, update on landfall.position_rounds to landfall_system;

create table landfall.proofs (
  account_id uuid not null,
  shipment_id uuid not null,
  proof_id text not null,
  piece text,
  media_type text not null,
  content bytea not null,
  fetched_at timestamptz not null default now(),
  constraint proofs_pkey primary key (account_id, shipment_id, proof_id),
  constraint proofs_account_id_shipment_id_fkey foreign key (account_id, shipment_id) references
    landfall.shipments(account_id, id) on delete cascade,
  constraint proofs_content_size check ((octet_length(content) <= 5242880))
);
alter table landfall.proofs enable row level security;
alter table landfall.proofs force row level security;
create policy own_account on landfall.proofs for select to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.proofs for all to landfall_system using (true);
grant select on landfall.proofs to landfall_app;
grant select, insert, update, delete on landfall.proofs to landfall_system;

create table landfall.readings (
  account_id uuid not null,
  shipment_id uuid not null,
  number integer not null,
  raws bytea not null,
  constraint readings_pkey primary key (account_id, shipment_id, number),
  constraint readings_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id, id) on
    delete cascade
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table landfall.readings enable row level security;
alter table landfall.readings force row level security;
create policy own_account on landfall.readings for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.readings for all to landfall_system using (true);
grant select, insert on landfall.readings to landfall_app;
grant select, insert, update, delete on landfall.readings to landfall_system;

create table landfall.refreshes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  count integer not null default 1,
  outcome text not null,
  reason text,
  detail text,
  source text,
  http_status integer,
  duration_ms double precision not null,
  events_added integer not null default 0,
  unreadable jsonb,
  trace_id text,
  trace_kept boolean not null default false,
  constraint refreshes_pkey primary key (account_id, id),
  constraint refreshes_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id, id) on
    delete cascade,
  constraint refreshes_outcome_known check ((outcome = any (array['changed', 'unchanged', 'not_found', 'error'])))
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 85);
create index refreshes_newest on landfall.refreshes (account_id, shipment_id, id desc);
alter table landfall.refreshes enable row level security;
alter table landfall.refreshes force row level security;
create policy own_account on landfall.refreshes for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.refreshes for all to landfall_system using (true);
grant select, insert, update, delete on landfall.refreshes to landfall_app;
grant select, insert, update, delete on landfall.refreshes to landfall_system;

create table landfall.registration_cells (
  account_id uuid not null,
  test boolean not null,
  day date not null,
  carrier text not null,
  transport_mode text not null,
  registered integer not null,
  first_event_minutes integer[] not null,
  constraint registration_cells_pkey primary key (account_id, test, day, carrier, transport_mode)
);
alter table landfall.registration_cells enable row level security;
alter table landfall.registration_cells force row level security;
create policy own_account on landfall.registration_cells for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.registration_cells for all to landfall_system using (true);
grant select, insert, update, delete on landfall.registration_cells to landfall_app;
grant select, insert, update, delete on landfall.registration_cells to landfall_system;

create table landfall.saved_views (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  owner_id uuid,
  name text not null,
  shared boolean not null default false,
  search jsonb not null,
  filter jsonb,
  sort text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint saved_views_pkey primary key (account_id, id),
  constraint saved_views_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade,
  constraint saved_views_owner foreign key (account_id, owner_id) references auth.members(organization_id, user_id) on
    delete set null (owner_id),
  constraint saved_views_name_length check (((length(name) >= 1) and (length(name) <= 60))),
  constraint saved_views_size check (((octet_length((search)::text) <= 65536) and (octet_length((filter)::text) <=
    65536)))
);
create index saved_views_left on landfall.saved_views (account_id, id) where ((owner_id is null) and (not shared));
create unique index saved_views_once on landfall.saved_views (account_id, test, owner_id, lower(name));
alter table landfall.saved_views enable row level security;
alter table landfall.saved_views force row level security;
create policy own_account on landfall.saved_views for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.saved_views for all to landfall_system using (true);
grant select, insert, update, delete on landfall.saved_views to landfall_app;
grant select, insert, update, delete on landfall.saved_views to landfall_system;

create table landfall.settled_shipments (
  account_id uuid not null,
  shipment_id uuid not null,
  packed bytea not null,
  settled_at timestamptz not null default now(),
  constraint settled_shipments_pkey primary key (account_id, shipment_id),
  constraint settled_shipments_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id,
    id) on delete cascade
);
alter table landfall.settled_shipments enable row level security;
alter table landfall.settled_shipments force row level security;
create policy own_account on landfall.settled_shipments for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.settled_shipments for all to landfall_system using (true);
grant select, insert, update, delete on landfall.settled_shipments to landfall_app;
grant select, insert, update, delete on landfall.settled_shipments to landfall_system;

create table landfall.share_settings (
  account_id uuid not null,
  name text,
  accent_color text,
  support_url text,
  language text not null default 'en',
  embed_origins text[] not null default '{}'::text[],
  shows text[] not null default '{}'::text[],
  days_after_close smallint not null default 30,
  logo bytea,
  logo_hash text default encode(sha256(logo), 'hex'),
  updated_at timestamptz(3) not null default now(),
  public_pages boolean not null default true,
  constraint share_settings_pkey primary key (account_id),
  constraint share_settings_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade,
  constraint share_settings_accent_color_form check ((accent_color ~ '^#[0-9a-f]{6}$')),
  constraint share_settings_days_range check (((days_after_close >= 1) and (days_after_close <= 365))),
  constraint share_settings_embed_origins_count check ((cardinality(embed_origins) <= 20)),
  constraint share_settings_language_known check ((language = any (array['en', 'de', 'fr', 'es', 'pt', 'nl', 'zh',
    'ja']))),
  constraint share_settings_logo_size check ((octet_length(logo) <= 262144)),
  constraint share_settings_name_length check (((length(name) >= 1) and (length(name) <= 100))),
  constraint share_settings_shows_known check ((shows <@ array['identifiers', 'carrier', 'reference', 'tags',
    'metadata'])),
  constraint share_settings_support_url_length check ((length(support_url) <= 500))
);
alter table landfall.share_settings enable row level security;
alter table landfall.share_settings force row level security;
create policy own_account on landfall.share_settings for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.share_settings for all to landfall_system using (true);
grant select, insert, update on landfall.share_settings to landfall_app;
grant select, insert, update, delete on landfall.share_settings to landfall_system;

create table landfall.shares (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  token_hash bytea not null,
  label text,
  shows text[] not null,
  password_hash text,
  expires_at timestamptz(3),
  days_after_close smallint,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  constraint shares_pkey primary key (account_id, id),
  constraint shares_token_unique unique (token_hash),
  constraint shares_account_id_shipment_id_fkey foreign key (account_id, shipment_id) references
    landfall.shipments(account_id, id) on delete cascade,
  constraint shares_days_range check (((days_after_close >= 1) and (days_after_close <= 365))),
  constraint shares_label_length check (((length(label) >= 1) and (length(label) <= 200))),
  constraint shares_one_end check ((num_nonnulls(expires_at, days_after_close) = 1)),
  constraint shares_shows_known check ((shows <@ array['identifiers', 'carrier', 'reference', 'tags', 'metadata'])),
  constraint shares_token_is_sha256 check ((octet_length(token_hash) = 32))
);
create index shares_of_shipment on landfall.shares (account_id, shipment_id, id);
alter table landfall.shares enable row level security;
alter table landfall.shares force row level security;
create policy own_account on landfall.shares for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shares for all to landfall_system using (true);
grant insert on landfall.shares to landfall_app;
grant select, insert, update, delete on landfall.shares to landfall_system;
grant select (account_id, id, shipment_id, test, label, shows, password_hash, expires_at, days_after_close, created_by,
  created_at, revoked_at) on landfall.shares to landfall_app;
grant update (revoked_at) on landfall.shares to landfall_app;

create table landfall.shipment_count_deltas (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  archived boolean not null,
  status text not null,
  state text not null,
  has_exception boolean not null,
  reason text not null,
  needs_attention boolean not null,
  delta bigint not null,
  constraint shipment_count_deltas_pkey primary key (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table landfall.shipment_count_deltas enable row level security;
alter table landfall.shipment_count_deltas force row level security;
create policy own_account on landfall.shipment_count_deltas for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipment_count_deltas for all to landfall_system using (true);
grant select, insert on landfall.shipment_count_deltas to landfall_app;
grant select, insert, update, delete on landfall.shipment_count_deltas to landfall_system;

create table landfall.shipment_counts (
  account_id uuid not null,
  test boolean not null,
  archived boolean not null,
  status text not null,
  state text not null,
  has_exception boolean not null,
  reason text not null,
  needs_attention boolean not null,
  counted bigint not null,
  constraint shipment_counts_pkey primary key (account_id, test, archived, status, state, has_exception, reason,
    needs_attention)
) with (fillfactor = 50);
alter table landfall.shipment_counts enable row level security;
alter table landfall.shipment_counts force row level security;
create policy own_account on landfall.shipment_counts for select to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipment_counts for all to landfall_system using (true);
grant select on landfall.shipment_counts to landfall_app;
grant select, insert, update, delete on landfall.shipment_counts to landfall_system;

create table landfall.shipment_identifiers (
  account_id uuid not null,
  shipment_id uuid not null,
  key text not null,
  value text not null,
  match_value text collate "C" not null,
  source text not null,
  test boolean not null,
  transport_mode text not null,
  carrier text not null,
  open boolean not null default true,
  created_at timestamptz not null default now(),
  constraint shipment_identifiers_pkey primary key (account_id, shipment_id, key, source, match_value),
  constraint shipment_identifiers_shipment foreign key (account_id, shipment_id) references
    landfall.shipments(account_id, id) on delete cascade,
  constraint shipment_identifiers_key_known check ((key = any (array['mbl', 'booking', 'container', 'hbl', 'awb',
    'hawb', 'tracking_number', 'pro', 'bol', 'equipment', 'pickup_number', 'po', 'waybill', 'railcar']))),
  constraint shipment_identifiers_source_known check ((source = any (array['client', 'carrier'])))
);
create index shipment_identifiers_by_match_value
  on landfall.shipment_identifiers (account_id, match_value, shipment_id);
create unique index shipment_identifiers_open_unique
  on landfall.shipment_identifiers (account_id, test, transport_mode, carrier, key, match_value)
  where (open and (source = 'client') and (key = any (array['mbl', 'booking', 'awb', 'tracking_number', 'pro', 'bol',
    'waybill'])));
alter table landfall.shipment_identifiers enable row level security;
alter table landfall.shipment_identifiers force row level security;
create policy own_account on landfall.shipment_identifiers for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipment_identifiers for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipment_identifiers to landfall_app;
grant select, insert, update, delete on landfall.shipment_identifiers to landfall_system;

create table landfall.shipment_measures (
  account_id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  transport_mode text not null,
  carrier text not null,
  registered_day date not null,
  first_event_minutes integer,
  origin text not null,
  destination text not null,
  origin_country text not null,
  destination_country text not null,
  arrived_at timestamptz(3),
  arrived_day date,
  on_time text,
  transit_hours integer,
  delay_causes text[] not null,
  free_time_outcome text,
  constraint shipment_measures_pkey primary key (account_id, shipment_id),
  constraint shipment_measures_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id,
    id) on delete cascade,
  constraint shipment_measures_of_arrival check ((((arrived_day is null) = (arrived_at is null)) and ((arrived_day is
    null) = (on_time is null)) and ((arrived_day is null) = (free_time_outcome is null)) and ((arrived_day is not null)
    or (transit_hours is null))))
);
create index shipment_measures_by_arrival
  on landfall.shipment_measures (account_id, test, arrived_day, carrier)
  where (arrived_day is not null);
create index shipment_measures_by_registration
  on landfall.shipment_measures (account_id, test, registered_day, carrier);
alter table landfall.shipment_measures enable row level security;
alter table landfall.shipment_measures force row level security;
create policy own_account on landfall.shipment_measures for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipment_measures for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipment_measures to landfall_app;
grant select, insert, update, delete on landfall.shipment_measures to landfall_system;

create table landfall.shipment_references (
  account_id uuid not null,
  test boolean not null,
  reference text not null,
  shipment_id uuid not null,
  constraint shipment_references_pkey primary key (account_id, test, reference, shipment_id)
);
alter table landfall.shipment_references enable row level security;
alter table landfall.shipment_references force row level security;
create policy own_account on landfall.shipment_references for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipment_references for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipment_references to landfall_app;
grant select, insert, update, delete on landfall.shipment_references to landfall_system;

create table landfall.shipment_search (
  account_id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  text text not null,
  terms text[] not null,
  created_at timestamptz(3) not null,
  constraint shipment_search_pkey primary key (account_id, shipment_id),
  constraint shipment_search_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id,
    id) on delete cascade
);
create index shipment_search_words
  on landfall.shipment_search using gin (account_id, terms, text landfall.gin_trgm_ops);
alter table landfall.shipment_search enable row level security;
alter table landfall.shipment_search force row level security;
create policy own_account on landfall.shipment_search for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipment_search for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipment_search to landfall_app;
grant select, insert, update, delete on landfall.shipment_search to landfall_system;

create table landfall.shipment_tags (
  account_id uuid not null,
  test boolean not null,
  tag text not null,
  created_at timestamptz(3) not null,
  shipment_id uuid not null,
  constraint shipment_tags_pkey primary key (account_id, test, tag, created_at, shipment_id)
);
alter table landfall.shipment_tags enable row level security;
alter table landfall.shipment_tags force row level security;
create policy own_account on landfall.shipment_tags for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipment_tags for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipment_tags to landfall_app;
grant select, insert, update, delete on landfall.shipment_tags to landfall_system;

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
  tags text[] not null default '{}'::text[],
  metadata jsonb not null default '{}'::jsonb,
  destination_postal_code text,
  registration_traceparent text,
  status text not null default 'pending',
  status_changed_at timestamptz(3),
  has_exception boolean not null default false,
  exception_codes text[] not null default '{}'::text[],
  departed_at timestamptz(3),
  departed_day date,
  eta timestamptz(3),
  eta_day date,
  delay_hours double precision,
  delivered_at timestamptz(3),
  delivered_day date,
  origin_unlocode text,
  origin_iata text,
  origin_country text,
  origin_name text,
  destination_unlocode text,
  destination_iata text,
  destination_country text,
  destination_name text,
  last_event_at timestamptz(3),
  overdue_from timestamptz(3),
  late_from timestamptz(3),
  overdue_notified timestamptz(3)[] not null default '{}'::timestamptz[],
  needs_attention boolean not null default false,
  attention_at timestamptz,
  record jsonb not null,
  cadence jsonb,
  journey_text text,
  journey_shape smallint,
  packed_journey bytea,
  recompose boolean not null default false,
  warnings jsonb not null default '[]'::jsonb,
  search_text text not null default '',
  search_terms text[] not null default '{}'::text[],
  position jsonb,
  map_key text,
  map_destination text,
  vessel_imo text,
  free_time_states text[] not null default '{}'::text[],
  last_free_day date,
  free_time_at timestamptz,
  manual_free_days jsonb not null default '[]'::jsonb,
  assignee_id uuid,
  notes_count integer not null default 0,
  open boolean not null default true,
  closed_at timestamptz,
  archived_at timestamptz,
  settled_at timestamptz,
  settling_from timestamptz,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version bigint not null default 1,
  reference_list text[] not null default '{}'::text[],
  constraint shipments_pkey primary key (account_id, id),
  constraint shipments_assignee foreign key (account_id, assignee_id) references landfall.account_members(account_id,
    user_id),
  constraint shipments_manual_free_days_is_list check ((jsonb_typeof(manual_free_days) = 'array')),
  constraint shipments_notes_count_natural check ((notes_count >= 0)),
  constraint shipments_reference_list_shape check (((reference_list = '{}'::text[]) or (((cardinality(reference_list)
    >= 2) and (cardinality(reference_list) <= 50)) and (reference is not null) and (reference = reference_list[1])))),
  constraint shipments_service_type_known check ((service_type = any (array['ltl', 'ftl']))),
  constraint shipments_status_known check ((status = any (array['pending', 'booked', 'in_transit', 'arrived',
    'available_for_pickup', 'out_for_delivery', 'delivered', 'returned', 'failed', 'cancelled']))),
  constraint shipments_transport_mode_known check ((transport_mode = any (array['ocean', 'air', 'road', 'rail',
    'parcel']))),
  constraint shipments_version_positive check ((version > 0))
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
create index shipments_archived
  on landfall.shipments (account_id, test, created_at, id)
  where (archived_at is not null);
create index shipments_attention_due
  on landfall.shipments (attention_at)
  where ((attention_at is not null) and (archived_at is null));
create index shipments_by_assignee
  on landfall.shipments (account_id, test, assignee_id, created_at, id)
  where (assignee_id is not null);
create index shipments_by_carrier on landfall.shipments (account_id, test, carrier, created_at, id);
create index shipments_by_created_at on landfall.shipments (account_id, test, created_at, id);
create index shipments_by_delay_hours
  on landfall.shipments (account_id, test, delay_hours, id)
  where (delay_hours is not null);
create index shipments_by_delivered_day
  on landfall.shipments (account_id, test, delivered_day)
  where (delivered_day is not null);
create index shipments_by_departed_day
  on landfall.shipments (account_id, test, departed_day)
  where (departed_day is not null);
create index shipments_by_eta on landfall.shipments (account_id, test, eta, id) where (eta is not null);
create index shipments_by_last_event_at
  on landfall.shipments (account_id, test, last_event_at, id)
  where (last_event_at is not null);
create index shipments_by_last_free_day
  on landfall.shipments (account_id, test, last_free_day, id)
  where (last_free_day is not null);
create index shipments_by_status on landfall.shipments (account_id, test, status, created_at, id);
create index shipments_by_status_changed_at
  on landfall.shipments (account_id, test, status_changed_at, id)
  where (status_changed_at is not null);
create index shipments_by_status_updated_at on landfall.shipments (account_id, test, status, updated_at, id);
create index shipments_by_transport_mode on landfall.shipments (account_id, test, transport_mode, created_at, id);
create index shipments_by_updated_at on landfall.shipments (account_id, test, updated_at, id);
create index shipments_closed on landfall.shipments (account_id, closed_at) where (closed_at is not null);
create index shipments_closed_open on landfall.shipments (closed_at) where (open and (closed_at is not null));
create index shipments_free_time_due
  on landfall.shipments (free_time_at)
  where ((free_time_at is not null) and (archived_at is null));
create index shipments_late
  on landfall.shipments (account_id, test, status, late_from)
  where ((late_from is not null) and (archived_at is null) and (status <> all (array['delivered', 'returned', 'failed',
    'cancelled'])));
create index shipments_late_by_created_at
  on landfall.shipments (account_id, test, created_at, id, late_from, overdue_from)
  where ((late_from is not null) and (archived_at is null));
create index shipments_needing_attention on landfall.shipments (account_id, test, created_at, id) where needs_attention;
create index shipments_overdue_pending
  on landfall.shipments (overdue_from)
  where ((overdue_from is not null) and (archived_at is null) and (not recompose) and (not (overdue_from = any
    (overdue_notified))));
create unique index shipments_reference_unique
  on landfall.shipments (account_id, test, reference)
  where (reference is not null);
create index shipments_to_recompose on landfall.shipments (account_id, id) where recompose;
create index shipments_to_settle
  on landfall.shipments (greatest(closed_at, settling_from))
  where ((closed_at is not null) and (settled_at is null));
create index shipments_vessel_imo
  on landfall.shipments (vessel_imo)
  where ((vessel_imo is not null) and (closed_at is null));
create index shipments_with_exception on landfall.shipments (account_id, test, created_at, id) where has_exception;
create index shipments_with_open_clock
  on landfall.shipments (account_id, test, created_at, id)
  where (free_time_states && '{running,expiring,over,unknown_terms}'::text[]);
create index shipments_with_unknown_terms
  on landfall.shipments (account_id, test, created_at, id)
  where ('unknown_terms' = any (free_time_states));
create index shipments_without_eta
  on landfall.shipments (account_id, test, id)
  where ((eta is null) or (delay_hours is null));
create index shipments_without_events
  on landfall.shipments (account_id, test, id)
  where ((status_changed_at is null) or (last_event_at is null));
create trigger shipments_count_changed after update on landfall.shipments
  for each row
  when (((old.test is distinct from new.test) or ((old.archived_at is null) is distinct from (new.archived_at is null))
    or (old.status is distinct from new.status) or (old.has_exception is distinct from new.has_exception) or
    (old.needs_attention is distinct from new.needs_attention)))
  execute function landfall.count_changed_shipment();
create trigger shipments_count_new after insert on landfall.shipments referencing new table as new_shipments
  for each statement
  execute function landfall.count_new_shipments();
create trigger shipments_count_removed before delete on landfall.shipments
  for each row
  execute function landfall.count_changed_shipment();
create trigger shipments_decide_attention before update of has_exception, overdue_from, late_from on landfall.shipments
  for each row
  when (((old.has_exception is distinct from new.has_exception) or (old.overdue_from is distinct from new.overdue_from)
    or (old.late_from is distinct from new.late_from)))
  execute function landfall.decide_attention();
create trigger shipments_decide_attention_new before insert on landfall.shipments
  for each row
  when (new.has_exception)
  execute function landfall.decide_attention();
create trigger shipments_drop_references after delete on landfall.shipments
  for each row
  when ((old.reference_list <> '{}'::text[]))
  execute function landfall.index_references();
create trigger shipments_drop_tags after delete on landfall.shipments
  for each row
  when ((old.tags <> '{}'::text[]))
  execute function landfall.index_changed_tags();
create trigger shipments_forget_journey_text before update of record on landfall.shipments
  for each row
  when (((new.journey_text is not null) and (not (new.journey_text is distinct from old.journey_text)) and (new.record
    is distinct from old.record)))
  execute function landfall.forget_journey_text();
create trigger shipments_forget_measures before delete on landfall.shipments
  for each row
  execute function landfall.forget_measures();
create trigger shipments_forget_packed_journey before update of record on landfall.shipments
  for each row
  when (((new.packed_journey is not null) and ((new.record ? 'events') or ((not (new.packed_journey is distinct from
    old.packed_journey)) and (new.record is distinct from old.record)))))
  execute function landfall.forget_packed_journey();
create trigger shipments_index_changed_references after update of reference_list on landfall.shipments
  for each row
  when ((old.reference_list is distinct from new.reference_list))
  execute function landfall.index_references();
create trigger shipments_index_changed_tags after update on landfall.shipments
  for each row
  when (((old.tags is distinct from new.tags) or (old.created_at is distinct from new.created_at)))
  execute function landfall.index_changed_tags();
create trigger shipments_index_changed_words after update of search_text, search_terms on landfall.shipments
  for each row
  when (((old.search_text is distinct from new.search_text) or (old.search_terms is distinct from new.search_terms)))
  execute function landfall.index_changed_words();
create trigger shipments_index_new after insert on landfall.shipments referencing new table as new_shipments
  for each statement
  execute function landfall.index_new_shipments();
create trigger shipments_index_references after insert on landfall.shipments
  for each row
  when ((new.reference_list <> '{}'::text[]))
  execute function landfall.index_references();
alter table landfall.shipments enable row level security;
alter table landfall.shipments force row level security;
create policy own_account on landfall.shipments for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.shipments for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipments to landfall_app;
grant select, insert, update, delete on landfall.shipments to landfall_system;

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
create index spans_by_trace on only landfall.spans (trace_id);
alter table landfall.spans enable row level security;
alter table landfall.spans force row level security;
create policy system on landfall.spans for all to landfall_system using (true);
grant select, insert, delete on landfall.spans to landfall_system;

create unlogged table landfall.spans_default partition of landfall.spans default;
alter table landfall.spans_default enable row level security;
alter table landfall.spans_default force row level security;
create policy system on landfall.spans_default for all to landfall_system using (true);
grant select, insert, delete on landfall.spans_default to landfall_system;

create table landfall.stale_cells (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  carrier text not null,
  arrived_day date,
  registered_day date not null,
  constraint stale_cells_pkey primary key (account_id, id),
  constraint stale_cells_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete cascade
);
alter table landfall.stale_cells enable row level security;
alter table landfall.stale_cells force row level security;
create policy own_account on landfall.stale_cells for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.stale_cells for all to landfall_system using (true);
grant select, insert, delete on landfall.stale_cells to landfall_app;
grant select, insert, update, delete on landfall.stale_cells to landfall_system;

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
  constraint status_changes_pkey primary key (account_id, shipment_id, id),
  constraint status_changes_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id,
    id) on delete cascade
);
alter table landfall.status_changes enable row level security;
alter table landfall.status_changes force row level security;
create policy own_account on landfall.status_changes for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.status_changes for all to landfall_system using (true);
grant select, insert on landfall.status_changes to landfall_app;
grant select, insert, delete on landfall.status_changes to landfall_system;

create unlogged table landfall.token_buckets (
  key text not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  closed_until timestamptz,
  constraint token_buckets_pkey primary key (key)
) with (autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  fillfactor = 50);
alter table landfall.token_buckets enable row level security;
alter table landfall.token_buckets force row level security;
create policy system on landfall.token_buckets for all to landfall_system using (true);
grant select, insert, update, delete on landfall.token_buckets to landfall_system;

create table landfall.trace_parts (
  trace_id uuid not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  service text not null,
  name text not null,
  kept_for text not null,
  failed boolean not null,
  http_status integer,
  error_type text,
  outcome text,
  carrier text,
  shipment_id uuid,
  account_id uuid
) partition by range (started_at);
create index trace_parts_by_carrier on only landfall.trace_parts (carrier, started_at desc) where (carrier is not null);
create index trace_parts_by_outcome on only landfall.trace_parts (outcome, started_at desc) where (outcome is not null);
create index trace_parts_by_shipment
  on only landfall.trace_parts (shipment_id, started_at desc)
  where (shipment_id is not null);
create index trace_parts_by_time on only landfall.trace_parts (started_at desc);
create index trace_parts_by_trace on only landfall.trace_parts (trace_id);
create index trace_parts_failed on only landfall.trace_parts (started_at desc) where failed;
create index trace_parts_slowest on only landfall.trace_parts (duration_us desc);
alter table landfall.trace_parts enable row level security;
alter table landfall.trace_parts force row level security;
create policy system on landfall.trace_parts for all to landfall_system using (true);
grant select, insert, delete on landfall.trace_parts to landfall_system;

create unlogged table landfall.trace_parts_default partition of landfall.trace_parts default;
alter table landfall.trace_parts_default enable row level security;
alter table landfall.trace_parts_default force row level security;
create policy system on landfall.trace_parts_default for all to landfall_system using (true);
grant select, insert, delete on landfall.trace_parts_default to landfall_system;

create table landfall.tracking_cells (
  account_id uuid not null,
  test boolean not null,
  carrier text not null,
  transport_mode text not null,
  tracked integer not null,
  current integer not null,
  stale integer not null,
  waiting integer not null,
  not_found integer not null,
  failed integer not null,
  constraint tracking_cells_pkey primary key (account_id, test, carrier, transport_mode)
);
alter table landfall.tracking_cells enable row level security;
alter table landfall.tracking_cells force row level security;
create policy own_account on landfall.tracking_cells for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.tracking_cells for all to landfall_system using (true);
grant select, insert, update, delete on landfall.tracking_cells to landfall_app;
grant select, insert, update, delete on landfall.tracking_cells to landfall_system;

create table landfall.unreadable_events (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  raw jsonb not null,
  raw_hash bytea not null,
  reason text not null,
  seen_at timestamptz not null default now(),
  constraint unreadable_events_pkey primary key (account_id, id),
  constraint unreadable_events_unique unique (account_id, shipment_id, raw_hash),
  constraint unreadable_events_shipment foreign key (account_id, shipment_id) references landfall.shipments(account_id,
    id) on delete cascade
);
create index unreadable_events_by_seen_at on landfall.unreadable_events (seen_at);
alter table landfall.unreadable_events enable row level security;
alter table landfall.unreadable_events force row level security;
create policy own_account on landfall.unreadable_events for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.unreadable_events for all to landfall_system using (true);
grant select, insert, update, delete on landfall.unreadable_events to landfall_app;
grant select, insert, update, delete on landfall.unreadable_events to landfall_system;

create table landfall.vehicle_positions (
  account_id uuid not null,
  shipment_id uuid not null,
  lat double precision not null,
  lng double precision not null,
  at timestamptz not null,
  source text not null,
  vehicle jsonb,
  constraint vehicle_positions_pkey primary key (account_id, shipment_id),
  constraint vehicle_positions_account_id_shipment_id_fkey foreign key (account_id, shipment_id) references
    landfall.shipments(account_id, id) on delete cascade,
  constraint vehicle_positions_on_earth check ((((lat >= ('-90'::integer)::double precision) and (lat <= (90)::double
    precision)) and ((lng >= ('-180'::integer)::double precision) and (lng <= (180)::double precision)))),
  constraint vehicle_positions_source_length check ((length(source) <= 200)),
  constraint vehicle_positions_vehicle_size check ((octet_length((vehicle)::text) <= 2000))
);
alter table landfall.vehicle_positions enable row level security;
alter table landfall.vehicle_positions force row level security;
create policy own_account on landfall.vehicle_positions for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.vehicle_positions for all to landfall_system using (true);
grant select, insert, update on landfall.vehicle_positions to landfall_app;
grant select, insert, update, delete on landfall.vehicle_positions to landfall_system;

create table landfall.vessel_positions (
  imo text not null,
  simulated boolean not null,
  lat double precision not null,
  lng double precision not null,
  at timestamptz not null,
  source text not null,
  name text,
  constraint vessel_positions_pkey primary key (imo, simulated),
  constraint vessel_positions_name_length check ((length(name) <= 200)),
  constraint vessel_positions_on_earth check ((((lat >= ('-90'::integer)::double precision) and (lat <= (90)::double
    precision)) and ((lng >= ('-180'::integer)::double precision) and (lng <= (180)::double precision)))),
  constraint vessel_positions_source_length check ((length(source) <= 200))
);
alter table landfall.vessel_positions enable row level security;
alter table landfall.vessel_positions force row level security;
create policy everyone on landfall.vessel_positions for select to landfall_app using (true);
create policy system on landfall.vessel_positions for all to landfall_system using (true);
grant select on landfall.vessel_positions to landfall_app;
grant select, insert, update, delete on landfall.vessel_positions to landfall_system;

create table landfall.webhook_cursors (
  account_id uuid not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  epoch bigint not null default 0,
  lease_until timestamptz,
  retry_at timestamptz,
  failing_since timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  consecutive_failures integer not null default 0,
  constraint webhook_cursors_pkey primary key (account_id, endpoint_id),
  constraint webhook_cursors_endpoint foreign key (account_id, endpoint_id) references
    landfall.webhook_endpoints(account_id, id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 50, vacuum_truncate = off);
alter table landfall.webhook_cursors enable row level security;
alter table landfall.webhook_cursors force row level security;
create policy own_account on landfall.webhook_cursors for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.webhook_cursors for all to landfall_system using (true);
grant select, insert, update on landfall.webhook_cursors to landfall_app;
grant select, insert, update, delete on landfall.webhook_cursors to landfall_system;

create table landfall.webhook_deliveries (
  account_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default uuidv7(),
  sequence bigint,
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
  constraint webhook_deliveries_pkey primary key (account_id, endpoint_id, id),
  constraint webhook_deliveries_next_try check (((state = 'waiting') = (next_try_at is not null))),
  constraint webhook_deliveries_state_known check ((state = any (array['delivered', 'waiting', 'exhausted'])))
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02, vacuum_truncate = off);
create index webhook_deliveries_by_shipment
  on landfall.webhook_deliveries (account_id, shipment_id, endpoint_id, id)
  where (shipment_id is not null);
create index webhook_deliveries_old on landfall.webhook_deliveries (created_at) where (state = 'delivered');
create index webhook_deliveries_old_undelivered
  on landfall.webhook_deliveries (created_at)
  where (state <> 'delivered');
create unique index webhook_deliveries_once
  on landfall.webhook_deliveries (account_id, endpoint_id, sequence)
  where (sequence is not null);
create index webhook_deliveries_undelivered
  on landfall.webhook_deliveries (account_id, endpoint_id, id)
  where (state <> 'delivered');
create index webhook_deliveries_waiting
  on landfall.webhook_deliveries (account_id, endpoint_id, next_try_at)
  where (state = 'waiting');
alter table landfall.webhook_deliveries enable row level security;
alter table landfall.webhook_deliveries force row level security;
create policy own_account on landfall.webhook_deliveries for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.webhook_deliveries for all to landfall_system using (true);
grant select, insert, update on landfall.webhook_deliveries to landfall_app;
grant select, insert, update, delete on landfall.webhook_deliveries to landfall_system;

create table landfall.webhook_endpoints (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  url text not null,
  description text,
  types text[],
  filter jsonb,
  payload text not null default 'summary',
  api_version text not null default 'v1',
  header_names text[] not null default '{}'::text[],
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
  constraint webhook_endpoints_pkey primary key (account_id, id),
  constraint webhook_endpoints_account_id_fkey foreign key (account_id) references landfall.accounts(id) on delete
    cascade,
  constraint webhook_endpoints_description_length check (((length(description) >= 1) and (length(description) <= 500))),
  constraint webhook_endpoints_disabled_reason_known check ((disabled_reason = any (array['requested', 'gone',
    'failing', 'restored']))),
  constraint webhook_endpoints_disabled_whole check (((enabled = (disabled_at is null)) and (enabled = (disabled_reason
    is null)))),
  constraint webhook_endpoints_headers_whole check ((((headers_sealed is null) = (headers_key_version is null)) and
    ((headers_sealed is null) = (cardinality(header_names) = 0)))),
  constraint webhook_endpoints_ordering_known check ((ordering = any (array['none', 'shipment']))),
  constraint webhook_endpoints_payload_known check ((payload = any (array['summary', 'full', 'thin']))),
  constraint webhook_endpoints_previous_whole check ((((previous_sealed is null) = (previous_key_version is null)) and
    ((previous_sealed is null) = (previous_until is null)))),
  constraint webhook_endpoints_rate check (((rate_per_second >= 1) and (rate_per_second <= 1000))),
  constraint webhook_endpoints_timeout check (((timeout_s >= 1) and (timeout_s <= 30))),
  constraint webhook_endpoints_types_present check ((cardinality(types) > 0)),
  constraint webhook_endpoints_url_length check (((length(url) >= 1) and (length(url) <= 2048)))
);
alter table landfall.webhook_endpoints enable row level security;
alter table landfall.webhook_endpoints force row level security;
create policy own_account on landfall.webhook_endpoints for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.webhook_endpoints for all to landfall_system using (true);
grant select, insert, update, delete on landfall.webhook_endpoints to landfall_app;
grant select, insert, update, delete on landfall.webhook_endpoints to landfall_system;

create table landfall.webhook_replays (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  endpoint_id uuid not null,
  from_sequence bigint not null,
  to_sequence bigint not null,
  failed_only boolean not null default false,
  sequence bigint not null,
  queued bigint not null default 0,
  state text not null default 'running',
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  constraint webhook_replays_pkey primary key (account_id, id),
  constraint webhook_replays_endpoint foreign key (account_id, endpoint_id) references
    landfall.webhook_endpoints(account_id, id) on delete cascade,
  constraint webhook_replays_completed check (((state = 'running') = (completed_at is null))),
  constraint webhook_replays_range check (((from_sequence >= 0) and (from_sequence <= to_sequence))),
  constraint webhook_replays_state_known check ((state = any (array['running', 'done', 'cancelled'])))
);
create index webhook_replays_of_endpoint on landfall.webhook_replays (account_id, endpoint_id, id);
create index webhook_replays_old on landfall.webhook_replays (completed_at) where (completed_at is not null);
create unique index webhook_replays_running
  on landfall.webhook_replays (account_id, endpoint_id)
  where (state = 'running');
alter table landfall.webhook_replays enable row level security;
alter table landfall.webhook_replays force row level security;
create policy own_account on landfall.webhook_replays for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.webhook_replays for all to landfall_system using (true);
grant select, insert, update on landfall.webhook_replays to landfall_app;
grant select, insert, update, delete on landfall.webhook_replays to landfall_system;

create unlogged table landfall.worker_questions (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  question jsonb not null,
  key_version text,
  sealed bytea,
  traceparent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  taken_at timestamptz,
  answer jsonb,
  content bytea,
  constraint worker_questions_pkey primary key (account_id, id),
  constraint worker_questions_content_size check ((octet_length(content) <= 5242880)),
  constraint worker_questions_question_size check ((octet_length((question)::text) <= 16384)),
  constraint worker_questions_sealed_size check ((octet_length(sealed) <= 131072)),
  constraint worker_questions_sealed_whole check (((key_version is null) = (sealed is null))),
  constraint worker_questions_short_life check ((expires_at <= (created_at + '00:01:00'::interval)))
);
alter table landfall.worker_questions enable row level security;
alter table landfall.worker_questions force row level security;
create policy own_account on landfall.worker_questions for all to landfall_app
  using (account_id = (nullif(current_setting('landfall.account_id', true), ''))::uuid);
create policy system on landfall.worker_questions for all to landfall_system using (true);
grant insert, delete on landfall.worker_questions to landfall_app;
grant select, insert, update, delete on landfall.worker_questions to landfall_system;
grant select (account_id, id, kind, created_at, expires_at, taken_at, answer, content) on landfall.worker_questions to
  landfall_app;

create unlogged table landfall.workers (
  id uuid not null,
  seen_at timestamptz not null default now(),
  loop_delay_ms double precision,
  completed_at timestamptz,
  constraint workers_pkey primary key (id)
) with (fillfactor = 50);
alter table landfall.workers enable row level security;
alter table landfall.workers force row level security;
create policy system on landfall.workers for all to landfall_system using (true);
grant select, insert, update, delete on landfall.workers to landfall_system;

create table auth.claim (
  the_only boolean not null default true,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  constraint claim_pkey primary key (the_only),
  constraint claim_is_one check (the_only)
);
grant select, insert, update, delete on auth.claim to landfall_auth;

create table auth.invitations (
  id uuid not null default uuidv7(),
  organization_id uuid not null,
  email text not null,
  role text,
  status text not null default 'pending',
  token_hash bytea not null,
  expires_at timestamptz not null,
  inviter_id uuid not null,
  created_at timestamptz not null default now(),
  constraint invitations_pkey primary key (id),
  constraint invitations_token_unique unique (token_hash),
  constraint invitations_inviter_id_fkey foreign key (inviter_id) references auth.users(id) on delete cascade,
  constraint invitations_organization_id_fkey foreign key (organization_id) references auth.organizations(id) on delete
    cascade,
  constraint invitations_role_known check ((role = any (array['owner', 'member', 'viewer']))),
  constraint invitations_status_known check ((status = any (array['pending', 'accepted', 'rejected', 'canceled'])))
);
create index invitations_by_email on auth.invitations (email);
create index invitations_by_organization on auth.invitations (organization_id, created_at desc);
grant select, insert, update, delete on auth.invitations to landfall_auth;

create table auth.logins (
  id uuid not null default uuidv7(),
  user_id uuid not null,
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
  constraint logins_pkey primary key (id),
  constraint logins_of_provider unique (provider_id, account_id),
  constraint logins_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index logins_by_user on auth.logins (user_id);
grant select, insert, update, delete on auth.logins to landfall_auth;

create table auth.members (
  id uuid not null default uuidv7(),
  organization_id uuid not null,
  user_id uuid not null,
  role text not null default 'member',
  created_at timestamptz not null default now(),
  constraint members_pkey primary key (id),
  constraint members_once unique (organization_id, user_id),
  constraint members_organization_id_fkey foreign key (organization_id) references auth.organizations(id) on delete
    cascade,
  constraint members_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint members_role_known check ((role = any (array['owner', 'member', 'viewer'])))
);
create index members_by_user on auth.members (user_id);
create trigger members_keep_account_members after insert or delete on auth.members
  for each row
  execute function landfall.keep_account_members();
grant select, insert, update, delete on auth.members to landfall_auth;
grant select (organization_id, user_id, role) on auth.members to landfall_system;

create table auth.oauth_access_tokens (
  id uuid not null default uuidv7(),
  token text not null,
  client_id text not null,
  session_id uuid,
  user_id uuid not null,
  reference_id text not null,
  authorization_code_id text,
  refresh_id uuid,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  confirmation jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  revoked timestamptz,
  constraint oauth_access_tokens_pkey primary key (id),
  constraint oauth_access_tokens_token_unique unique (token),
  constraint oauth_access_tokens_client_id_fkey foreign key (client_id) references auth.oauth_clients(client_id) on
    delete cascade,
  constraint oauth_access_tokens_of_consent foreign key (client_id, user_id, reference_id) references
    auth.oauth_consents(client_id, user_id, reference_id) on delete cascade,
  constraint oauth_access_tokens_refresh_id_fkey foreign key (refresh_id) references auth.oauth_refresh_tokens(id) on
    delete cascade,
  constraint oauth_access_tokens_session_id_fkey foreign key (session_id) references auth.sessions(id) on delete set
    null,
  constraint oauth_access_tokens_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint oauth_access_tokens_token_hashed check ((token ~ '^[0-9a-f]{64}$'))
);
create index oauth_access_tokens_by_code on auth.oauth_access_tokens (authorization_code_id);
create index oauth_access_tokens_by_consent on auth.oauth_access_tokens (client_id, user_id, reference_id);
create index oauth_access_tokens_by_expiry on auth.oauth_access_tokens (expires_at);
create index oauth_access_tokens_by_refresh on auth.oauth_access_tokens (refresh_id);
create index oauth_access_tokens_by_session on auth.oauth_access_tokens (session_id) where (session_id is not null);
grant select, insert, update, delete on auth.oauth_access_tokens to landfall_auth;

create table auth.oauth_clients (
  id uuid not null default uuidv7(),
  client_id text not null,
  client_secret text,
  client_discovery_id text,
  disabled boolean default false,
  skip_consent boolean,
  enable_end_session boolean,
  subject_type text,
  scopes jsonb,
  client_credentials_scopes jsonb,
  user_id uuid,
  name text,
  uri text,
  icon text,
  contacts jsonb,
  tos text,
  policy text,
  software_id text,
  software_version text,
  software_statement text,
  redirect_uris jsonb not null,
  post_logout_redirect_uris jsonb,
  backchannel_logout_uri text,
  backchannel_logout_session_required boolean,
  token_endpoint_auth_method text,
  application_type text,
  jwks text,
  jwks_uri text,
  grant_types jsonb,
  response_types jsonb,
  require_pkce boolean,
  dpop_bound_access_tokens boolean default false,
  reference_id text,
  metadata jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  connected_at timestamptz,
  constraint oauth_clients_pkey primary key (id),
  constraint oauth_clients_client_id_unique unique (client_id),
  constraint oauth_clients_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint oauth_clients_are_public check ((client_secret is null)),
  constraint oauth_clients_client_id_length check ((length(client_id) <= 2000)),
  constraint oauth_clients_metadata_size check ((octet_length((metadata)::text) <= 16384)),
  constraint oauth_clients_need_consent check (((skip_consent is not true) and (user_id is null))),
  constraint oauth_clients_redirect_uris_size check ((octet_length((redirect_uris)::text) <= 16384))
);
create index oauth_clients_by_use on auth.oauth_clients (coalesce(connected_at, created_at));
grant select, insert, update, delete on auth.oauth_clients to landfall_auth;

create table auth.oauth_consents (
  id uuid not null default uuidv7(),
  client_id text not null,
  user_id uuid not null,
  reference_id text not null,
  account_id uuid not null default (split_part(reference_id, ':', 1))::uuid,
  key_id uuid not null default (split_part(reference_id, ':', 2))::uuid,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint oauth_consents_pkey primary key (id),
  constraint oauth_consents_once unique (client_id, user_id, reference_id),
  constraint oauth_consents_client_id_fkey foreign key (client_id) references auth.oauth_clients(client_id) on delete
    cascade,
  constraint oauth_consents_of_key foreign key (account_id, key_id) references landfall.api_keys(account_id, id) on
    delete cascade,
  constraint oauth_consents_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index oauth_consents_by_key on auth.oauth_consents (account_id, key_id);
create index oauth_consents_by_user on auth.oauth_consents (user_id, account_id);
grant select, insert, update, delete on auth.oauth_consents to landfall_auth;

create table auth.oauth_refresh_tokens (
  id uuid not null default uuidv7(),
  token text not null,
  client_id text not null,
  session_id uuid,
  user_id uuid not null,
  reference_id text not null,
  authorization_code_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  confirmation jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  revoked timestamptz,
  rotated_at timestamptz,
  rotation_replay_response text,
  rotation_replay_expires_at timestamptz,
  auth_time timestamptz,
  constraint oauth_refresh_tokens_pkey primary key (id),
  constraint oauth_refresh_tokens_token_unique unique (token),
  constraint oauth_refresh_tokens_client_id_fkey foreign key (client_id) references auth.oauth_clients(client_id) on
    delete cascade,
  constraint oauth_refresh_tokens_of_consent foreign key (client_id, user_id, reference_id) references
    auth.oauth_consents(client_id, user_id, reference_id) on delete cascade,
  constraint oauth_refresh_tokens_session_id_fkey foreign key (session_id) references auth.sessions(id) on delete set
    null,
  constraint oauth_refresh_tokens_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint oauth_refresh_tokens_token_hashed check ((token ~ '^[0-9a-f]{64}$'))
);
create index oauth_refresh_tokens_by_code on auth.oauth_refresh_tokens (authorization_code_id);
create index oauth_refresh_tokens_by_consent on auth.oauth_refresh_tokens (client_id, user_id, reference_id);
create index oauth_refresh_tokens_by_expiry on auth.oauth_refresh_tokens (expires_at);
create index oauth_refresh_tokens_by_session on auth.oauth_refresh_tokens (session_id) where (session_id is not null);
create index oauth_refresh_tokens_with_response
  on auth.oauth_refresh_tokens (rotation_replay_expires_at)
  where (rotation_replay_response is not null);
grant select, insert, update, delete on auth.oauth_refresh_tokens to landfall_auth;

create table auth.oauth_resources (
  id uuid not null default uuidv7(),
  identifier text not null,
  name text not null,
  access_token_ttl integer,
  refresh_token_ttl integer,
  signing_algorithm text,
  signing_key_id text,
  allowed_scopes jsonb,
  custom_claims jsonb,
  dpop_bound_access_tokens_required boolean default false,
  disabled boolean default false,
  policy_version integer default 1,
  metadata jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint oauth_resources_pkey primary key (id),
  constraint oauth_resources_identifier_unique unique (identifier)
);
grant select, insert, update, delete on auth.oauth_resources to landfall_auth;

create table auth.organizations (
  id uuid not null,
  name text not null,
  slug text not null,
  logo text,
  metadata text,
  created_at timestamptz not null default now(),
  runs_installation boolean not null default false,
  constraint organizations_pkey primary key (id),
  constraint organizations_slug_unique unique (slug),
  constraint organizations_id_fkey foreign key (id) references landfall.accounts(id) on delete cascade
);
grant select, insert, update, delete on auth.organizations to landfall_auth;

create table auth.sessions (
  id uuid not null default uuidv7(),
  user_id uuid not null,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  active_organization_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sessions_pkey primary key (id),
  constraint sessions_token_unique unique (token),
  constraint sessions_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint sessions_token_hashed check ((token ~ '^[0-9a-f]{64}$'))
);
create index sessions_by_user on auth.sessions (user_id, created_at desc);
grant select, insert, update, delete on auth.sessions to landfall_auth;

create table auth.signing_secret (
  the_only boolean not null default true,
  key_version text,
  secret bytea not null,
  constraint signing_secret_pkey primary key (the_only),
  constraint signing_secret_is_one check (the_only)
);
grant select, insert, update, delete on auth.signing_secret to landfall_auth;

create table auth.users (
  id uuid not null default uuidv7(),
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_unique unique (email),
  constraint users_email_lower check ((email = lower(email)))
);
create trigger users_keep_account_members after update of name on auth.users
  for each row
  when ((old.name is distinct from new.name))
  execute function landfall.keep_account_members();
grant select, insert, update, delete on auth.users to landfall_auth;
grant select (id, name, email) on auth.users to landfall_system;

create table auth.verifications (
  id uuid not null default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint verifications_pkey primary key (id)
);
create index verifications_by_expiry on auth.verifications (expires_at);
create index verifications_by_identifier on auth.verifications (identifier);
grant select, insert, update, delete on auth.verifications to landfall_auth;

create function landfall.admit_key_maker()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog'
as $$
begin
  perform from auth.members where organization_id = new.account_id and user_id = new.created_by for key share;
  if not found then
    raise exception 'the maker of the key is not a member of the account'
      using errcode = 'integrity_constraint_violation', constraint = 'api_keys_made_by_member';
  end if;
  return null;
end
$$;
revoke execute on function landfall.admit_key_maker() from public;

create function landfall.attention_from(has_exception boolean, overdue_at timestamptz, state text, reason text,
  last_succeeded_at timestamptz, tracking_since timestamptz)
  returns timestamptz
  language sql
  stable parallel safe
return least(case when (state <> 'stopped') then overdue_at else null::timestamptz end, case when (has_exception or
  (state = 'failed')) then '-infinity'::timestamptz when ((state = any (array['awaiting_carrier', 'degraded'])) and
  (reason = any (array['credentials_missing', 'carrier_auth_failed', 'data_withheld', 'not_found',
  'invalid_identifier', 'wrong_identifier_type', 'carrier_not_supported']))) then '-infinity'::timestamptz when (state
  = 'awaiting_carrier') then (greatest(tracking_since, last_succeeded_at) + '48:00:00'::interval) when (state =
  'degraded') then (greatest(tracking_since, last_succeeded_at) + '24:00:00'::interval) else null::timestamptz end);

create function landfall.count_changed_shipment()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
declare
  of_state text := 'queued';
  of_reason text := '';
begin
  select p.state, coalesce(p.reason, '') into of_state, of_reason
  from landfall.polling as p where p.account_id = old.account_id and p.shipment_id = old.id;
  if not found then
    of_state := 'queued';
    of_reason := '';
  end if;
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
    needs_attention, delta)
  values (old.account_id, old.test, old.archived_at is not null, old.status, of_state, old.has_exception, of_reason,
    old.needs_attention, -1);
  if tg_op = 'DELETE' then
    return old;
  end if;
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
    needs_attention, delta)
  values (new.account_id, new.test, new.archived_at is not null, new.status, of_state, new.has_exception, of_reason,
    new.needs_attention, 1);
  return null;
end
$$;

create function landfall.count_changed_state()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
declare
  subject record;
  from_state text := 'queued';
  from_reason text := '';
  to_state text := 'queued';
  to_reason text := '';
  from_at timestamptz;
begin
  if tg_op <> 'INSERT' then
    from_state := old.state;
    from_reason := coalesce(old.reason, '');
    select s.account_id, s.id, s.test, s.archived_at is not null as archived, s.status, s.has_exception,
      s.needs_attention, s.attention_at, s.created_at, s.overdue_from, s.late_from into subject
    from landfall.shipments as s where s.account_id = old.account_id and s.id = old.shipment_id
    for no key update;
  else
    select s.account_id, s.id, s.test, s.archived_at is not null as archived, s.status, s.has_exception,
      s.needs_attention, s.attention_at, s.created_at, s.overdue_from, s.late_from into subject
    from landfall.shipments as s where s.account_id = new.account_id and s.id = new.shipment_id
    for no key update;
  end if;
  -- A shipment that is removed with its polling row took its count along.
  if subject.account_id is null then
    return null;
  end if;
  if tg_op <> 'DELETE' then
    to_state := new.state;
    to_reason := coalesce(new.reason, '');
  end if;
  if from_state <> to_state or from_reason <> to_reason then
    insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
      needs_attention, delta)
    values
      (subject.account_id, subject.test, subject.archived, subject.status, from_state, subject.has_exception,
        from_reason, subject.needs_attention, -1),
      (subject.account_id, subject.test, subject.archived, subject.status, to_state, subject.has_exception, to_reason,
        subject.needs_attention, 1);
  end if;
  if tg_op <> 'DELETE' then
    from_at := landfall.attention_from(subject.has_exception,
      case when subject.overdue_from is not null then greatest(subject.late_from, subject.overdue_from) end,
      new.state, new.reason, new.last_succeeded_at, coalesce(new.tracking_since, subject.created_at));
    update landfall.shipments as s
    set needs_attention = coalesce(from_at <= now(), false), attention_at = case when from_at > now() then from_at end
    where s.account_id = subject.account_id and s.id = subject.id
      and (subject.needs_attention <> coalesce(from_at <= now(), false)
        or subject.attention_at is distinct from case when from_at > now() then from_at end);
  end if;
  return null;
end
$$;

create function landfall.count_new_shipments()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
    needs_attention, delta)
  select n.account_id, n.test, n.archived_at is not null, n.status, 'queued', n.has_exception, '', n.needs_attention,
    count(*)
  from new_shipments as n
  group by 1, 2, 3, 4, 6, 8;
  return null;
end
$$;

create function landfall.decide_attention()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
declare
  tracked record;
  from_at timestamptz;
begin
  select p.state, p.reason, p.last_succeeded_at, p.tracking_since into tracked
  from landfall.polling as p where p.account_id = new.account_id and p.shipment_id = new.id;
  from_at := landfall.attention_from(new.has_exception,
    case when new.overdue_from is not null then greatest(new.late_from, new.overdue_from) end,
    tracked.state, tracked.reason, tracked.last_succeeded_at, coalesce(tracked.tracking_since, new.created_at));
  new.needs_attention := coalesce(from_at <= now(), false);
  new.attention_at := case when from_at > now() then from_at end;
  return new;
end
$$;

create function landfall.find_by_words(of_test boolean, any_terms text[], all_patterns text[], any_patterns text[],
  max_rows integer)
  returns table(shipment_id uuid, created_at timestamptz)
  language plpgsql
  stable security definer
  set search_path to 'pg_catalog', 'landfall'
  set enable_seqscan to 'off'
as $$
declare
  ways text[] := '{}';
begin
  if cardinality(any_terms) > 0 then
    ways := ways || 'w.terms && $2';
  end if;
  -- Each pattern by itself, so that the index intersects them; `like all` would only be checked row by row.
  if cardinality(all_patterns) > 0 then
    ways := ways || (
      select '(' || string_agg(format('w.text like $3[%s]', n), ' and ') || ')'
      from generate_subscripts(all_patterns, 1) as n
    );
  end if;
  if cardinality(any_patterns) > 0 then
    ways := ways || 'w.text like any ($4)';
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
alter function landfall.find_by_words(boolean,text[],text[],text[],integer) owner to landfall_system;
revoke execute on function landfall.find_by_words(boolean,text[],text[],text[],integer) from public;
grant execute on function landfall.find_by_words(boolean,text[],text[],text[],integer) to landfall_app;

create function landfall.forget_app_rows(unused_hours integer, idle_days integer, at_most integer)
  returns bigint
  language plpgsql
  security definer
  set search_path to 'pg_catalog'
as $$
declare
  total bigint := 0;
  part bigint;
begin
  update auth.oauth_refresh_tokens set rotation_replay_response = null
  where id in (
    select id from auth.oauth_refresh_tokens
    where rotation_replay_response is not null and rotation_replay_expires_at <= now()
    limit at_most for update skip locked
  );
  delete from auth.verifications
  where id in (
    select id from auth.verifications where expires_at <= now() - interval '1 hour'
    order by expires_at limit at_most for update skip locked
  );
  get diagnostics part = row_count;
  total := total + part;
  delete from auth.oauth_access_tokens
  where id in (
    select id from auth.oauth_access_tokens where expires_at <= now() - interval '1 hour'
    order by expires_at limit at_most for update skip locked
  );
  get diagnostics part = row_count;
  total := total + part;
  delete from auth.oauth_refresh_tokens
  where id in (
    select id from auth.oauth_refresh_tokens where expires_at <= now()
    order by expires_at limit at_most for update skip locked
  );
  get diagnostics part = row_count;
  total := total + part;
  -- A consent without tokens: its code was not redeemed, or the app was idle for as long as a refresh token lives.
  delete from auth.oauth_consents
  where id in (
    select c.id from auth.oauth_consents as c
    where c.updated_at <= now() - interval '1 hour'
      and not exists (
        select from auth.oauth_refresh_tokens as r
        where r.client_id = c.client_id and r.user_id = c.user_id and r.reference_id = c.reference_id
      )
      and not exists (
        select from auth.oauth_access_tokens as t
        where t.client_id = c.client_id and t.user_id = c.user_id and t.reference_id = c.reference_id
      )
    limit at_most for update skip locked
  );
  get diagnostics part = row_count;
  total := total + part;
  delete from auth.oauth_clients
  where id in (
    select c.id from auth.oauth_clients as c
    where coalesce(c.connected_at, c.created_at) <= now() - make_interval(hours => unused_hours)
      and (c.connected_at is null or c.connected_at <= now() - make_interval(days => idle_days))
      and not exists (select from auth.oauth_consents as o where o.client_id = c.client_id)
    order by coalesce(c.connected_at, c.created_at) limit at_most for update skip locked
  );
  get diagnostics part = row_count;
  return total + part;
end
$$;
revoke execute on function landfall.forget_app_rows(integer,integer,integer) from public;
grant execute on function landfall.forget_app_rows(integer,integer,integer) to landfall_system;

create function landfall.forget_journey_text()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  new.journey_text := null;
  new.journey_shape := null;
  return new;
end
$$;

create function landfall.forget_measures()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  with gone as (
    delete from landfall.shipment_measures as f
    where f.account_id = old.account_id and f.shipment_id = old.id
    returning f.account_id, f.test, f.carrier, f.arrived_day, f.registered_day
  )
  insert into landfall.stale_cells (account_id, test, carrier, arrived_day, registered_day)
  select account_id, test, carrier, arrived_day, registered_day from gone;
  return old;
end
$$;
revoke execute on function landfall.forget_measures() from public;
grant execute on function landfall.forget_measures() to landfall_app;
grant execute on function landfall.forget_measures() to landfall_system;

create function landfall.forget_packed_journey()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  if new.record ? 'events' then
    new.packed_journey := null;
  else
    new.journey_shape := null;
  end if;
  return new;
end
$$;
revoke execute on function landfall.forget_packed_journey() from public;

create function landfall.freshness(state text, last_succeeded_at timestamptz, stale_at timestamptz)
  returns text
  language sql
  stable parallel safe
return case when landfall.has_freshness('final', state, last_succeeded_at, stale_at) then 'final' when
  landfall.has_freshness('never', state, last_succeeded_at, stale_at) then 'never' when landfall.has_freshness('stale',
  state, last_succeeded_at, stale_at) then 'stale' else 'fresh' end;

create function landfall.give_sequences(batch_size integer, out sequenced integer, out account_ids uuid[])
  returns record
  language plpgsql
as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('landfall.sequence_changes', 0)) then
    return;
  end if;
  -- A statement of its own: its snapshot is younger than the lock, so it sees all that the sequencer before gave.
  -- `write_order` follows each shipment's row lock, so a visible change never overtakes an earlier one of its shipment.
  with waiting as (
    select c.account_id, c.write_order from landfall.changes as c
    where c.sequence is null order by c.write_order limit batch_size
  ),
  counted as (
    insert into landfall.account_feeds as f (account_id, given)
    select w.account_id, count(*) from waiting as w group by w.account_id order by w.account_id
    on conflict (account_id) do update set given = f.given + excluded.given
    returning f.account_id, f.given
  ),
  numbered as (
    select
      w.account_id, w.write_order,
      f.given - count(*) over (partition by w.account_id)
        + row_number() over (partition by w.account_id order by w.write_order) as sequence
    from waiting as w
    join counted as f on f.account_id = w.account_id
  ),
  done as (
    update landfall.changes as c
    set sequence = n.sequence
    from numbered as n
    -- The range keeps a join from reading and sorting everything that waits.
    where c.account_id = n.account_id and c.write_order = n.write_order and c.sequence is null
      and c.write_order between (select min(w.write_order) from waiting as w)
        and (select max(w.write_order) from waiting as w)
    returning c.account_id
  )
  select count(*), coalesce(array_agg(distinct d.account_id), '{}') into sequenced, account_ids from done as d;
  if sequenced > 0 then
    perform pg_notify(
      'landfall_feed',
      case when cardinality(account_ids) <= 200 then array_to_string(account_ids, ',') else '' end
    );
  end if;
end
$$;
revoke execute on function landfall.give_sequences(integer) from public;
grant execute on function landfall.give_sequences(integer) to landfall_system;

create function landfall.has_freshness(wanted text, state text, last_succeeded_at timestamptz, stale_at timestamptz)
  returns boolean
  language sql
  stable parallel safe
return case wanted when 'final' then (state = any (array['completed', 'stopped'])) when 'never' then ((state <> all
  (array['completed', 'stopped'])) and (last_succeeded_at is null)) when 'stale' then ((state <> all
  (array['completed', 'stopped'])) and (last_succeeded_at is not null) and (stale_at <= now())) when 'fresh' then
  ((state <> all (array['completed', 'stopped'])) and (last_succeeded_at is not null) and ((stale_at <= now()) is not
  true)) else null::boolean end;

create function landfall.index_changed_tags()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
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

create function landfall.index_changed_words()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  update landfall.shipment_search
  set text = new.search_text, terms = new.search_terms
  where account_id = new.account_id and shipment_id = new.id;
  return null;
end
$$;

create function landfall.index_new_shipments()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  with words as (
    insert into landfall.shipment_search (account_id, shipment_id, test, created_at, text, terms)
    select n.account_id, n.id, n.test, n.created_at, n.search_text, n.search_terms
    from new_shipments as n
  )
  insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
  select distinct n.account_id, n.test, t.tag, n.created_at, n.id
  from new_shipments as n cross join unnest(n.tags) as t (tag);
  return null;
end
$$;

create function landfall.index_references()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  if tg_op <> 'INSERT' then
    delete from landfall.shipment_references
    where account_id = old.account_id and test = old.test and reference = any (old.reference_list[2:])
      and shipment_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into landfall.shipment_references (account_id, test, reference, shipment_id)
    select distinct new.account_id, new.test, r.reference, new.id from unnest(new.reference_list[2:]) as r (reference);
  end if;
  return null;
end
$$;

create function landfall.keep_account_members()
  returns trigger
  language plpgsql
  security definer
  set search_path to 'pg_catalog', 'pg_temp'
as $$
begin
  if tg_table_name = 'users' then
    update landfall.account_members set name = new.name where user_id = new.id and left_at is null;
  elsif tg_op = 'INSERT' then
    insert into landfall.account_members (account_id, user_id, name)
    select new.organization_id, u.id, u.name from auth.users as u where u.id = new.user_id
    on conflict (account_id, user_id) do update set name = excluded.name, left_at = null, released_at = null;
  else
    -- An assignment under way holds this row by its foreign key: the release sees it, or it sees that the member left.
    perform from landfall.account_members
    where account_id = old.organization_id and user_id = old.user_id
    for update;
    update landfall.account_members set left_at = now(), released_at = null
    where account_id = old.organization_id and user_id = old.user_id;
  end if;
  return null;
end
$$;
alter function landfall.keep_account_members() owner to landfall_system;
revoke execute on function landfall.keep_account_members() from public;

create function landfall.keep_trace_partitions(days_ahead integer, kept interval)
  returns integer
  language plpgsql
  security definer
  set search_path to 'landfall', 'pg_temp'
  set lock_timeout to '1s'
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
revoke execute on function landfall.keep_trace_partitions(integer,interval) from public;
grant execute on function landfall.keep_trace_partitions(integer,interval) to landfall_system;

create function landfall.overdue_hours(overdue_from timestamptz)
  returns integer
  language sql
  stable parallel safe
return case when (overdue_from <= now()) then (floor((extract(epoch from (now() - overdue_from)) /
  (3600)::numeric)))::integer else null::integer end;

create function landfall.protect_table(of_table regclass, for_system text default 'select, insert, update, delete',
  for_app text default null::text, account_column name default 'account_id'::name)
  returns void
  language plpgsql
  set search_path to 'pg_catalog'
as $$
begin
  execute format('alter table %s enable row level security', of_table);
  execute format('alter table %s force row level security', of_table);
  execute format('create policy system on %s for all to landfall_system using (true)', of_table);
  execute format('grant %s on %s to landfall_system', for_system, of_table);
  if for_app is not null then
    execute format(
      'create policy own_account on %s for %s to landfall_app
        using (%I = nullif(current_setting(''landfall.account_id'', true), '''')::uuid)',
      of_table, case for_app when 'select' then 'select' else 'all' end, account_column
    );
    execute format('grant %s on %s to landfall_app', for_app, of_table);
  end if;
end
$$;
revoke execute on function landfall.protect_table(regclass,text,text,name) from public;

create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
  returns table(place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier
    text, carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code
    text, status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
    archived_at timestamptz, version bigint, overdue_hours integer, late boolean, stale_after_hours smallint, state
    text, reason text, source text, last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at
    timestamptz, next_refresh_at timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean,
    needs_attention boolean, freshness text, packed_journey bytea, journey_text text, record jsonb, current_position
    jsonb, assignee jsonb, notes_count integer, reference_list text[])
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
#variable_conflict use_column
begin
  for turn in 1 .. cardinality(of_ids) loop
    perform set_config('landfall.account_id', of_accounts[turn]::text, true);
    return query
      select turn, s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name,
        s.identifiers, s.reference, s.tags, s.metadata, s.destination_postal_code, s.status,
        s.status_changed_at::timestamptz, s.warnings, s.created_at::timestamptz, s.updated_at::timestamptz,
        s.archived_at, s.version, landfall.overdue_hours(s.overdue_from), coalesce(s.late_from <= now(), false),
        p.stale_after_hours, p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at,
        p.next_refresh_at, p.consecutive_failures, p.trace_id, p.trace_kept, s.needs_attention,
        landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
        coalesce(s.packed_journey, (
          select h.packed from landfall.settled_shipments as h
          where s.settled_at is not null and h.account_id = s.account_id and h.shipment_id = s.id
        )),
        case when read.has_text then s.journey_text end,
        case when not read.has_text then s.record end,
        (
          select jsonb_build_object('lat', l.lat, 'lng', l.lng, 'at', l.at, 'source', l.source, 'vehicle', l.vehicle)
          from (
            select v.lat, v.lng, v.at, v.source, v.vehicle
            from landfall.vehicle_positions as v
            where v.account_id = s.account_id and v.shipment_id = s.id
              and v.at >= coalesce(s.last_event_at, '-infinity')
            union all
            select w.lat, w.lng, w.at, w.source,
              jsonb_build_object('name', w.name, 'imo', w.imo, 'voyage', null, 'flight', null)
            from landfall.vessel_positions as w
            where w.imo = s.vessel_imo and w.simulated = coalesce(starts_with(p.source, 'simulator:'), false)
          ) as l
          where s.closed_at is null
          order by l.at desc
          limit 1
        ),
        (
          select jsonb_build_object('userId', a.user_id, 'name', a.name) from landfall.account_members as a
          where a.account_id = s.account_id and a.user_id = s.assignee_id
        ),
        s.notes_count,
        s.reference_list
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      cross join lateral (
        select coalesce(s.journey_shape = with_shapes[turn], false)
          and num_nonnulls(s.packed_journey, s.journey_text) > 0 as has_text
      ) as read
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;
revoke execute on function landfall.read_records(uuid[],uuid[],boolean[],smallint[]) from public;
grant execute on function landfall.read_records(uuid[],uuid[],boolean[],smallint[]) to landfall_app;

create function landfall.start_feed_generation()
  returns void
  language sql
as $$
  insert into landfall.account_feeds as f (account_id, given, skipped)
  select a.id, g.start, int8multirange(int8range(coalesce(e.given, 0) + 1, g.start))
  from landfall.accounts as a
  left join landfall.account_feeds as e on e.account_id = a.id
  cross join lateral (
    select greatest(
      (coalesce(e.given, 0) / 1000000000 + 1) * 1000000000,
      floor(extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00:00Z') * 1000000)::bigint
    ) as start
  ) as g
  on conflict (account_id) do update set given = excluded.given, skipped = f.skipped + excluded.skipped;
$$;
revoke execute on function landfall.start_feed_generation() from public;
grant execute on function landfall.start_feed_generation() to landfall_system;

create function landfall.take_tokens(bucket_key text, capacity double precision, per_ms double precision, wanted double
  precision, keep double precision, forced boolean, close_ms double precision)
  returns table(granted double precision, tokens double precision, closed_ms double precision)
  language plpgsql
  set search_path to 'landfall', 'pg_temp'
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
revoke execute on function landfall.take_tokens(text,double precision,double precision,double precision,double
  precision,boolean,double precision) from public;
grant execute on function landfall.take_tokens(text,double precision,double precision,double precision,double
  precision,boolean,double precision) to landfall_system;
