-- Saved views and alerts. A saved view is a named list of shipments: `filter` is the filter of the list as the API takes
-- it, `search` the state of the list in the dashboard. `filter` null: the list depends on the day on which it is read.
-- `owner_id` null: the member who shared it was removed.
create table landfall.saved_views (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
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
  primary key (account_id, id),
  constraint saved_views_owner foreign key (account_id, owner_id)
    references auth.members (organization_id, user_id) on delete set null (owner_id),
  constraint saved_views_name_length check (length(name) between 1 and 60),
  constraint saved_views_size check (octet_length(search::text) <= 65536 and octet_length(filter::text) <= 65536)
);
create unique index saved_views_once on landfall.saved_views (account_id, test, owner_id, lower(name));
-- A private view of a removed member.
create index saved_views_left on landfall.saved_views (account_id, id) where owner_id is null and not shared;
select landfall.protect_table('landfall.saved_views', for_app => 'select, insert, update, delete');

-- How a member hears of alerts. `mail_token`: proves in links of mails that the reader received them.
create table landfall.alert_people (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  user_id uuid not null,
  time_zone text not null default 'UTC',
  digest_hour smallint not null default 7,
  channels text[] not null default '{email}',
  timing text not null default 'at_once',
  quiet_from smallint,
  quiet_to smallint,
  notices boolean not null default true,
  mail_off_at timestamptz(3),
  mail_token bytea not null,
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, user_id),
  constraint alert_people_member foreign key (account_id, user_id)
    references auth.members (organization_id, user_id) on delete cascade,
  constraint alert_people_zone_length check (length(time_zone) between 1 and 64),
  constraint alert_people_digest_hour check (digest_hour between 0 and 23),
  constraint alert_people_channels_known check (channels <@ '{email,slack,teams,webhook}'),
  constraint alert_people_timing_known check (timing in ('at_once', 'hourly', 'daily', 'weekdays')),
  constraint alert_people_quiet check (
    (quiet_from is null) = (quiet_to is null)
    and (quiet_from is null or (quiet_from between 0 and 23 and quiet_to between 0 and 23 and quiet_from <> quiet_to))
  ),
  constraint alert_people_token_size check (octet_length(mail_token) = 16)
);
select landfall.protect_table('landfall.alert_people', for_app => 'select, insert, update, delete');

-- Where a member gets messages besides e-mail. The address is a secret of Slack and Teams; `secret_sealed` signs webhooks.
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
  primary key (account_id, user_id, kind),
  constraint alert_channels_person foreign key (account_id, user_id)
    references landfall.alert_people (account_id, user_id) on delete cascade,
  constraint alert_channels_kind_known check (kind in ('slack', 'teams', 'webhook')),
  constraint alert_channels_secret_whole check (
    (secret_sealed is null) = (secret_key_version is null) and (secret_sealed is not null) = (kind = 'webhook')
  )
);
create unique index alert_channels_by_id on landfall.alert_channels (id);
select landfall.protect_table('landfall.alert_channels', for_app => 'select, insert, update, delete');

-- What a member wants to hear of: the shipments of a saved view, or one shipment. Changes up to `from_position` are old.
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
  from_position bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  constraint alerts_person foreign key (account_id, user_id)
    references landfall.alert_people (account_id, user_id) on delete cascade,
  constraint alerts_view foreign key (account_id, view_id)
    references landfall.saved_views (account_id, id) on delete cascade,
  constraint alerts_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint alerts_of_one check (num_nonnulls(view_id, shipment_id) = 1),
  constraint alerts_channels_known check (
    channels <@ '{email,slack,teams,webhook}' and (cardinality(channels) > 0 or paused_at is not null)
  ),
  constraint alerts_timing_known check (timing in ('at_once', 'hourly', 'daily', 'weekdays'))
);
create index alerts_of_person on landfall.alerts (account_id, user_id, id);
create index alerts_active on landfall.alerts (account_id, test, id) where paused_at is null;
create index alerts_of_view on landfall.alerts (account_id, view_id) where view_id is not null;
create index alerts_of_shipment on landfall.alerts (account_id, shipment_id) where shipment_id is not null;
select landfall.protect_table('landfall.alerts', for_app => 'select, insert, update, delete');

