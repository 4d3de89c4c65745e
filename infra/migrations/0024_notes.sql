-- The people of an account by name. Who has left stays, so that notes and the audit of old shipments keep their names.
-- `released_at`: what was assigned to somebody who left is nobody's again.
create table landfall.account_people (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  user_id uuid not null,
  name text not null,
  left_at timestamptz(3),
  released_at timestamptz(3),
  primary key (account_id, user_id),
  constraint account_people_released check (released_at is null or left_at is not null)
);
create index account_people_unreleased on landfall.account_people (left_at)
  where left_at is not null and released_at is null;
insert into landfall.account_people (account_id, user_id, name)
select m.organization_id, m.user_id, u.name
from auth.members as m
join auth.users as u on u.id = m.user_id;
select landfall.protect_table('landfall.account_people', for_app => 'select');

-- Keeps the directory in the transaction that changes a membership or a name. Requests may read the directory, and
-- nothing in the schema `auth`.
create function landfall.keep_people() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_table_name = 'users' then
    update landfall.account_people set name = new.name where user_id = new.id and left_at is null;
  elsif tg_op = 'INSERT' then
    insert into landfall.account_people (account_id, user_id, name)
    select new.organization_id, u.id, u.name from auth.users as u where u.id = new.user_id
    on conflict (account_id, user_id) do update set name = excluded.name, left_at = null, released_at = null;
  else
    -- An assignment under way holds this row by its foreign key: it is seen by whoever releases, or sees who has left.
    perform from landfall.account_people
    where account_id = old.organization_id and user_id = old.user_id
    for update;
    update landfall.account_people set left_at = now(), released_at = null
    where account_id = old.organization_id and user_id = old.user_id;
  end if;
  return null;
end
$$;
create index account_people_of_user on landfall.account_people (user_id);
create trigger members_keep_people after insert or delete on auth.members
  for each row execute function landfall.keep_people();
create trigger users_keep_people after update of name on auth.users
  for each row when (old.name is distinct from new.name) execute function landfall.keep_people();
revoke execute on function landfall.keep_people() from public;
-- A new owner must be allowed to create in the schema at the moment when it becomes one.
grant create on schema landfall to landfall_system;
alter function landfall.keep_people() owner to landfall_system;
revoke create on schema landfall from landfall_system;

-- Who a shipment is assigned to, and how many notes it has.
alter table landfall.shipments
  add column assignee_id uuid,
  add column notes_count integer not null default 0,
  add constraint shipments_assignee foreign key (account_id, assignee_id)
    references landfall.account_people (account_id, user_id),
  add constraint shipments_notes_count_natural check (notes_count >= 0);
create index shipments_by_assignee on landfall.shipments (account_id, test, assignee_id, created_at, id)
  where assignee_id is not null;

-- What people and keys write about a shipment: plain text, in which `@user_…` mentions a member.
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
    references landfall.account_people (account_id, user_id),
  constraint notes_of_one check (num_nonnulls(user_id, key_id) = 1),
  constraint notes_text_length check (length(text) between 1 and 8000),
  constraint notes_mentions_count check (cardinality(mentions) <= 20)
);
create index notes_of_shipment on landfall.notes (account_id, shipment_id, id);
create index notes_of_person on landfall.notes (account_id, user_id) where user_id is not null;
select landfall.protect_table('landfall.notes', for_app => 'select, insert, update, delete');

-- Whether the member is told of mentions and assignments.
alter table landfall.alert_people add column mentions boolean not null default true;

drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
  returns table(place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier
    text, carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code
    text, status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
    archived_at timestamptz, version bigint, overdue_hours integer, late boolean, stale_after_hours smallint, state
    text, reason text, source text, last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at
    timestamptz, next_refresh_at timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean,
    needs_attention boolean, freshness text, packed_journey bytea, journey_text text, record jsonb, current_position
    jsonb, assignee jsonb, notes_count integer)
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
        p.stale_after_hours, p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at, p.next_refresh_at,
        p.consecutive_failures, p.trace_id, p.trace_kept, s.needs_attention,
        landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
        coalesce(s.packed_journey, (
          select h.packed from landfall.settled_shipments as h
          where s.settled_at is not null and h.account_id = s.account_id and h.shipment_id = s.id
        )), case when read.has_text then s.journey_text end, case when not read.has_text then s.record end,
        (
          select jsonb_build_object('lat', l.lat, 'lng', l.lng, 'at', l.at, 'source', l.source, 'vehicle', l.vehicle)
          from (
            select v.lat, v.lng, v.at, v.source, v.vehicle
            from landfall.vehicle_positions as v
            where v.account_id = s.account_id and v.shipment_id = s.id and v.at >= coalesce(s.last_event_at, '-infinity')
            union all
            select w.lat, w.lng, w.at, w.source, jsonb_build_object('name', w.name, 'imo', w.imo, 'voyage', null, 'flight', null)
            from landfall.vessel_positions as w
            where w.imo = s.vessel_imo and w.simulated = coalesce(starts_with(p.source, 'simulator:'), false)
          ) as l
          where s.closed_at is null
          order by l.at desc
          limit 1
        ),
        (
          select jsonb_build_object('userId', a.user_id, 'name', a.name) from landfall.account_people as a
          where a.account_id = s.account_id and a.user_id = s.assignee_id
        ), s.notes_count
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      cross join lateral (
        select coalesce(s.journey_shape = with_shapes[turn], false) and num_nonnulls(s.packed_journey, s.journey_text) > 0 as has_text
      ) as read
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;
revoke execute on function landfall.read_records(uuid[],uuid[],boolean[],smallint[]) from public;
grant execute on function landfall.read_records(uuid[],uuid[],boolean[],smallint[]) to landfall_app;
