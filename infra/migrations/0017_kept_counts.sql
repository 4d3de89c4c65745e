-- How many shipments each account has, by all that counts are asked by: kept, not counted. Writers only add deltas, so that none waits for
-- another; a job folds them into the counts, and who reads adds what is not folded yet.
create table landfall.shipment_counts (
  account_id uuid not null,
  test boolean not null,
  archived boolean not null,
  status text not null,
  state text not null,
  has_exception boolean not null,
  counted bigint not null,
  primary key (account_id, test, archived, status, state, has_exception)
) with (fillfactor = 50);

create table landfall.shipment_count_deltas (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  test boolean not null,
  archived boolean not null,
  status text not null,
  state text not null,
  has_exception boolean not null,
  delta bigint not null,
  primary key (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The owner of a table is bound by its policies too; without this a backfill by anyone but a superuser would see nothing.
alter table landfall.shipments no force row level security;
alter table landfall.polling no force row level security;

insert into landfall.shipment_counts (account_id, test, archived, status, state, has_exception, counted)
select s.account_id, s.test, s.archived_at is not null, s.status, coalesce(p.state, 'queued'), s.has_exception, count(*)
from landfall.shipments as s
left join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
group by 1, 2, 3, 4, 5, 6;

alter table landfall.shipments force row level security;
alter table landfall.polling force row level security;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['shipment_counts', 'shipment_count_deltas'] loop
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

-- Nobody takes anything back on a request's path.
grant select on landfall.shipment_counts to landfall_app;
grant select, insert on landfall.shipment_count_deltas to landfall_app;
grant select, insert, update on landfall.shipment_counts to landfall_system;
-- `update` is what locking them takes.
grant select, insert, update, delete on landfall.shipment_count_deltas to landfall_system;

-- A shipment without a polling row counts as queued, as its row will be: then a registration writes one delta, and an import one a statement.
create function landfall.count_new_shipments() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
  select n.account_id, n.test, n.archived_at is not null, n.status, 'queued', n.has_exception, count(*)
  from new_shipments as n
  group by 1, 2, 3, 4, 6;
  return null;
end
$$;

create trigger shipments_count_new after insert on landfall.shipments
  referencing new table as new_shipments for each statement execute function landfall.count_new_shipments();

-- Whoever changes a state holds the shipment's row until the end of the transaction (all do, before they touch polling; here it is made sure),
-- so a status and a state that change at the same moment see one another.
create function landfall.count_changed_shipment() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
declare
  of_state text := coalesce((select p.state from landfall.polling as p where p.account_id = old.account_id and p.shipment_id = old.id), 'queued');
begin
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
  values (old.account_id, old.test, old.archived_at is not null, old.status, of_state, old.has_exception, -1);
  if tg_op = 'DELETE' then
    return old;
  end if;
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
  values (new.account_id, new.test, new.archived_at is not null, new.status, of_state, new.has_exception, 1);
  return null;
end
$$;

create trigger shipments_count_changed after update on landfall.shipments
  for each row when (
    (old.test, old.archived_at is null, old.status, old.has_exception) is distinct from
    (new.test, new.archived_at is null, new.status, new.has_exception)
  )
  execute function landfall.count_changed_shipment();
-- Before, while its polling row is still there.
create trigger shipments_count_removed before delete on landfall.shipments
  for each row execute function landfall.count_changed_shipment();

create function landfall.count_changed_state() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
declare
  subject record;
  from_state text := 'queued';
  to_state text := 'queued';
begin
  if tg_op <> 'INSERT' then
    from_state := old.state;
    select s.account_id, s.test, s.archived_at is not null as archived, s.status, s.has_exception into subject
    from landfall.shipments as s where s.account_id = old.account_id and s.id = old.shipment_id
    for no key update;
  else
    select s.account_id, s.test, s.archived_at is not null as archived, s.status, s.has_exception into subject
    from landfall.shipments as s where s.account_id = new.account_id and s.id = new.shipment_id
    for no key update;
  end if;
  if tg_op <> 'DELETE' then
    to_state := new.state;
  end if;
  -- A shipment that is removed with its polling row took its count along.
  if subject.account_id is not null then
    insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, delta)
    values
      (subject.account_id, subject.test, subject.archived, subject.status, from_state, subject.has_exception, -1),
      (subject.account_id, subject.test, subject.archived, subject.status, to_state, subject.has_exception, 1);
  end if;
  return null;
end
$$;

create trigger polling_count_new after insert on landfall.polling
  for each row when (new.state <> 'queued') execute function landfall.count_changed_state();
create trigger polling_count_changed after update on landfall.polling
  for each row when (old.state is distinct from new.state) execute function landfall.count_changed_state();
create trigger polling_count_removed after delete on landfall.polling
  for each row when (old.state <> 'queued') execute function landfall.count_changed_state();
