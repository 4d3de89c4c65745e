-- The schema of Landfall. Each table has its indexes, policies, grants and triggers beside it.
--
--   1. Roles and access            11. Vehicle positions        21. Carrier subscriptions
--   2. Accounts                    12. Free time and proofs     22. Shares
--   3. Sign-in                     13. Feed                     23. Saved views and alerts
--   4. API keys, connected apps    14. Webhooks                 24. Notes
--   5. Account directory           15. Idempotency              25. Analytics
--   6. Shipments                   16. Imports                  26. Rate limits
--   7. Search                      17. Bulk actions             27. Operations history
--   8. Counts                      18. Carrier access           28. Traces
--   9. Events                      19. Questions to workers     29. Reading shipments
--  10. Tracking                    20. Carrier budgets, health
--
-- A released migration is never edited: a change of the schema is the next numbered file. infra/schema.sql shows the
-- sum of all files, sorted by name.

------------------------------------------------------------------------------------------------------------------------
-- 1. Roles and access
------------------------------------------------------------------------------------------------------------------------

-- landfall_app serves requests, landfall_system the workers and the operator, landfall_auth sign-in, and landfall_queue
-- owns the queue in PostgreSQL. Roles belong to the whole cluster, and several of its databases may migrate at the same
-- moment, so each step tolerates losing a race. Where the migrating user may not create roles, an administrator creates
-- and grants them beforehand.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['landfall_app', 'landfall_system', 'landfall_auth', 'landfall_queue'] loop
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

-- Sign-in has a schema of its own: a request with a key can't reach it, and a session can't reach shipments through it.
create schema auth;

-- Databases of builds before 0.2 had other files of this name. Without the comment a database is refused.
comment on schema landfall is 'Landfall 0.2';

grant usage on schema landfall to landfall_app, landfall_system, landfall_auth;
grant usage on schema auth to landfall_auth, landfall_system;

-- BullMQ creates the queue's schema itself, and asks for this right even if the schema exists.
do $$
begin
  execute format('grant create on database %I to landfall_queue', current_database());
end
$$;

-- Every process can compare the migrations with its own.
grant select on landfall.migrations to landfall_app;

