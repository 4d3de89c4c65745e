-- Carriers whose address the workers are configured with, written by themselves. It says which carriers that publish no
-- address can be called; the addresses themselves stay in the configuration.
create table landfall.carrier_addresses (
  connector text primary key
);

alter table landfall.carrier_addresses enable row level security;
alter table landfall.carrier_addresses force row level security;
create policy everyone on landfall.carrier_addresses for select to landfall_app using (true);
create policy system on landfall.carrier_addresses for all to landfall_system using (true);
grant select on landfall.carrier_addresses to landfall_app;
grant select, insert, update, delete on landfall.carrier_addresses to landfall_system;

-- Credentials to try with one call to the carrier. A request writes a row and waits for its answer; a worker takes it,
-- which removes the sealed credentials, and writes the answer. Rows live for seconds, and unlogged, so that no log keeps
-- what was entered. `sealed` null: the account's stored credentials. The request role writes it and can never read it.
create unlogged table landfall.credential_checks (
  account_id uuid not null,
  id uuid not null,
  carrier text not null,
  connector text not null,
  key_version text,
  sealed bytea,
  created_at timestamptz not null default now(),
  taken_at timestamptz,
  answer jsonb,
  primary key (account_id, id),
  constraint credential_checks_sealed_size check (octet_length(sealed) <= 131072),
  constraint credential_checks_sealed_whole check ((key_version is null) = (sealed is null))
);

select landfall.protect_table('landfall.credential_checks', for_app => '
  select (account_id, id, carrier, connector, created_at, taken_at, answer), insert, delete
');