-- Each change of the feed up to `position` has been judged by the alerts of its mode. `swept_at`: what happens by time
-- alone has been judged up to then.
create table landfall.alert_cursors (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  test boolean not null,
  position bigint not null,
  epoch bigint not null default 0,
  lease_until timestamptz,
  swept_at timestamptz not null,
  primary key (account_id, test)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);
create index alert_cursors_by_sweep on landfall.alert_cursors (swept_at);
select landfall.protect_table('landfall.alert_cursors', for_app => 'select, insert, update');

-- Since when tracking of a shipment fails, for accounts with alerts.
create table landfall.alert_failing (
  account_id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  since timestamptz not null,
  primary key (account_id, shipment_id),
  constraint alert_failing_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);
create index alert_failing_by_since on landfall.alert_failing (account_id, test, since);
select landfall.protect_table('landfall.alert_failing', for_app => 'select, insert, update, delete');

-- The outbox: one thing that one member is told by one channel. `key` names the change, or what happened by time alone.
create table landfall.alert_entries (
  account_id uuid not null,
  user_id uuid not null,
  channel text not null,
  key text not null,
  test boolean not null,
  timing text not null,
  due_at timestamptz not null,
  alert_ids uuid[] not null default '{}',
  shipment_id uuid,
  facts jsonb not null,
  message_id uuid,
  created_at timestamptz not null default now(),
  primary key (account_id, user_id, channel, key),
  constraint alert_entries_person foreign key (account_id, user_id)
    references landfall.alert_people (account_id, user_id) on delete cascade
);
create index alert_entries_waiting on landfall.alert_entries (account_id, user_id, channel, test, timing, due_at)
  where message_id is null;
create index alert_entries_of_message on landfall.alert_entries (account_id, message_id, created_at)
  where message_id is not null;
create index alert_entries_of_shipment on landfall.alert_entries (account_id, shipment_id) where shipment_id is not null;
create index alert_entries_old on landfall.alert_entries (created_at);
select landfall.protect_table('landfall.alert_entries', for_app => 'select, insert, update, delete');

-- Entries of a member with one channel, mode and timing go out together. `held_until`: after a flood, or many messages
-- since `counted_from`, the next one waits.
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
  primary key (account_id, user_id, channel, test, timing),
  constraint alert_mailboxes_person foreign key (account_id, user_id)
    references landfall.alert_people (account_id, user_id) on delete cascade
);
create index alert_mailboxes_due on landfall.alert_mailboxes (due_at) where due_at is not null;
select landfall.protect_table('landfall.alert_mailboxes', for_app => 'select, insert, update');

-- A message and how its sending went. A worker that sends it has its lease at its epoch.
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
  primary key (account_id, id),
  constraint alert_messages_person foreign key (account_id, user_id)
    references landfall.alert_people (account_id, user_id) on delete cascade,
  constraint alert_messages_kind_known check (kind in ('changes', 'trial')),
  constraint alert_messages_state_known check (state in ('waiting', 'sent', 'failed', 'dropped')),
  constraint alert_messages_next_try check ((state = 'waiting') = (next_try_at is not null))
);
create index alert_messages_waiting on landfall.alert_messages (next_try_at) where state = 'waiting';
create index alert_messages_of_person on landfall.alert_messages (account_id, user_id, id);
create index alert_messages_old on landfall.alert_messages (created_at) where state <> 'waiting';
select landfall.protect_table('landfall.alert_messages', for_app => 'select, insert, update');

-- Workers send to members at the address that they sign in with, and to nobody who is none any more. They read nothing
-- else of people.
grant usage on schema auth to landfall_system;
grant select (organization_id, user_id, role) on auth.members to landfall_system;
grant select (id, name, email) on auth.users to landfall_system;

-- What the owners of an account are told apart from its shipments, once for each key.
create table landfall.alert_notices (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  key text not null,
  kind text not null,
  test boolean not null,
  facts jsonb not null,
  created_at timestamptz not null default now(),
  told_at timestamptz,
  primary key (account_id, key)
);
create index alert_notices_untold on landfall.alert_notices (created_at) where told_at is null;
create index alert_notices_old on landfall.alert_notices (created_at) where told_at is not null;
select landfall.protect_table('landfall.alert_notices', for_app => 'select, insert, update');
