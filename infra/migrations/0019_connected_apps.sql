-- Apps that people connect to an account through OAuth. The tables are those of @better-auth/oauth-provider and live in
-- the room of sign-in, which only landfall_auth sees. Clients are public: none has a secret.
create table auth.oauth_clients (
  id uuid primary key default uuidv7(),
  client_id text not null,
  client_secret text,
  -- How the client was found: `cimd`, by the document at its id. Null: it registered itself.
  client_discovery_id text,
  disabled boolean default false,
  skip_consent boolean,
  enable_end_session boolean,
  subject_type text,
  scopes jsonb,
  client_credentials_scopes jsonb,
  user_id uuid references auth.users (id) on delete cascade,
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
  -- When somebody last connected it. Null: never, and it is forgotten soon.
  connected_at timestamptz,
  constraint oauth_clients_client_id_unique unique (client_id),
  constraint oauth_clients_client_id_length check (length(client_id) <= 2000),
  constraint oauth_clients_are_public check (client_secret is null),
  constraint oauth_clients_need_consent check (skip_consent is not true and user_id is null),
  constraint oauth_clients_redirect_uris_size check (octet_length(redirect_uris::text) <= 16384),
  constraint oauth_clients_metadata_size check (octet_length(metadata::text) <= 16384)
);

create index oauth_clients_by_use on auth.oauth_clients (coalesce(connected_at, created_at));

-- What tokens are issued for: the address of the endpoint.
create table auth.oauth_resources (
  id uuid primary key default uuidv7(),
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
  constraint oauth_resources_identifier_unique unique (identifier)
);

-- A connected app: a client that a user lets use one key. `reference_id` is `<account>:<key>`, and the row ends with
-- the key's.
create table auth.oauth_consents (
  id uuid primary key default uuidv7(),
  client_id text not null references auth.oauth_clients (client_id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  reference_id text not null,
  account_id uuid not null generated always as (split_part(reference_id, ':', 1)::uuid) stored,
  key_id uuid not null generated always as (split_part(reference_id, ':', 2)::uuid) stored,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint oauth_consents_once unique (client_id, user_id, reference_id),
  constraint oauth_consents_of_key foreign key (account_id, key_id)
    references landfall.api_keys (account_id, id) on delete cascade
);

create index oauth_consents_by_key on auth.oauth_consents (account_id, key_id);
create index oauth_consents_by_user on auth.oauth_consents (user_id, account_id);

-- Tokens are hashes. `rotation_replay_response` is encrypted, and removed when it can no longer be asked for.
create table auth.oauth_refresh_tokens (
  id uuid primary key default uuidv7(),
  token text not null,
  client_id text not null references auth.oauth_clients (client_id) on delete cascade,
  session_id uuid references auth.sessions (id) on delete set null,
  user_id uuid not null references auth.users (id) on delete cascade,
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
  constraint oauth_refresh_tokens_token_unique unique (token),
  constraint oauth_refresh_tokens_token_hashed check (token ~ '^[0-9a-f]{64}$'),
  constraint oauth_refresh_tokens_of_consent foreign key (client_id, user_id, reference_id)
    references auth.oauth_consents (client_id, user_id, reference_id) on delete cascade
);

create index oauth_refresh_tokens_by_consent on auth.oauth_refresh_tokens (client_id, user_id, reference_id);
create index oauth_refresh_tokens_by_session on auth.oauth_refresh_tokens (session_id) where session_id is not null;
create index oauth_refresh_tokens_by_code on auth.oauth_refresh_tokens (authorization_code_id);
create index oauth_refresh_tokens_by_expiry on auth.oauth_refresh_tokens (expires_at);
create index oauth_refresh_tokens_with_response on auth.oauth_refresh_tokens (rotation_replay_expires_at)
  where rotation_replay_response is not null;

create table auth.oauth_access_tokens (
  id uuid primary key default uuidv7(),
  token text not null,
  client_id text not null references auth.oauth_clients (client_id) on delete cascade,
  session_id uuid references auth.sessions (id) on delete set null,
  user_id uuid not null references auth.users (id) on delete cascade,
  reference_id text not null,
  authorization_code_id text,
  refresh_id uuid references auth.oauth_refresh_tokens (id) on delete cascade,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  confirmation jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  revoked timestamptz,
  constraint oauth_access_tokens_token_unique unique (token),
  constraint oauth_access_tokens_token_hashed check (token ~ '^[0-9a-f]{64}$'),
  constraint oauth_access_tokens_of_consent foreign key (client_id, user_id, reference_id)
    references auth.oauth_consents (client_id, user_id, reference_id) on delete cascade
);

create index oauth_access_tokens_by_consent on auth.oauth_access_tokens (client_id, user_id, reference_id);
create index oauth_access_tokens_by_session on auth.oauth_access_tokens (session_id) where session_id is not null;
create index oauth_access_tokens_by_code on auth.oauth_access_tokens (authorization_code_id);
create index oauth_access_tokens_by_refresh on auth.oauth_access_tokens (refresh_id);
create index oauth_access_tokens_by_expiry on auth.oauth_access_tokens (expires_at);

create index verifications_by_expiry on auth.verifications (expires_at);

grant select, insert, update, delete on auth.oauth_clients, auth.oauth_resources, auth.oauth_consents,
  auth.oauth_refresh_tokens, auth.oauth_access_tokens to landfall_auth;

-- An access token is a short-lived API key under the key that was chosen for the app. It goes with its parent's row and
-- with the token's, so that whatever ends the token ends the key.
alter table landfall.api_keys
  add column parent_id uuid,
  add column app_token_id uuid,
  add constraint api_keys_app_token_unique unique (app_token_id),
  add constraint api_keys_of_app check ((parent_id is null) = (app_token_id is null)),
  add constraint api_keys_of_app_expire check (parent_id is null or expires_at is not null),
  add constraint api_keys_of_app_read check (parent_id is null or scopes <@ array['shipments:read']),
  add constraint api_keys_of_parent foreign key (account_id, parent_id)
    references landfall.api_keys (account_id, id) on delete cascade,
  add constraint api_keys_of_app_token foreign key (app_token_id)
    references auth.oauth_access_tokens (id) on delete cascade;

create index api_keys_by_parent on landfall.api_keys (account_id, parent_id) where parent_id is not null;

-- The role for people issues them, and no other key. Which apps a key has is read with it.
grant select (parent_id, app_token_id), insert (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at,
  created_by, parent_id, app_token_id) on landfall.api_keys to landfall_auth;
create policy people_issue on landfall.api_keys for insert to landfall_auth with check (parent_id is not null);

-- Workers run as landfall_system, which doesn't see the room of sign-in. Deletes at most so many rows of each table and
-- returns how many.
create function landfall.forget_app_rows(unused_hours integer, idle_days integer, at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog
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
revoke execute on function landfall.forget_app_rows(integer, integer, integer) from public;
grant execute on function landfall.forget_app_rows(integer, integer, integer) to landfall_system;
