-- What an account uses at a carrier. `sealed` is for the workers alone: the request role writes it and can never read it. A row whose
-- credentials were removed stays, empty, so that its version goes on.
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

-- What the workers are configured with for each connector, told by themselves; no secret of it. `accounts` is whom it serves; simulated
-- carriers serve everybody. A changed configuration has another fingerprint, which ends a suspension.
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

-- Credentials have changed: the shipments that waited for some are due. By account and carrier, or, for the instance's, by connector.
create table landfall.credential_wakes (
  id uuid primary key default uuidv7(),
  account_id uuid,
  carrier text,
  connector text,
  created_at timestamptz not null default now(),
  constraint credential_wakes_whom check (
    (account_id is not null and carrier is not null and connector is null) or (account_id is null and carrier is null and connector is not null)
  )
);

create index polling_waiting_credentials on landfall.polling (account_id, connector)
  where reason in ('credentials_missing', 'carrier_auth_failed') and next_refresh_at is not null;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['carrier_credentials', 'instance_credentials', 'credential_wakes'] loop
    execute format('alter table landfall.%I enable row level security', table_name);
    execute format('alter table landfall.%I force row level security', table_name);
    execute format('create policy system on landfall.%I for all to landfall_system using (true)', table_name);
    execute format('grant select, insert, update, delete on landfall.%I to landfall_system', table_name);
  end loop;
end
$$;

create policy own_account on landfall.carrier_credentials for all to landfall_app
  using (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
grant select (
  account_id, carrier, id, connector, fields, key_version, version, created_at, updated_at, removed_at, suspended_at, suspended_reason, probe_at
) on landfall.carrier_credentials to landfall_app;
grant insert, update, delete on landfall.carrier_credentials to landfall_app;

create policy serves_account on landfall.instance_credentials for select to landfall_app
  using (simulated or nullif(current_setting('landfall.account_id', true), '')::uuid = any (accounts));
grant select (connector, simulated, fields, updated_at, suspended_at, suspended_reason) on landfall.instance_credentials to landfall_app;

create policy own_account on landfall.credential_wakes for insert to landfall_app
  with check (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
grant insert on landfall.credential_wakes to landfall_app;
