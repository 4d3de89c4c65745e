-- Who made a key: the signed-in user `created_by`, or another key `made_with`. Both null: the operator. A key that a
-- leaver made with a key of theirs is theirs too, so the chain matters.
alter table landfall.api_keys add column created_by uuid, add column made_with uuid;

-- The maker of the existing keys is in the audit log, as a TypeID: 26 characters of Crockford's base32.
create function landfall.uuid_of_type_id(written text) returns uuid language sql immutable set search_path = pg_catalog as $$
  select (to_hex(('x0' || substr(hex, 1, 1))::bit(8)::integer) || substr(hex, 2))::uuid
  from (
    select string_agg(to_hex(substr(bits, n * 4 + 1, 4)::bit(4)::integer), '' order by n) as hex
    from (
      select substr(string_agg((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(right(written, 26), n, 1)) - 1)::bit(5)::text, '' order by n), 3) as bits
      from generate_series(1, 26) as n
    ) as decoded, generate_series(0, 31) as n
  ) as digits
$$;
grant execute on function landfall.uuid_of_type_id(text) to landfall_system;
set local role landfall_system;
with made as (
  select account_id, subject_id as key_id, actor from landfall.audit where action = 'api_key.created'
  union all
  select account_id, landfall.uuid_of_type_id(detail ->> 'rotatedTo'), actor from landfall.audit
  where action = 'api_key.rotated' and detail ->> 'rotatedTo' ~ '^key_[0-7][0-9a-hjkmnp-tv-z]{25}$'
)
update landfall.api_keys as k
set created_by = case when m.actor like 'user\_%' then landfall.uuid_of_type_id(m.actor) end,
  made_with = case when m.actor like 'key\_%' then landfall.uuid_of_type_id(m.actor) end
from made as m
where k.account_id = m.account_id and k.id = m.key_id and m.actor ~ '^(user|key)_[0-7][0-9a-hjkmnp-tv-z]{25}$';
reset role;
drop function landfall.uuid_of_type_id(text);

-- A user who is being removed can't make a key that the removal doesn't see: the lock waits for the removal, or lets it
-- wait. With its owner's rights, because the request role can't read the members.
create function landfall.admit_key_maker() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  perform from auth.members where organization_id = new.account_id and user_id = new.created_by for key share;
  if not found then
    raise exception 'the maker of the key is not a member of the account' using errcode = 'integrity_constraint_violation', constraint = 'api_keys_made_by_member';
  end if;
  return null;
end
$$;
revoke execute on function landfall.admit_key_maker() from public;
create trigger admit_key_maker after insert on landfall.api_keys
  for each row when (new.created_by is not null) execute function landfall.admit_key_maker();

-- Removing a member ends their keys and writes the audit log in one transaction of the role for people.
grant usage on schema landfall to landfall_auth;
grant select (account_id, id, name, prefix, last_four, scopes, test, created_at, expires_at, revoked_at, last_used_at,
  rotated_to, created_by, made_with), update (revoked_at) on landfall.api_keys to landfall_auth;
create policy people_read on landfall.api_keys for select to landfall_auth using (true);
create policy people_revoke on landfall.api_keys for update to landfall_auth using (true);
grant insert on landfall.audit to landfall_auth;
create policy people_append on landfall.audit for insert to landfall_auth with check (true);

-- Earlier builds left the invitations of former owners open.
update auth.invitations as i set status = 'canceled'
where i.status = 'pending' and not exists (
  select from auth.members as m
  where m.organization_id = i.organization_id and m.user_id = i.inviter_id and m.role = 'owner'
);

-- Earlier builds stored tokens and the secret that signs them in plain text, so that a copy of the database could sign
-- in as anybody. Everybody signs in again.
delete from auth.sessions;
alter table auth.sessions add constraint sessions_token_hashed check (token ~ '^[0-9a-f]{64}$');
drop table auth.signing_secret;
-- Sealed with the installation's keys. `key_version` null: it has none, and the secret is stored as it is.
create table auth.signing_secret (
  the_only boolean not null default true,
  key_version text,
  secret bytea not null,
  constraint signing_secret_pkey primary key (the_only),
  constraint signing_secret_is_one check (the_only)
);
grant select, insert, update, delete on auth.signing_secret to landfall_auth;

-- The role for the queue in PostgreSQL, as 0001 creates the others. It owns only the queue's schema.
do $$
begin
  if not exists (select from pg_roles where rolname = 'landfall_queue') then
    begin
      create role landfall_queue nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  for attempt in 1..20 loop
    exit when (select rolsuper from pg_roles where rolname = current_user);
    exit when exists (
      select from pg_auth_members as m
      where m.roleid = 'landfall_queue'::regrole and m.member = current_user::regrole and m.set_option
    );
    begin
      execute format('grant landfall_queue to %I with inherit false, set true', current_user);
    exception
      when unique_violation then null;
      -- "tuple concurrently updated": another database of the cluster granted at the same moment.
      when internal_error then perform pg_sleep(0.05);
    end;
  end loop;
end
$$;

-- BullMQ creates its schema itself, and asks for this right even if the schema exists. Earlier builds created it as the
-- owner of the database.
do $$
declare
  change text;
begin
  execute format('grant create on database %I to landfall_queue', current_database());
  if to_regnamespace('landfall_queue') is null then
    return;
  end if;
  alter schema landfall_queue owner to landfall_queue;
  for change in
    select format('alter table %s owner to landfall_queue', c.oid::regclass)
    from pg_class as c where c.relnamespace = 'landfall_queue'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    union all
    select format('alter sequence %s owner to landfall_queue', c.oid::regclass)
    from pg_class as c
    where c.relnamespace = 'landfall_queue'::regnamespace and c.relkind = 'S'
      and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to landfall_queue', p.oid::regprocedure)
    from pg_proc as p where p.pronamespace = 'landfall_queue'::regnamespace
    union all
    select format('alter type %s owner to landfall_queue', t.oid::regtype)
    from pg_type as t
      left join pg_class as c on c.oid = t.typrelid
    where t.typnamespace = 'landfall_queue'::regnamespace and (t.typtype in ('e', 'd') or c.relkind = 'c')
  loop
    execute change;
  end loop;
end
$$;

-- Every process can compare the migrations with its own.
grant select on landfall.migrations to landfall_app;
