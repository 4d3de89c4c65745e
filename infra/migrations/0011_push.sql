-- Where carriers send events to. `id` and the random `token` make the callback's address; what proves the sender is the signature.
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
  -- Taken beside the present secret. `previous_until` null: the carrier has not yet confirmed the present one.
  previous_key_version text,
  previous_sealed bytea,
  previous_until timestamptz,
  state text not null default 'requested',
  reason text,
  failures integer not null default 0,
  -- When to look after it next; a worker that does so adds one to the epoch, and what an older epoch writes is refused.
  check_at timestamptz not null default now(),
  epoch bigint not null default 0,
  created_at timestamptz not null default now(),
  -- The first delivery whose signature was right: from then on the shipments are looked at less often.
  verified_at timestamptz,
  last_delivery_at timestamptz,
  ended_at timestamptz,
  primary key (account_id, id),
  constraint push_subscriptions_state_known check (state in ('requested', 'active', 'failed', 'ended')),
  constraint push_subscriptions_token_length check (length(token) = 32),
  constraint push_subscriptions_previous_whole check ((previous_sealed is null) = (previous_key_version is null))
);

create unique index push_subscriptions_one_each on landfall.push_subscriptions (account_id, connector, credential_id) where state <> 'ended';
create unique index push_subscriptions_by_id on landfall.push_subscriptions (id);
create index push_subscriptions_to_check on landfall.push_subscriptions (check_at) where state <> 'ended';

-- What was received, as it came. The same body for the same subscription is kept once: carriers send again what they think was lost.
create table landfall.push_deliveries (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  subscription_id uuid not null,
  body bytea not null,
  body_hash bytea not null,
  received_at timestamptz not null default now(),
  state text not null default 'received',
  attempts integer not null default 0,
  -- From when on a worker may take it: also the end of the time that one has for it.
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
);

create index push_deliveries_pending on landfall.push_deliveries (account_id, id) where state = 'received';
create index push_deliveries_by_received_at on landfall.push_deliveries (received_at) where state <> 'received';

do $$
declare
  table_name text;
begin
  foreach table_name in array array['push_subscriptions', 'push_deliveries'] loop
    execute format('alter table landfall.%I enable row level security', table_name);
    execute format('alter table landfall.%I force row level security', table_name);
    execute format(
      'create policy own_account on landfall.%I for all to landfall_app using (account_id = nullif(current_setting(''landfall.account_id'', true), '''')::uuid)',
      table_name
    );
    execute format('create policy system on landfall.%I for all to landfall_system using (true)', table_name);
  end loop;
end
$$;

grant select, insert, update, delete on landfall.push_subscriptions to landfall_system;
-- The request role notes that a delivery came, and can read neither the secrets nor the addresses.
grant select (account_id, id, verified_at, last_delivery_at), update (verified_at, last_delivery_at) on landfall.push_subscriptions to landfall_app;
-- Nobody rewrites what a carrier sent.
grant select, insert on landfall.push_deliveries to landfall_app;
grant select, delete, update (state, attempts, retry_at, processed_at, events, shipments, reason) on landfall.push_deliveries to landfall_system;
