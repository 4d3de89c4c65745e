-- Who signs in to the dashboard: the tables of better-auth (users, their passwords and sessions; organizations, which are our accounts, with
-- their members and invitations) and links that make the first user. In a schema and under a role of their own: a request with a key cannot
-- reach them, and a session cannot reach shipments by way of them.
create schema auth;

do $$
begin
  if not exists (select from pg_roles where rolname = 'landfall_auth') then
    begin
      create role landfall_auth nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  for attempt in 1..20 loop
    exit when pg_has_role(current_user, 'landfall_auth', 'set')
      and (select rolsuper from pg_roles where rolname = current_user);
    exit when exists (
      select from pg_auth_members as m
        join pg_roles as granted on granted.oid = m.roleid
        join pg_roles as member on member.oid = m.member
      where granted.rolname = 'landfall_auth' and member.rolname = current_user and m.set_option
    );
    begin
      execute format('grant landfall_auth to %I with inherit false, set true', current_user);
    exception
      when unique_violation then null;
      -- "tuple concurrently updated": another database of the cluster granted at the same moment
      when internal_error then perform pg_sleep(0.05);
    end;
  end loop;
end
$$;

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

-- How a user signs in; better-auth calls it an account, a word that means something else here. For a password `provider_id` is `credential`.
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

-- The link's token is kept as a hash: what is read from the database opens nothing.
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

-- The link that makes the first user: at most one, and none once somebody has used it.
create table auth.claim (
  the_only boolean primary key default true,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  constraint claim_is_one check (the_only)
);

-- What cookies are signed with; every process of the installation signs alike.
create table auth.signing_secret (
  the_only boolean primary key default true,
  secret text not null,
  constraint signing_secret_is_one check (the_only)
);

grant usage on schema auth to landfall_auth;
grant select, insert, update, delete on all tables in schema auth to landfall_auth;

-- How many under way are late, by status: the dashboard's first line.
create index shipments_late on landfall.shipments (account_id, test, status)
  where delay_hours >= 24 and archived_at is null and status not in ('delivered', 'returned', 'failed', 'cancelled');