-- Separates the accounts in a table, also for its owner (`force`). landfall_system sees every row; landfall_app has the
-- rows of the account that its transaction is bound to, and none without `for_app`. Its policy allows no command that
-- `for_app` does not need: of a table that requests only read, it is `for select`, so a grant made by mistake gives
-- nothing. Later migrations call the function for each new table; no role of the application may.
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
      'create policy own_account on %s for %s to landfall_app
        using (%I = nullif(current_setting(''landfall.account_id'', true), '''')::uuid)',
      of_table, case for_app when 'select' then 'select' else 'all' end, account_column
    );
    execute format('grant %s on %s to landfall_app', for_app, of_table);
  end if;
end
$$;

revoke execute on function landfall.protect_table(regclass, text, text, name) from public;

------------------------------------------------------------------------------------------------------------------------
-- 2. Accounts
------------------------------------------------------------------------------------------------------------------------

-- `limits`: requests per minute of one key, by class; a class that is missing has the default. `retention_days`: how
-- long the account keeps closed shipments; null: as long as the installation does.
create table landfall.accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  limits jsonb not null default '{}',
  created_at timestamptz not null default now(),
  retention_days integer,
  removed_at timestamptz,
  constraint accounts_name_unique unique (name),
  constraint accounts_name_length check (length(name) between 1 and 200),
  constraint accounts_limits_known check (
    jsonb_typeof(limits) = 'object'
    and limits - array['read', 'write', 'batch', 'mcp'] = '{}'
    and not jsonb_path_exists(limits, '$.* ? (@.type() != "number" || @ < 1 || @ > 1000000000 || @.floor() != @)')
  ),
  constraint accounts_retention_days check (retention_days between 1 and 36500)
);

-- An account can't create, change or remove accounts.
select landfall.protect_table('landfall.accounts', for_app => 'select', account_column => 'id');

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

create index audit_by_subject on landfall.audit (account_id, subject_id) where subject_id is not null;

-- The audit log is append-only while its account exists. Of a removed account, only the removal itself stays. Removing
-- a member ends their keys and writes the audit log in one transaction of landfall_auth.
select landfall.protect_table(
  'landfall.audit', for_system => 'select, insert, delete', for_app => 'select, insert'
);
create policy only_of_removed on landfall.audit as restrictive for delete to landfall_system
  using (action <> 'account.removed' and not exists (select from landfall.accounts as a where a.id = account_id));
create policy people_append on landfall.audit for insert to landfall_auth with check (true);
grant insert on landfall.audit to landfall_auth;

------------------------------------------------------------------------------------------------------------------------
-- 3. Sign-in
------------------------------------------------------------------------------------------------------------------------

-- The tables of better-auth: users, their passwords and sessions; organizations, which are our accounts, with their
-- members and invitations; and the claim link. landfall_auth alone reads them, except for two grants to workers.

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

-- Workers send to members at the address that they sign in with. They read nothing else of users.
grant select (id, name, email) on auth.users to landfall_system;

create table auth.sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- A hash: a copy of the database opens no session.
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  active_organization_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sessions_token_unique unique (token),
  constraint sessions_token_hashed check (token ~ '^[0-9a-f]{64}$')
);

create index sessions_by_user on auth.sessions (user_id, created_at desc);

-- A way in which a user signs in; better-auth calls it an account, which is another thing here. For a password
-- `provider_id` is `credential`.
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
create index verifications_by_expiry on auth.verifications (expires_at);

-- Its id is the account's. Owners can rename their account, so the one that runs the installation has a mark.
create table auth.organizations (
  id uuid primary key references landfall.accounts (id) on delete cascade,
  name text not null,
  slug text not null,
  logo text,
  metadata text,
  created_at timestamptz not null default now(),
  runs_installation boolean not null default false,
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

-- Workers send alerts to members only.
grant select (organization_id, user_id, role) on auth.members to landfall_system;

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

-- The secret that signs cookies; every process of the installation uses the same one. It is sealed with the
-- installation's keys. `key_version` null: the installation has no keys, and the secret is stored as it is.
create table auth.signing_secret (
  the_only boolean primary key default true,
  key_version text,
  secret bytea not null,
  constraint signing_secret_is_one check (the_only)
);

grant select, insert, update, delete on all tables in schema auth to landfall_auth;

------------------------------------------------------------------------------------------------------------------------
-- 4. API keys and connected apps
------------------------------------------------------------------------------------------------------------------------

-- The maker of a key is the signed-in user `created_by` or another key `made_with`; both null: the operator. A key that
-- a former member made with a key of theirs is theirs too, so the chain matters. An access token of a connected app is
-- a short-lived key under its `parent_id`, the key that was chosen for the app. It is removed with its parent and with
-- the token's row, so that whatever ends the token ends the key.
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
  created_by uuid,
  made_with uuid,
  parent_id uuid,
  app_token_id uuid,
  primary key (account_id, id),
  constraint api_keys_key_hash_unique unique (key_hash),
  constraint api_keys_key_hash_size check (octet_length(key_hash) = 32),
  constraint api_keys_name_length check (length(name) between 1 and 200),
  constraint api_keys_scopes_known check (
    scopes <@ array[
      'shipments:read', 'shipments:write', 'shipments:delete', 'events:write', 'webhooks:manage', 'carriers:manage',
      'keys:manage'
    ]
  ),
  constraint api_keys_app_token_unique unique (app_token_id),
  constraint api_keys_of_app check ((parent_id is null) = (app_token_id is null)),
  constraint api_keys_of_app_expire check (parent_id is null or expires_at is not null),
  constraint api_keys_of_app_read check (parent_id is null or scopes <@ array['shipments:read']),
  constraint api_keys_of_parent foreign key (account_id, parent_id)
    references landfall.api_keys (account_id, id) on delete cascade
);

create index api_keys_by_parent on landfall.api_keys (account_id, parent_id) where parent_id is not null;

-- landfall_auth reads the keys of members, ends them, and issues those of apps and no other.
select landfall.protect_table('landfall.api_keys', for_app => 'select, insert, update, delete');
create policy people_read on landfall.api_keys for select to landfall_auth using (true);
create policy people_revoke on landfall.api_keys for update to landfall_auth using (true);
create policy people_issue on landfall.api_keys for insert to landfall_auth with check (parent_id is not null);
grant
  select (
    account_id, id, name, prefix, last_four, scopes, test, created_at, expires_at, revoked_at, last_used_at, rotated_to,
    created_by, made_with, parent_id, app_token_id
  ),
  insert (
    account_id, name, prefix, last_four, key_hash, scopes, test, expires_at, created_by, parent_id, app_token_id
  ),
  update (revoked_at)
  on landfall.api_keys to landfall_auth;

-- A user who is being removed can't make a key that the removal doesn't see: the lock waits for the removal, or lets it
-- wait. With its owner's rights, because the request role can't read the members.
create function landfall.admit_key_maker() returns trigger
language plpgsql security definer set search_path = pg_catalog
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

create trigger admit_key_maker after insert on landfall.api_keys
  for each row when (new.created_by is not null) execute function landfall.admit_key_maker();

-- Apps that members connect to an account through OAuth: the tables of @better-auth/oauth-provider. Clients are public:
-- none has a secret.
create table auth.oauth_clients (
  id uuid primary key default uuidv7(),
  client_id text not null,
  client_secret text,
  -- The way in which the client was found: `cimd`, by the document at its id. Null: it registered itself.
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
  -- The last time that a user connected it. Null: never, and it is removed soon.
  connected_at timestamptz,
  constraint oauth_clients_client_id_unique unique (client_id),
  constraint oauth_clients_client_id_length check (length(client_id) <= 2000),
  constraint oauth_clients_are_public check (client_secret is null),
  constraint oauth_clients_need_consent check (skip_consent is not true and user_id is null),
  constraint oauth_clients_redirect_uris_size check (octet_length(redirect_uris::text) <= 16384),
  constraint oauth_clients_metadata_size check (octet_length(metadata::text) <= 16384)
);

create index oauth_clients_by_use on auth.oauth_clients (coalesce(connected_at, created_at));

-- Tokens are issued for a resource: the address of the endpoint.
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

alter table landfall.api_keys
  add constraint api_keys_of_app_token foreign key (app_token_id)
    references auth.oauth_access_tokens (id) on delete cascade;

grant select, insert, update, delete on auth.oauth_clients, auth.oauth_resources, auth.oauth_consents,
  auth.oauth_refresh_tokens, auth.oauth_access_tokens to landfall_auth;

-- Workers run as landfall_system, which doesn't see sign-in. Deletes at most so many rows of each table and returns how
-- many.
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

------------------------------------------------------------------------------------------------------------------------
-- 5. Account directory
------------------------------------------------------------------------------------------------------------------------

-- Names of the members of an account. Former members stay, so that notes and the audit of old shipments keep their
-- names. `released_at`: when the assignments of a former member ended.
create table landfall.account_members (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  user_id uuid not null,
  name text not null,
  left_at timestamptz(3),
  released_at timestamptz(3),
  primary key (account_id, user_id),
  constraint account_members_released check (released_at is null or left_at is not null)
);

create index account_members_of_user on landfall.account_members (user_id);
create index account_members_unreleased on landfall.account_members (left_at)
  where left_at is not null and released_at is null;

select landfall.protect_table('landfall.account_members', for_app => 'select');

-- Keeps the directory in the transaction that changes a membership or a name. Requests may read the directory, and
-- nothing in the schema `auth`.
create function landfall.keep_account_members() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
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

revoke execute on function landfall.keep_account_members() from public;

create trigger members_keep_account_members after insert or delete on auth.members
  for each row execute function landfall.keep_account_members();
create trigger users_keep_account_members after update of name on auth.users
  for each row when (old.name is distinct from new.name) execute function landfall.keep_account_members();

-- A new owner must be allowed to create in the schema at the moment when it becomes one.
grant create on schema landfall to landfall_system;
alter function landfall.keep_account_members() owner to landfall_system;
revoke create on schema landfall from landfall_system;

------------------------------------------------------------------------------------------------------------------------
-- 6. Shipments
------------------------------------------------------------------------------------------------------------------------

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
  registration_traceparent text,

  -- Columns besides `record` repeat what lists filter and sort by. Names of places are kept in lower case, because they
  -- are only searched. A date in a filter compares `eta_day`, `departed_day` and `delivered_day`: calendar days at the
  -- place of the arrival, departure or delivery.
  status text not null default 'pending',
  status_changed_at timestamptz(3),
  has_exception boolean not null default false,
  exception_codes text[] not null default '{}',
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

  -- `overdue_from`: when an unconfirmed ETA is past. `late_from`: from when on the shipment counts as late, -infinity
  -- by its delay alone. `overdue_notified`: the values of `overdue_from` that the feed has announced.
  overdue_from timestamptz(3),
  late_from timestamptz(3),
  overdue_notified timestamptz(3)[] not null default '{}',

  -- `needs_attention` is stored so that lists and counts of it cost as much as those of exceptions. `attention_at`:
  -- when time alone will make the shipment need attention; null if it does already, or time will not.
  needs_attention boolean not null default false,
  attention_at timestamptz,

  -- A journey is stored once: as jsonb what lists, filters and refreshes read, and packed the text that clients
  -- receive, with the events. A shipment without a refresh holds all of it in `record` and `journey_text`.
  -- `journey_shape` numbers the form of the text; readers that expect another form compose it from the record.
  -- `cadence` is the part of the record that every refresh needs, so that an unchanged refresh reads no record; null
  -- stands for the whole record. `recompose`: the record is to be composed again from its events, which a job does
  -- without calling the carrier.
  record jsonb not null,
  cadence jsonb,
  journey_text text,
  journey_shape smallint,
  packed_journey bytea storage external,
  recompose boolean not null default false,
  warnings jsonb not null default '[]',

  -- Content of the word index, computed by searchWords in shared/domain and copied by the triggers below.
  search_text text not null default '',
  search_terms text[] not null default '{}',

  -- `position`: where it is on the map, null until its first refresh. Shipments with the same `map_key` (by
  -- destination: `map_destination`) are one point. `vessel_imo`: the vessel that carries the shipment now, so that one
  -- question about a vessel serves all its shipments.
  position jsonb,
  map_key text,
  map_destination text,
  vessel_imo text,

  -- `free_time_states`: the distinct states of all clocks. `last_free_day`: the earliest of the open clocks.
  -- `free_time_at`: from when on a worker assesses the shipment again, because days, states or costs change by time
  -- alone, or because its terms have changed. `manual_free_days`: last free days that the client set by hand.
  free_time_states text[] not null default '{}',
  last_free_day date,
  free_time_at timestamptz,
  manual_free_days jsonb not null default '[]',

  assignee_id uuid,
  notes_count integer not null default 0,

  -- `settling_from`: the days to settling count from here if it is later than `closed_at`.
  open boolean not null default true,
  closed_at timestamptz,
  archived_at timestamptz,
  settled_at timestamptz,
  settling_from timestamptz,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version bigint not null default 1,

  primary key (account_id, id),
  constraint shipments_assignee foreign key (account_id, assignee_id)
    references landfall.account_members (account_id, user_id),
  constraint shipments_transport_mode_known check (transport_mode in ('ocean', 'air', 'road', 'rail', 'parcel')),
  constraint shipments_service_type_known check (service_type in ('ltl', 'ftl')),
  constraint shipments_status_known check (
    status in (
      'pending', 'booked', 'in_transit', 'arrived', 'available_for_pickup', 'out_for_delivery', 'delivered', 'returned',
      'failed', 'cancelled'
    )
  ),
  constraint shipments_manual_free_days_is_list check (jsonb_typeof(manual_free_days) = 'array'),
  constraint shipments_notes_count_natural check (notes_count >= 0),
  constraint shipments_version_positive check (version > 0)
) with (
  -- Large: at the default share, 50 million rows would be vacuumed once in ten million changes, and then for an hour.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);

create unique index shipments_reference_unique on landfall.shipments (account_id, test, reference)
  where reference is not null;

-- Each sort of the list, and each of the common lists, is a scan of one index in its order. A filter by departure scans
-- the list in its own order.
create index shipments_by_created_at on landfall.shipments (account_id, test, created_at, id);
create index shipments_by_updated_at on landfall.shipments (account_id, test, updated_at, id);
create index shipments_by_status on landfall.shipments (account_id, test, status, created_at, id);
create index shipments_by_status_updated_at on landfall.shipments (account_id, test, status, updated_at, id);
create index shipments_by_transport_mode on landfall.shipments (account_id, test, transport_mode, created_at, id);
create index shipments_by_carrier on landfall.shipments (account_id, test, carrier, created_at, id);
create index shipments_by_eta on landfall.shipments (account_id, test, eta, id) where eta is not null;
create index shipments_by_delay_hours on landfall.shipments (account_id, test, delay_hours, id)
  where delay_hours is not null;
create index shipments_by_status_changed_at on landfall.shipments (account_id, test, status_changed_at, id)
  where status_changed_at is not null;
create index shipments_by_last_event_at on landfall.shipments (account_id, test, last_event_at, id)
  where last_event_at is not null;
create index shipments_by_last_free_day on landfall.shipments (account_id, test, last_free_day, id)
  where last_free_day is not null;
create index shipments_by_assignee on landfall.shipments (account_id, test, assignee_id, created_at, id)
  where assignee_id is not null;
create index shipments_with_exception on landfall.shipments (account_id, test, created_at, id) where has_exception;
create index shipments_needing_attention on landfall.shipments (account_id, test, created_at, id) where needs_attention;
create index shipments_archived on landfall.shipments (account_id, test, created_at, id) where archived_at is not null;
create index shipments_closed on landfall.shipments (account_id, closed_at) where closed_at is not null;

-- Many shipments have the same day, which keeps these indexes small.
create index shipments_by_departed_day on landfall.shipments (account_id, test, departed_day)
  where departed_day is not null;
create index shipments_by_delivered_day on landfall.shipments (account_id, test, delivered_day)
  where delivered_day is not null;

-- Few shipments are between discharge and empty return: these lists and counts read no others.
create index shipments_with_open_clock on landfall.shipments (account_id, test, created_at, id)
  where free_time_states && '{running,expiring,over,unknown_terms}';
create index shipments_with_unknown_terms on landfall.shipments (account_id, test, created_at, id)
  where 'unknown_terms' = any (free_time_states);

-- The rows that come last under a sort whose value they lack. A shipment without events lacks two of them: one index
-- instead of two that every registration would write.
create index shipments_without_eta on landfall.shipments (account_id, test, id)
  where eta is null or delay_hours is null;
create index shipments_without_events on landfall.shipments (account_id, test, id)
  where status_changed_at is null or last_event_at is null;

-- The list of late shipments, and of overdue ones, in its order.
create index shipments_late_by_created_at
  on landfall.shipments (account_id, test, created_at, id, late_from, overdue_from)
  where late_from is not null and archived_at is null;
-- Counts of late shipments in each status: the first line of the dashboard's overview.
create index shipments_late on landfall.shipments (account_id, test, status, late_from)
  where late_from is not null and archived_at is null
    and status not in ('delivered', 'returned', 'failed', 'cancelled');

-- Of all accounts, for periodic jobs: what the clock may have to announce, what is to be assessed, composed or settled
-- again, vessels under way, and shipments closed long ago whose numbers become free.
create index shipments_overdue_pending on landfall.shipments (overdue_from)
  where overdue_from is not null and archived_at is null and not recompose
    and not (overdue_from = any (overdue_notified));
create index shipments_attention_due on landfall.shipments (attention_at)
  where attention_at is not null and archived_at is null;
create index shipments_free_time_due on landfall.shipments (free_time_at)
  where free_time_at is not null and archived_at is null;
create index shipments_to_recompose on landfall.shipments (account_id, id) where recompose;
create index shipments_to_settle on landfall.shipments (greatest(closed_at, settling_from))
  where closed_at is not null and settled_at is null;
create index shipments_vessel_imo on landfall.shipments (vessel_imo) where vessel_imo is not null and closed_at is null;
create index shipments_closed_open on landfall.shipments (closed_at) where open and closed_at is not null;

select landfall.protect_table('landfall.shipments', for_app => 'select, insert, update, delete');

-- A writer that sets `record` alone, such as an operator's correction, must not leave the former text in place. Only
-- updates of `record` call this.
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

-- A record that has its events was written without packing, so a packed journey is out of date. Otherwise the text is,
-- if it stayed as it was while the record changed: its events stay, and without a shape no client receives it.
create function landfall.forget_packed_journey() returns trigger
language plpgsql set search_path = pg_catalog, landfall
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

create trigger shipments_forget_packed_journey before update of record on landfall.shipments
  for each row
  when (
    new.packed_journey is not null and (
      new.record ? 'events'
      or (new.packed_journey is not distinct from old.packed_journey and new.record is distinct from old.record)
    )
  )
  execute function landfall.forget_packed_journey();

-- The one rule in SQL, the same as attentionFrom in shared/domain: from when on a shipment needs attention.
-- '-infinity': already. Null: time alone will not. `overdue_at`: from when on it is overdue. A delay alone, which
-- `late_from` has as '-infinity', is no reason before the ETA has passed.
create function landfall.attention_from(has_exception boolean, overdue_at timestamptz, state text, reason text,
  last_succeeded_at timestamptz, tracking_since timestamptz)
  returns timestamptz
  language sql
  stable parallel safe
return least(case when state <> 'stopped' then overdue_at end, case
  when has_exception or state = 'failed' then '-infinity'
  when state in ('awaiting_carrier', 'degraded') and reason in (
    'credentials_missing', 'carrier_auth_failed', 'data_withheld', 'not_found', 'invalid_identifier',
    'wrong_identifier_type', 'carrier_not_supported'
  ) then '-infinity'
  when state = 'awaiting_carrier' then greatest(tracking_since, last_succeeded_at) + interval '48 hours'
  when state = 'degraded' then greatest(tracking_since, last_succeeded_at) + interval '24 hours'
end);

-- An exception that opens or closes, and another promise, decides again whether the shipment needs attention.
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

create trigger shipments_decide_attention before update of has_exception, overdue_from, late_from on landfall.shipments
  for each row
  when (old.has_exception is distinct from new.has_exception or old.overdue_from is distinct from new.overdue_from
    or old.late_from is distinct from new.late_from)
  execute function landfall.decide_attention();
create trigger shipments_decide_attention_new before insert on landfall.shipments
  for each row
  when (new.has_exception)
  execute function landfall.decide_attention();

-- The word index and the tags follow the shipments. Once per statement, so that an import pays once for its thousand
-- rows.
create or replace function landfall.index_new_shipments()
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

create trigger shipments_index_new after insert on landfall.shipments
  referencing new table as new_shipments for each statement execute function landfall.index_new_shipments();

create or replace function landfall.index_changed_words()
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

create trigger shipments_index_changed_words after update of search_text, search_terms on landfall.shipments
  for each row
  when ((old.search_text, old.search_terms) is distinct from (new.search_text, new.search_terms))
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

-- A shipment without a polling row counts as queued, as its row will be: a registration then writes one delta, and an
-- import one per statement.
create or replace function landfall.count_new_shipments()
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

create trigger shipments_count_new after insert on landfall.shipments
  referencing new table as new_shipments for each statement execute function landfall.count_new_shipments();

-- A writer that changes a state holds the shipment's row until the end of the transaction (all writers lock it before
-- they touch polling; `count_changed_state` makes sure), so a status and a state that change at the same moment see
-- each other.
create or replace function landfall.count_changed_shipment()
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

create trigger shipments_count_changed after update on landfall.shipments
  for each row
  when (old.test is distinct from new.test or (old.archived_at is null) is distinct from (new.archived_at is null)
    or old.status is distinct from new.status or old.has_exception is distinct from new.has_exception
    or old.needs_attention is distinct from new.needs_attention)
  execute function landfall.count_changed_shipment();
-- Before the delete, while its polling row is still there.
create trigger shipments_count_removed before delete on landfall.shipments
  for each row execute function landfall.count_changed_shipment();

-- Deleting waits for a worker that writes the measures, and marks their days. The cascade would come too late for that,
-- and under the role of the owner, whom row-level security lets see nothing.
create function landfall.forget_measures() returns trigger
language plpgsql set search_path = pg_catalog, landfall
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
grant execute on function landfall.forget_measures() to landfall_app, landfall_system;

create trigger shipments_forget_measures before delete on landfall.shipments
  for each row execute function landfall.forget_measures();

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
-- 7. Search
------------------------------------------------------------------------------------------------------------------------

-- The word index, for `q`, `tag`, `origin` and `destination`. A table of its own, so that a refresh which changes no
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

select landfall.protect_table('landfall.shipment_search', for_app => 'select, insert, update, delete');

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
-- 8. Counts
------------------------------------------------------------------------------------------------------------------------

-- The number of shipments of an account, by everything that counts are requested by: kept, not counted. Writers only
-- add deltas, so that none waits for another; a job folds deltas into the counts, and readers add what is not folded
-- yet. A `reason` of '' is none.
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
  primary key (account_id, test, archived, status, state, has_exception, reason, needs_attention)
) with (fillfactor = 50);

select landfall.protect_table('landfall.shipment_counts', for_app => 'select');

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
  primary key (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Requests never take a delta back. The job needs `update` on deltas only to lock them.
select landfall.protect_table('landfall.shipment_count_deltas', for_app => 'select, insert');

------------------------------------------------------------------------------------------------------------------------
-- 9. Events
------------------------------------------------------------------------------------------------------------------------

-- Each place once an account. `id`: the first 8 bytes of the SHA-256 of the content, so that a writer knows it without
-- reading, and two writers of one place write the same row. Rows never change.
create table landfall.places (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id bigint not null,
  lat double precision,
  lng double precision,
  name text,
  unlocode text,
  iata text,
  country text,
  timezone text,
  facility text,
  primary key (account_id, id)
);

select landfall.protect_table('landfall.places', for_app => 'select, insert');

-- Raw values of the events that were new in a reading, as the carrier sent them: a JSON array of the distinct values,
-- packed.
create table landfall.readings (
  account_id uuid not null,
  shipment_id uuid not null,
  number integer not null,
  raws bytea storage external not null,
  primary key (account_id, shipment_id, number),
  constraint readings_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

select landfall.protect_table('landfall.readings', for_app => 'select, insert');

-- The usual value of a column is null: `source` carrier, `zone_source` carrier, `precision` second, `leg_role` unknown,
-- `timezone` that of the place ('' none), `local_offset` 0, `received_at` the time in `id`. `local_offset`: the local
-- time minus UTC, in minutes. `dedupe_key`: the first 16 bytes of the SHA-256 of the dedupe text, which follows from
-- the row, its `family` (connector family) and `occurrence`. `reading` and `raw_index` (from 0): where its raw value
-- is; null: there is none. `rest`: members of the event that the columns don't return exactly, with their values. The
-- order of the columns leaves no gaps between them.
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
  constraint events_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint events_classifier_known check (classifier in ('planned', 'estimated', 'actual')),
  constraint events_source_known check (source in ('client', 'test')),
  constraint events_dedupe_key_size check (octet_length(dedupe_key) = 16)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Not unique: all rows of a shipment share one entry, a tenth of the room that a key with the id takes. Ids are random,
-- and a writer of events holds the lock of their shipment.
create index events_by_shipment on landfall.events (account_id, shipment_id);
-- For people's own queries; the product reads by shipment. Equal keys share an entry, and blocks of one time lie
-- together, so both take little room.
create index events_by_code on landfall.events (account_id, code, place);
create index events_by_time on landfall.events using brin (event_at);

select landfall.protect_table('landfall.events', for_app => 'select, insert, update');

-- Values that could not be parsed, once for each text. They expire: a carrier that puts the current time into its texts
-- would otherwise fill this table for good.
create table landfall.unreadable_events (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  shipment_id uuid not null,
  raw jsonb not null,
  raw_hash bytea not null,
  reason text not null,
  seen_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint unreadable_events_unique unique (account_id, shipment_id, raw_hash),
  constraint unreadable_events_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);

create index unreadable_events_by_seen_at on landfall.unreadable_events (seen_at);

select landfall.protect_table('landfall.unreadable_events', for_app => 'select, insert, update, delete');

-- The log of published transitions: why each happened, when the cargo reached the status (`reached_at`), and when the
-- deciding event was received. It is read by shipment alone, and its ids are in the order of time.
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
  primary key (account_id, shipment_id, id),
  constraint status_changes_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);

-- Append-only until the shipment is settled.
select landfall.protect_table(
  'landfall.status_changes', for_system => 'select, insert, delete', for_app => 'select, insert'
);

-- A shipment that has been closed for long is settled: its events, status history and refreshes become one packed row.
create table landfall.settled_shipments (
  account_id uuid not null,
  shipment_id uuid not null,
  packed bytea storage external not null,
  settled_at timestamptz not null default now(),
  primary key (account_id, shipment_id),
  constraint settled_shipments_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);

select landfall.protect_table('landfall.settled_shipments', for_app => 'select, insert, update, delete');

------------------------------------------------------------------------------------------------------------------------
-- 10. Tracking
------------------------------------------------------------------------------------------------------------------------

-- One row per shipment, written several times per refresh: kept narrow, so columns that are null on most rows
-- (`tracking_since`: null means since the registration; `requested_at`, `test_steps`) stay null. `answer_hash` is of
-- the last answer byte for byte together with what parsed it, and counts only with `reading_hash`.
-- `stale_notified_for` is the `last_succeeded_at` whose end was published as `shipment.stale`. `unreadable`: what of
-- the last answer could not be read, {"count": …, "reasons": […]}, which a refresh without changes repeats; null:
-- everything could. `trace_kept`: whether the trace store was to keep the trace of `trace_id`. `hurried`: a client
-- waits for the refresh, of a registration by itself or on request, so it goes before those that are merely due. A
-- shipment that is tracked by pushed events has the connector `pushed`: it is stale `stale_after_hours` after the last
-- event, and its tracking ends by itself at `ends_at`.
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
  primary key (account_id, shipment_id),
  constraint polling_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint polling_state_known check (
    state in ('queued', 'active', 'awaiting_carrier', 'degraded', 'failed', 'stopped', 'completed')
  ),
  constraint polling_epoch_not_negative check (epoch >= 0),
  constraint polling_reading_hash_size check (octet_length(reading_hash) = 32),
  constraint polling_answer_hash_size check (octet_length(answer_hash) = 32),
  constraint polling_test_steps_not_negative check (test_steps >= 0),
  constraint polling_stale_after_hours_range check (stale_after_hours between 1 and 720)
) with (
  -- A claim writes only the lease and the epoch. With neither in an index, and room on the page, PostgreSQL updates the
  -- row in place (HOT): there is room for two more versions of a tenth of the rows. The updates of a refresh that
  -- begins or ends change a column of the sweep's indexes. Vacuum comes early and runs at full speed: what it has not
  -- yet removed lies at the front of the sweep's index, and its pages take the next updates.
  fillfactor = 85, autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.02
);

-- The sweep claims by connector over all accounts. The second index finds the accounts that have due work, and their
-- leases, which are among their due rows.
create index polling_due on landfall.polling (connector, next_refresh_at) where next_refresh_at is not null;
create index polling_due_by_account on landfall.polling (connector, account_id, next_refresh_at)
  where next_refresh_at is not null;
-- Few of an account are hurried, so that hurrying means something.
create index polling_hurried on landfall.polling (connector, account_id, next_refresh_at) where hurried;
create index polling_ending on landfall.polling (ends_at) where ends_at is not null;
-- `active` and `completed` are nearly all rows; a list of those walks the index of its sort instead.
create index polling_by_rare_state on landfall.polling (account_id, state, shipment_id)
  where state in ('queued', 'awaiting_carrier', 'degraded', 'failed', 'stopped');
-- New credentials make shipments due that the carrier showed to others only.
create index polling_waiting_credentials on landfall.polling (account_id, connector)
  where reason in ('credentials_missing', 'carrier_auth_failed', 'data_withheld') and next_refresh_at is not null;
create index polling_stale on landfall.polling (account_id, stale_at) where stale_at is not null;
-- The conditions of `has_freshness('stale')` but for the time: what went stale and was not published yet.
create index polling_stale_pending on landfall.polling (stale_at)
  where stale_at is not null and last_succeeded_at is not null and stale_notified_for is distinct from last_succeeded_at
    and state not in ('completed', 'stopped');

select landfall.protect_table('landfall.polling', for_app => 'select, insert, update, delete');

-- Counts first, because the change of `needs_attention` is counted under the new state and reason. Not for a change of
-- `last_succeeded_at` alone: unchanged refreshes lock no shipments.
create or replace function landfall.count_changed_state()
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

create trigger polling_count_new after insert on landfall.polling
  for each row
  when (new.state <> 'queued' or new.reason is not null)
  execute function landfall.count_changed_state();
create trigger polling_count_changed after update on landfall.polling
  for each row
  when (old.state is distinct from new.state or old.reason is distinct from new.reason
    or old.tracking_since is distinct from new.tracking_since)
  execute function landfall.count_changed_state();
create trigger polling_count_removed after delete on landfall.polling
  for each row
  when (old.state <> 'queued' or old.reason is not null)
  execute function landfall.count_changed_state();

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

-- Full hours since the ETA passed; null: it has not.
create function landfall.overdue_hours(overdue_from timestamptz) returns integer
language sql stable parallel safe
return case
  when overdue_from <= now() then floor(extract(epoch from now() - overdue_from) / 3600)::integer
end;

-- Refreshes, the last 20 rows of each shipment. A run of unchanged ones is one row that each refresh updates: with
-- `last_at` in an index such an update could not stay on its page (HOT). Refreshes of one shipment follow each other
-- and only the newest row grows, so ids, which are made in order of time, sort them as `last_at` does. `detail`: the
-- reason in words. `unreadable` and `trace_kept` as in polling.
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
  primary key (account_id, id),
  constraint refreshes_outcome_known check (outcome in ('changed', 'unchanged', 'not_found', 'error')),
  constraint refreshes_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

create index refreshes_newest on landfall.refreshes (account_id, shipment_id, id desc);

select landfall.protect_table('landfall.refreshes', for_app => 'select, insert, update, delete');

------------------------------------------------------------------------------------------------------------------------
-- 11. Vehicle positions
------------------------------------------------------------------------------------------------------------------------

-- The latest position of the vehicle that carries a shipment, as a client sent it. It is no event and no part of the
-- record's version: it changes every few minutes, and its history is of no use.
create table landfall.vehicle_positions (
  account_id uuid not null,
  shipment_id uuid not null,
  lat double precision not null,
  lng double precision not null,
  at timestamptz not null,
  source text not null,
  vehicle jsonb,
  primary key (account_id, shipment_id),
  foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade,
  constraint vehicle_positions_on_earth check (lat between -90 and 90 and lng between -180 and 180),
  constraint vehicle_positions_source_length check (length(source) <= 200),
  constraint vehicle_positions_vehicle_size check (octet_length(vehicle::text) <= 2000)
);

select landfall.protect_table('landfall.vehicle_positions', for_app => 'select, insert, update');

-- The latest position of each vessel that carries a shipment now, from the source of ships' positions. It is about no
-- account: one row serves all shipments on board. `simulated`: vessels of the simulator, whose numbers a real ship may
-- have.
create table landfall.vessel_positions (
  imo text not null,
  simulated boolean not null,
  lat double precision not null,
  lng double precision not null,
  at timestamptz not null,
  source text not null,
  name text,
  primary key (imo, simulated),
  constraint vessel_positions_on_earth check (lat between -90 and 90 and lng between -180 and 180),
  constraint vessel_positions_source_length check (length(source) <= 200),
  constraint vessel_positions_name_length check (length(name) <= 200)
);

select landfall.protect_table('landfall.vessel_positions');
create policy everyone on landfall.vessel_positions for select to landfall_app using (true);
grant select on landfall.vessel_positions to landfall_app;

-- The next request to POSITIONS_URL. All workers share the one row.
create table landfall.position_rounds (
  single boolean primary key default true,
  next_at timestamptz not null default now(),
  failures integer not null default 0,
  succeeded_at timestamptz,
  failed_at timestamptz,
  failure text,
  constraint position_rounds_single check (single),
  constraint position_rounds_failure_length check (length(failure) <= 300)
);

insert into landfall.position_rounds (single) values (true);

select landfall.protect_table('landfall.position_rounds', for_system => 'select, update');

------------------------------------------------------------------------------------------------------------------------
-- 12. Free time and proofs
------------------------------------------------------------------------------------------------------------------------

-- Free-time terms: one document per account, of live or of test shipments. `version` rises with each replacement, so
-- that processes keep a document for as long as its version is the stored one. `marked_to`: a worker is marking the
-- shipments that another document assessed, in the order of their ids, and is done up to this one. Null: all of them
-- are marked.
create table landfall.free_time_terms (
  account_id uuid not null,
  test boolean not null,
  version bigint not null,
  terms jsonb not null,
  marked_to uuid,
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, test),
  constraint free_time_terms_version_positive check (version > 0),
  constraint free_time_terms_is_list check (jsonb_typeof(terms) = 'array'),
  constraint free_time_terms_size check (octet_length(terms::text) <= 4194304)
);

create index free_time_terms_to_mark on landfall.free_time_terms (account_id, test) where marked_to is not null;

select landfall.protect_table('landfall.free_time_terms', for_app => 'select, insert, update, delete');

-- Proofs of delivery that were fetched while PROOF_STORE was on.
create table landfall.proofs (
  account_id uuid not null,
  shipment_id uuid not null,
  proof_id text not null,
  -- The piece that the document is about, so that an id that has moved on to another piece is fetched again.
  piece text,
  media_type text not null,
  content bytea not null,
  fetched_at timestamptz not null default now(),
  primary key (account_id, shipment_id, proof_id),
  foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade,
  constraint proofs_content_size check (octet_length(content) <= 5242880)
);

select landfall.protect_table('landfall.proofs', for_app => 'select');

------------------------------------------------------------------------------------------------------------------------
-- 13. Feed
------------------------------------------------------------------------------------------------------------------------

-- `write_order` is taken after the shipment's row lock and is not commit order; the sequencer gives `sequence` later,
-- to committed rows.
create sequence landfall.change_seq as bigint cache 1;
grant usage on sequence landfall.change_seq to landfall_app, landfall_system;

-- `created_at` has milliseconds, rounded as the shipment's times are: they are the same moment. The data of changes
-- that were made together is packed into one value, which the last of them holds: a feed is deleted from its start, so
-- no change outlives the one that holds its data. It is the shipment's next change with a packed value, because a
-- shipment's changes are made under its lock. It also holds their `traceparent`. `event_marks`, by which the feed is
-- narrowed: a hash in 4 bytes of `code|leg_role|classifier` of each new event; null for other changes.
create table landfall.changes (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  write_order bigint not null default nextval('landfall.change_seq'),
  sequence bigint,
  type text not null,
  shipment_id uuid,
  test boolean not null default false,
  data jsonb,
  packed bytea storage external,
  packed_place smallint,
  event_marks integer[],
  traceparent text,
  created_at timestamptz(3) not null default now(),
  constraint changes_data_once check ((data is null) = (packed_place is not null) and num_nonnulls(data, packed) <= 1)
) with (
  -- Every change is updated once: vacuum in small steps, before the index of the waiting ones fills with what no longer
  -- waits. Rows come at one end and go at the other; returning the empty end to the disk takes a lock that stops
  -- everybody, for room that is needed again within the hour.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, vacuum_truncate = off
);

-- Each index is written twice for a change: when it is made, and when it gets its sequence. A change is found by its
-- sequence, in the feed of test or live shipments or of one shipment, and while it waits for one by `write_order`; so
-- it has no primary key. An account's sequences are counted in one row, so they are unique across both feeds.
create index changes_unsequenced on landfall.changes (write_order) where sequence is null;
create unique index changes_by_sequence on landfall.changes (account_id, test, sequence) where sequence is not null;
create index changes_by_type on landfall.changes (account_id, test, type, sequence) where sequence is not null;
create index changes_by_shipment on landfall.changes (account_id, shipment_id, sequence) where sequence is not null;

-- A request adds changes; only the system moves them on.
select landfall.protect_table('landfall.changes', for_app => 'select, insert');

-- Sequences count per account: a count over all accounts would show each one how much the others do. `given`: the last
-- sequence that a change was given; it cannot be read from the changes, which expire. `removed`: everything up to here
-- is gone. A restore takes a feed back to an earlier sequence, and sequences given afterwards must not be those that
-- readers got before: a reader that was ahead of the backup would skip changes without noticing. Each restore therefore
-- starts a new generation far ahead, and `skipped` keeps the sequences in between, which belong to changes that no
-- longer exist.
create table landfall.account_feeds (
  account_id uuid primary key,
  given bigint not null default 0,
  removed bigint not null default 0,
  skipped int8multirange not null default '{}',
  constraint account_feeds_in_order check (removed between 0 and given)
);

select landfall.protect_table('landfall.account_feeds', for_app => 'select');

-- The start is a time in microseconds, so that two restores of the same backup start differently, and beyond every
-- sequence so far whatever the clock says. All accounts get one: those without a change may have had some later.
create function landfall.start_feed_generation() returns void
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

-- Gives committed changes their sequence and returns how many, and of which accounts; nulls: another process is doing
-- it. One call is one transaction on the server: a sequencer that is paused or dies holds nothing. API processes are
-- notified by `landfall_feed`: account ids, separated by commas, or nothing if there are too many for one notification
-- (8,000 bytes).
create function landfall.give_sequences(batch_size integer, out sequenced integer, out account_ids uuid[])
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

------------------------------------------------------------------------------------------------------------------------
-- 14. Webhooks
------------------------------------------------------------------------------------------------------------------------

-- An endpoint belongs to the mode (live or test) of the key that created it. `types` null: all. `filter`: null, or the
-- filter of the list as the client sent it. Secrets and the values of custom headers are sealed. A restored
-- installation sends no webhooks until an owner enables them: the one that the backup was taken from may still do so.
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
  constraint webhook_endpoints_disabled_reason_known check (
    disabled_reason in ('requested', 'gone', 'failing', 'restored')
  ),
  constraint webhook_endpoints_disabled_whole check (
    enabled = (disabled_at is null) and enabled = (disabled_reason is null)
  )
);

select landfall.protect_table('landfall.webhook_endpoints', for_app => 'select, insert, update, delete');

-- The part of an endpoint that deliveries write. Each change up to `sequence` has an outcome. `retry_at`: when the next
-- waiting delivery is due. No index has a changing column, so that updates stay in their page.
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
  primary key (account_id, endpoint_id),
  constraint webhook_cursors_endpoint foreign key (account_id, endpoint_id)
    references landfall.webhook_endpoints (account_id, id) on delete cascade
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);

select landfall.protect_table('landfall.webhook_cursors', for_app => 'select, insert, update');

-- One row for each delivery that was tried, with its last try; `earlier` holds the former ones. `sequence` is null for
-- a test. No foreign key to the endpoint: deleting one would delete millions of rows at once, and they expire anyway.
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
  primary key (account_id, endpoint_id, id),
  constraint webhook_deliveries_state_known check (state in ('delivered', 'waiting', 'exhausted')),
  constraint webhook_deliveries_next_try check ((state = 'waiting') = (next_try_at is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, vacuum_truncate = off);

create unique index webhook_deliveries_once on landfall.webhook_deliveries (account_id, endpoint_id, sequence)
  where sequence is not null;
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

-- A replay parks the changes of its range as waiting deliveries, up to `sequence` so far.
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
  primary key (account_id, id),
  constraint webhook_replays_endpoint foreign key (account_id, endpoint_id)
    references landfall.webhook_endpoints (account_id, id) on delete cascade,
  constraint webhook_replays_state_known check (state in ('running', 'done', 'cancelled')),
  constraint webhook_replays_completed check ((state = 'running') = (completed_at is null)),
  constraint webhook_replays_range check (from_sequence between 0 and to_sequence)
);

create index webhook_replays_of_endpoint on landfall.webhook_replays (account_id, endpoint_id, id);
-- An endpoint has one running replay at most.
create unique index webhook_replays_running on landfall.webhook_replays (account_id, endpoint_id)
  where state = 'running';
create index webhook_replays_old on landfall.webhook_replays (completed_at) where completed_at is not null;

select landfall.protect_table('landfall.webhook_replays', for_app => 'select, insert, update');

------------------------------------------------------------------------------------------------------------------------
-- 15. Idempotency
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
-- 16. Imports
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
  file jsonb not null default '{}',
  -- Options of parsing rows: delimiter, columns, defaults. A repeated request with the same key must have the same.
  options jsonb not null,
  dry_run boolean not null,
  state text not null default 'receiving',
  reason text,
  -- The process that receives the upload now, and until when it counts as alive.
  receiver uuid,
  receiver_until timestamptz,
  -- Until when a broken upload may be continued.
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
  primary key (account_id, id),
  constraint imports_format_known check (format in ('csv', 'ndjson', 'xlsx')),
  constraint imports_state_known check (state in ('receiving', 'running', 'completed', 'interrupted', 'failed')),
  constraint imports_reason_known check (
    (reason is null) = (state <> 'failed') and reason in ('too_many_errors', 'cancelled')
  ),
  constraint imports_key_length check (length(idempotency_key) between 1 and 255),
  constraint imports_stored_bytes check (stored_bytes >= 0),
  constraint imports_counts check (processed = created + existing + updated + failed and processed <= received)
) with (
  -- Progress is written once per chunk, in columns that no index holds.
  fillfactor = 70
);

create index imports_listed on landfall.imports (account_id, test, id);
create index imports_by_key on landfall.imports (account_id, test, idempotency_key, created_at)
  where idempotency_key is not null;
create index imports_ended on landfall.imports (completed_at) where completed_at is not null;
create index imports_receiving on landfall.imports (resumable_until) where state = 'receiving';

select landfall.protect_table('landfall.imports', for_app => 'select, insert, update, delete');

-- `rows` is JSON as text (jsonb and text cannot hold every character of a client's file): each row with its line and
-- its cells. Null once the chunk is done; the hash stays, so that a repeated upload is recognized.
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
  line bigint,
  raw text not null,
  severity text not null default 'error',
  code text not null,
  detail text not null,
  mistakes jsonb not null default '[]',
  primary key (account_id, import_id, row_number),
  constraint import_errors_import foreign key (account_id, import_id)
    references landfall.imports (account_id, id) on delete cascade,
  constraint import_errors_severity_known check (severity in ('error', 'warning'))
) with (vacuum_truncate = off);

select landfall.protect_table('landfall.import_errors', for_app => 'select, insert, update, delete');

------------------------------------------------------------------------------------------------------------------------
-- 17. Bulk actions
------------------------------------------------------------------------------------------------------------------------

-- One action on many shipments, such as archiving all of a list. Workers find the shipments of its filter, store them
-- in parts, and then run one part in a transaction after the other: what a killed worker had not committed runs again.
create table landfall.bulk_actions (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id uuid not null default uuidv7(),
  test boolean not null,
  action jsonb not null,
  filter jsonb,
  undoes uuid,
  state text not null,
  -- Finding continues after this shipment, the last one that was found.
  position jsonb,
  total integer not null default 0,
  processed integer not null default 0,
  changed integer not null default 0,
  failed integer not null default 0,
  limited boolean not null default false,
  failures jsonb not null default '[]',
  attempts smallint not null default 0,
  retry_at timestamptz,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  primary key (account_id, id),
  constraint bulk_actions_undone_once unique (account_id, undoes),
  constraint bulk_actions_state_known check (state in ('finding', 'running', 'completed', 'cancelled')),
  constraint bulk_actions_end check ((completed_at is null) = (state in ('finding', 'running'))),
  constraint bulk_actions_counts check (changed + failed <= processed and processed <= total)
);

create index bulk_actions_open on landfall.bulk_actions (account_id, id) where completed_at is null;
create index bulk_actions_old on landfall.bulk_actions (completed_at) where completed_at is not null;

select landfall.protect_table('landfall.bulk_actions', for_app => 'select, insert, update');

-- Up to 50 shipments that run in one transaction, and those of them that were changed.
create table landfall.bulk_action_parts (
  account_id uuid not null,
  bulk_action_id uuid not null,
  number integer not null,
  shipment_ids uuid[] not null,
  changed_ids uuid[],
  primary key (account_id, bulk_action_id, number),
  constraint bulk_action_parts_action foreign key (account_id, bulk_action_id)
    references landfall.bulk_actions (account_id, id) on delete cascade
);

create index bulk_action_parts_open on landfall.bulk_action_parts (account_id, bulk_action_id, number)
  where changed_ids is null;

select landfall.protect_table('landfall.bulk_action_parts', for_app => 'select, insert, update');

------------------------------------------------------------------------------------------------------------------------
-- 18. Carrier access
------------------------------------------------------------------------------------------------------------------------

-- An account's credentials at a carrier. `sealed` is for the workers alone: the request role writes it and can never
-- read it. A row whose credentials were removed stays, empty, so that its version continues.
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

-- Configuration of the workers for each connector, written by themselves; no secret of it. `accounts` lists the
-- accounts that it serves; simulated carriers serve every account. A changed configuration has another fingerprint,
-- which ends a suspension.
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

-- Carriers whose address the workers are configured with, written by themselves. It says which carriers that publish no
-- address can be called; the addresses themselves stay in the configuration.
create table landfall.carrier_addresses (
  connector text primary key
);

select landfall.protect_table('landfall.carrier_addresses');
create policy everyone on landfall.carrier_addresses for select to landfall_app using (true);
grant select on landfall.carrier_addresses to landfall_app;

------------------------------------------------------------------------------------------------------------------------
-- 19. Questions to workers
------------------------------------------------------------------------------------------------------------------------

-- Questions that a request leaves for a worker, because only workers call carriers: credentials to try with one call,
-- and documents to fetch. The request writes a row and waits; a worker takes it, which removes the sealed credentials,
-- and writes the answer, which the request deletes as it reads it. Rows live for seconds, and unlogged, so that no log
-- and no backup keeps what was entered or fetched. The request role writes `sealed` and can never read it.
create unlogged table landfall.worker_questions (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  question jsonb not null,
  key_version text,
  sealed bytea,
  -- The request's trace, which the worker's span continues.
  traceparent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  taken_at timestamptz,
  answer jsonb,
  -- The fetched document.
  content bytea,
  primary key (account_id, id),
  constraint worker_questions_short_life check (expires_at <= created_at + interval '1 minute'),
  constraint worker_questions_question_size check (octet_length(question::text) <= 16384),
  constraint worker_questions_sealed_size check (octet_length(sealed) <= 131072),
  constraint worker_questions_sealed_whole check ((key_version is null) = (sealed is null)),
  constraint worker_questions_content_size check (octet_length(content) <= 5242880)
);

select landfall.protect_table('landfall.worker_questions', for_app => '
  select (account_id, id, kind, created_at, expires_at, taken_at, answer, content), insert, delete
');

------------------------------------------------------------------------------------------------------------------------
-- 20. Carrier budgets and health
------------------------------------------------------------------------------------------------------------------------

-- The requests that each carrier still allows, where there is no Redis. Lost in a crash, after which the buckets are
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

select landfall.protect_table('landfall.carrier_served', for_app => 'select');

-- The answers of carriers, as each worker saw them lately, by credential.
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

-- Live workers: each one's share of a budget while the store of the buckets is unavailable. `loop_delay_ms`: the event
-- loop delay at the 99th percentile, in the last report; null: not measured.
create unlogged table landfall.workers (
  id uuid primary key,
  seen_at timestamptz not null default now(),
  loop_delay_ms double precision
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
-- 21. Carrier subscriptions
------------------------------------------------------------------------------------------------------------------------

-- Subscriptions by which carriers send events. `id` and the random `token` make the callback's address; the signature
-- proves the sender.
create table landfall.carrier_subscriptions (
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
  -- Maintenance is due at this time; it adds one to the epoch, and writes of an older epoch are refused.
  check_at timestamptz not null default now(),
  epoch bigint not null default 0,
  created_at timestamptz not null default now(),
  -- The first delivery with a valid signature: from then on the shipments are refreshed less often.
  verified_at timestamptz,
  last_delivery_at timestamptz,
  ended_at timestamptz,
  primary key (account_id, id),
  constraint carrier_subscriptions_state_known check (state in ('requested', 'active', 'failed', 'ended')),
  constraint carrier_subscriptions_token_length check (length(token) = 32),
  constraint carrier_subscriptions_previous_whole check ((previous_sealed is null) = (previous_key_version is null))
);

create unique index carrier_subscriptions_one_each
  on landfall.carrier_subscriptions (account_id, connector, credential_id)
  where state <> 'ended';
create unique index carrier_subscriptions_by_id on landfall.carrier_subscriptions (id);
create index carrier_subscriptions_to_check on landfall.carrier_subscriptions (check_at) where state <> 'ended';
-- Ended subscriptions are removed with the last of their deliveries.
create index carrier_subscriptions_ended on landfall.carrier_subscriptions (ended_at) where state = 'ended';

-- The request role records that a delivery came, and can read neither the secrets nor the addresses.
select landfall.protect_table('landfall.carrier_subscriptions', for_app => '
  select (account_id, id, verified_at, last_delivery_at), update (verified_at, last_delivery_at)
');

-- Bodies as they were received. The same body for the same subscription is kept once: carriers send again what they
-- think was lost.
create table landfall.carrier_deliveries (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  subscription_id uuid not null,
  body bytea not null,
  body_hash bytea not null,
  received_at timestamptz not null default now(),
  state text not null default 'received',
  attempts integer not null default 0,
  -- A worker may take it from this time on, which is also when the lease of the worker that has it ends.
  retry_at timestamptz not null default now(),
  processed_at timestamptz,
  events integer,
  shipments integer,
  reason text,
  primary key (account_id, id),
  constraint carrier_deliveries_once unique (account_id, subscription_id, body_hash),
  constraint carrier_deliveries_subscription foreign key (account_id, subscription_id)
    references landfall.carrier_subscriptions (account_id, id) on delete cascade,
  constraint carrier_deliveries_state_known check (state in ('received', 'processed', 'failed')),
  constraint carrier_deliveries_hash_size check (octet_length(body_hash) = 32)
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05);

create index carrier_deliveries_pending on landfall.carrier_deliveries (account_id, id) where state = 'received';
create index carrier_deliveries_by_received_at on landfall.carrier_deliveries (received_at) where state <> 'received';

-- The body is never rewritten.
select landfall.protect_table(
  'landfall.carrier_deliveries',
  for_system => 'select, delete, update (state, attempts, retry_at, processed_at, events, shipments, reason)',
  for_app => 'select, insert'
);

------------------------------------------------------------------------------------------------------------------------
-- 22. Shares
------------------------------------------------------------------------------------------------------------------------

-- Links to public pages of single shipments. Of a link's token only the SHA-256 is stored. A share ends at
-- `expires_at`, or `days_after_close` days after its shipment has closed, or when it is revoked.
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
  primary key (account_id, id),
  foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade,
  constraint shares_token_unique unique (token_hash),
  constraint shares_token_is_sha256 check (octet_length(token_hash) = 32),
  constraint shares_label_length check (length(label) between 1 and 200),
  constraint shares_shows_known check (shows <@ array['identifiers', 'carrier', 'reference', 'tags', 'metadata']),
  constraint shares_one_end check (num_nonnulls(expires_at, days_after_close) = 1),
  constraint shares_days_range check (days_after_close between 1 and 365)
);

create index shares_of_shipment on landfall.shares (account_id, shipment_id, id);

select landfall.protect_table('landfall.shares', for_app => '
  select (account_id, id, shipment_id, test, label, shows, password_hash, expires_at, days_after_close, created_by,
    created_at, revoked_at), insert, update (revoked_at)
');

-- The look of an account's shared pages, and the fields of new shares. An account without a row has the defaults.
-- `logo` is a PNG that the API has drawn itself.
create table landfall.share_settings (
  account_id uuid primary key references landfall.accounts (id) on delete cascade,
  name text,
  accent_color text,
  support_url text,
  language text not null default 'en',
  embed_origins text[] not null default '{}',
  shows text[] not null default '{}',
  days_after_close smallint not null default 30,
  logo bytea,
  logo_hash text generated always as (encode(sha256(logo), 'hex')) stored,
  updated_at timestamptz(3) not null default now(),
  constraint share_settings_name_length check (length(name) between 1 and 100),
  constraint share_settings_accent_color_form check (accent_color ~ '^#[0-9a-f]{6}$'),
  constraint share_settings_support_url_length check (length(support_url) <= 500),
  constraint share_settings_language_known check (language in ('en', 'de', 'fr', 'es', 'pt', 'nl', 'zh', 'ja')),
  constraint share_settings_embed_origins_count check (cardinality(embed_origins) <= 20),
  constraint share_settings_shows_known
    check (shows <@ array['identifiers', 'carrier', 'reference', 'tags', 'metadata']),
  constraint share_settings_days_range check (days_after_close between 1 and 365),
  constraint share_settings_logo_size check (octet_length(logo) <= 262144)
);

select landfall.protect_table('landfall.share_settings', for_app => 'select, insert, update');

------------------------------------------------------------------------------------------------------------------------
-- 23. Saved views and alerts
------------------------------------------------------------------------------------------------------------------------

-- A saved view is a named list of shipments: `filter` is the filter of the list as the API takes it, `search` the state
-- of the list in the dashboard. `filter` null: the list depends on the day on which it is read. `owner_id` null: the
-- member who shared it was removed.
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

-- A member's choice of notifications. `mail_token`: proves in links of mails that the reader received them. `mentions`:
-- whether the member is notified of mentions and assignments.
create table landfall.alert_preferences (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  user_id uuid not null,
  time_zone text not null default 'UTC',
  digest_hour smallint not null default 7,
  channels text[] not null default '{email}',
  timing text not null default 'at_once',
  quiet_from smallint,
  quiet_to smallint,
  notices boolean not null default true,
  mentions boolean not null default true,
  mail_off_at timestamptz(3),
  mail_token bytea not null,
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, user_id),
  constraint alert_preferences_member foreign key (account_id, user_id)
    references auth.members (organization_id, user_id) on delete cascade,
  constraint alert_preferences_zone_length check (length(time_zone) between 1 and 64),
  constraint alert_preferences_digest_hour check (digest_hour between 0 and 23),
  constraint alert_preferences_channels_known check (channels <@ '{email,slack,teams,webhook}'),
  constraint alert_preferences_timing_known check (timing in ('at_once', 'hourly', 'daily', 'weekdays')),
  constraint alert_preferences_quiet check (
    (quiet_from is null) = (quiet_to is null)
    and (quiet_from is null or (quiet_from between 0 and 23 and quiet_to between 0 and 23 and quiet_from <> quiet_to))
  ),
  constraint alert_preferences_token_size check (octet_length(mail_token) = 16)
);

select landfall.protect_table('landfall.alert_preferences', for_app => 'select, insert, update, delete');

-- A destination of a member's messages besides e-mail. The address is a secret of Slack and Teams; `secret_sealed`
-- signs webhooks.
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
    references landfall.alert_preferences (account_id, user_id) on delete cascade,
  constraint alert_channels_kind_known check (kind in ('slack', 'teams', 'webhook')),
  constraint alert_channels_secret_whole check (
    (secret_sealed is null) = (secret_key_version is null) and (secret_sealed is not null) = (kind = 'webhook')
  )
);

create unique index alert_channels_by_id on landfall.alert_channels (id);

select landfall.protect_table('landfall.alert_channels', for_app => 'select, insert, update, delete');

-- An alert follows the shipments of a saved view, or one shipment. Changes up to `from_sequence` are old.
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
  primary key (account_id, id),
  constraint alerts_person foreign key (account_id, user_id)
    references landfall.alert_preferences (account_id, user_id) on delete cascade,
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

-- Each change of the feed up to `sequence` has been evaluated by the alerts of its mode. `swept_at`: what happens by
-- time alone has been evaluated up to then.
create table landfall.alert_cursors (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  test boolean not null,
  sequence bigint not null,
  epoch bigint not null default 0,
  lease_until timestamptz,
  swept_at timestamptz not null,
  primary key (account_id, test)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);

create index alert_cursors_by_sweep on landfall.alert_cursors (swept_at);

select landfall.protect_table('landfall.alert_cursors', for_app => 'select, insert, update');

-- The start of failing tracking of a shipment, for accounts with alerts.
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

-- The outbox: one thing that one member is notified of by one channel. `key` names the change, or what happened by time
-- alone.
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
    references landfall.alert_preferences (account_id, user_id) on delete cascade
);

create index alert_entries_waiting on landfall.alert_entries (account_id, user_id, channel, test, timing, due_at)
  where message_id is null;
create index alert_entries_of_message on landfall.alert_entries (account_id, message_id, created_at)
  where message_id is not null;
create index alert_entries_of_shipment on landfall.alert_entries (account_id, shipment_id)
  where shipment_id is not null;
create index alert_entries_old on landfall.alert_entries (created_at);

select landfall.protect_table('landfall.alert_entries', for_app => 'select, insert, update, delete');

-- Entries of a member with one channel, mode and timing go out together. `held_until`: after many entries at once, or
-- many messages since `counted_from`, the next one waits.
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
    references landfall.alert_preferences (account_id, user_id) on delete cascade
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
    references landfall.alert_preferences (account_id, user_id) on delete cascade,
  constraint alert_messages_kind_known check (kind in ('changes', 'trial')),
  constraint alert_messages_state_known check (state in ('waiting', 'sent', 'failed', 'dropped')),
  constraint alert_messages_next_try check ((state = 'waiting') = (next_try_at is not null))
);

create index alert_messages_waiting on landfall.alert_messages (next_try_at) where state = 'waiting';
create index alert_messages_of_person on landfall.alert_messages (account_id, user_id, id);
create index alert_messages_old on landfall.alert_messages (created_at) where state <> 'waiting';

select landfall.protect_table('landfall.alert_messages', for_app => 'select, insert, update');

-- Notices to the owners of an account, apart from its shipments, once for each key.
create table landfall.alert_notices (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  key text not null,
  kind text not null,
  test boolean not null,
  facts jsonb not null,
  created_at timestamptz not null default now(),
  notified_at timestamptz,
  primary key (account_id, key)
);

create index alert_notices_pending on landfall.alert_notices (created_at) where notified_at is null;
create index alert_notices_old on landfall.alert_notices (created_at) where notified_at is not null;

select landfall.protect_table('landfall.alert_notices', for_app => 'select, insert, update');

------------------------------------------------------------------------------------------------------------------------
-- 24. Notes
------------------------------------------------------------------------------------------------------------------------

-- Notes of members and keys about a shipment: plain text, in which `@user_…` mentions a member.
create table landfall.notes (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  user_id uuid,
  key_id uuid,
  text text not null,
  mentions uuid[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  edits integer not null default 0,
  primary key (account_id, id),
  constraint notes_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint notes_person foreign key (account_id, user_id)
    references landfall.account_members (account_id, user_id),
  constraint notes_of_one check (num_nonnulls(user_id, key_id) = 1),
  constraint notes_text_length check (length(text) between 1 and 8000),
  constraint notes_mentions_count check (cardinality(mentions) <= 20)
);

create index notes_of_shipment on landfall.notes (account_id, shipment_id, id);
create index notes_of_person on landfall.notes (account_id, user_id) where user_id is not null;

select landfall.protect_table('landfall.notes', for_app => 'select, insert, update, delete');

------------------------------------------------------------------------------------------------------------------------
-- 25. Analytics
------------------------------------------------------------------------------------------------------------------------

-- The measures of each shipment, computed by shared/domain/analytics. A worker follows the feed and writes them; the
-- record stays as it is. A place that no carrier stated is `unknown`.
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
  primary key (account_id, shipment_id),
  constraint shipment_measures_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint shipment_measures_of_arrival check (
    (arrived_day is null) = (arrived_at is null) and (arrived_day is null) = (on_time is null)
    and (arrived_day is null) = (free_time_outcome is null) and (arrived_day is not null or transit_hours is null)
  )
);

create index shipment_measures_by_arrival on landfall.shipment_measures (account_id, test, arrived_day, carrier)
  where arrived_day is not null;
create index shipment_measures_by_registration
  on landfall.shipment_measures (account_id, test, registered_day, carrier);

select landfall.protect_table('landfall.shipment_measures', for_app => 'select, insert, update, delete');

-- The arrivals of one day at their places, by carrier, mode and lane. `transit_hours` has the hours of each one whose
-- time in transit is known, so that percentiles of any days and lanes together are exact.
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
  primary key (
    account_id, test, day, carrier, transport_mode, origin, destination, origin_country, destination_country
  )
);

select landfall.protect_table('landfall.arrival_cells', for_app => 'select, insert, update, delete');

-- The registrations of one day in UTC. `first_event_minutes` has those of each one that has an event.
create table landfall.registration_cells (
  account_id uuid not null,
  test boolean not null,
  day date not null,
  carrier text not null,
  transport_mode text not null,
  registered integer not null,
  first_event_minutes integer[] not null,
  primary key (account_id, test, day, carrier, transport_mode)
);

select landfall.protect_table('landfall.registration_cells', for_app => 'select, insert, update, delete');

-- The state of tracking of the open shipments, as of `measured_at` of the cursor.
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
  primary key (account_id, test, carrier, transport_mode)
);

select landfall.protect_table('landfall.tracking_cells', for_app => 'select, insert, update, delete');

-- The measures follow the feed up to `sequence`. `scanned_to`: the measures of all shipments are being made, in the
-- order of their ids, and are done up to this one; null: all of them are made. `shape`: which measures they are.
create table landfall.analytics_cursors (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  test boolean not null,
  sequence bigint not null,
  scanned_to uuid,
  shape smallint not null,
  followed_at timestamptz(3) not null default now(),
  measured_at timestamptz(3),
  primary key (account_id, test)
) with (fillfactor = 50);

create index analytics_cursors_scanning on landfall.analytics_cursors (account_id, test) where scanned_to is not null;
create index analytics_cursors_by_measure on landfall.analytics_cursors (measured_at nulls first);

select landfall.protect_table('landfall.analytics_cursors', for_app => 'select, insert, update');

-- Days whose cells are to be counted again, because shipments were removed.
create table landfall.stale_cells (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id uuid not null default uuidv7(),
  test boolean not null,
  carrier text not null,
  arrived_day date,
  registered_day date not null,
  primary key (account_id, id)
);

select landfall.protect_table('landfall.stale_cells', for_app => 'select, insert, delete');

------------------------------------------------------------------------------------------------------------------------
-- 26. Rate limits
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
-- 27. Operations history
------------------------------------------------------------------------------------------------------------------------

-- The last day of the operations screens: one row for each five minutes, from whichever worker is first. `connectors`:
-- calls and successes of the five minutes before, and whether calls were limited, by connector.
create table landfall.operations_samples (
  at timestamptz not null,
  oldest_due_s double precision not null,
  calls_per_minute integer not null,
  troubled integer not null,
  failed_refreshes integer not null,
  feed_age_s double precision not null,
  connectors jsonb not null,
  primary key (at),
  constraint operations_samples_connectors_size check (octet_length(connectors::text) <= 20000)
);

select landfall.protect_table('landfall.operations_samples');

------------------------------------------------------------------------------------------------------------------------
-- 28. Traces
------------------------------------------------------------------------------------------------------------------------

-- The trace store: the part of a trace of each process, as telemetry kept it. Unlogged and by day, so that writing is
-- cheap and expiry drops a table; lost in a crash. Partitions are made ahead; if that fails, rows go to the default
-- one.
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

create index trace_parts_by_trace on landfall.trace_parts (trace_id);
create index trace_parts_by_time on landfall.trace_parts (started_at desc);
create index trace_parts_by_shipment on landfall.trace_parts (shipment_id, started_at desc)
  where shipment_id is not null;
create index trace_parts_by_carrier on landfall.trace_parts (carrier, started_at desc) where carrier is not null;
-- Without it a rare outcome was found by reading the whole day: 1,805 pages of 100,000 parts instead of 103.
create index trace_parts_by_outcome on landfall.trace_parts (outcome, started_at desc) where outcome is not null;
create index trace_parts_failed on landfall.trace_parts (started_at desc) where failed;
create index trace_parts_slowest on landfall.trace_parts (duration_us desc);

select landfall.protect_table('landfall.trace_parts', for_system => 'select, insert, delete');

create unlogged table landfall.trace_parts_default partition of landfall.trace_parts default;
select landfall.protect_table('landfall.trace_parts_default', for_system => 'select, insert, delete');

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

create index spans_by_trace on landfall.spans (trace_id);

select landfall.protect_table('landfall.spans', for_system => 'select, insert, delete');

create unlogged table landfall.spans_default partition of landfall.spans default;
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
-- 29. Reading shipments
------------------------------------------------------------------------------------------------------------------------

-- Reads several single shipments in one statement, so that concurrent requests share a round trip. The account is set
-- for each read before that read is planned and run, and the function runs as its caller: row-level security holds for
-- each read alone, also between reads of different accounts. `place` numbers the reads from 1; a read that finds
-- nothing has no row. The events of a settled shipment's journey are in its packed row.
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
returns table (
  place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier text,
  carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code text,
  status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
  archived_at timestamptz, version bigint, overdue_hours integer, late boolean, stale_after_hours smallint, state text,
  reason text, source text, last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz,
  next_refresh_at timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean,
  needs_attention boolean, freshness text, packed_journey bytea, journey_text text, record jsonb,
  current_position jsonb, assignee jsonb, notes_count integer
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
        s.notes_count
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

revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;
