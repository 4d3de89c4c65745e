-- Whether a shipment needs attention, stored so that lists and counts of it cost as much as those of exceptions.
-- `attention_at` is when time alone will make it need attention; null if it does already, or time will not.
-- The counts are rebuilt below, so nothing may change meanwhile.
lock table landfall.shipments, landfall.polling, landfall.shipment_counts, landfall.shipment_count_deltas
  in share row exclusive mode;

-- The owner is not a superuser everywhere, and row-level security is forced.
alter table landfall.shipments no force row level security;
alter table landfall.polling no force row level security;
alter table landfall.shipment_counts no force row level security;
alter table landfall.shipment_count_deltas no force row level security;

alter table landfall.shipments
  add column needs_attention boolean not null default false,
  add column attention_at timestamptz;

-- The one rule in SQL, the same as attentionFrom in shared/domain/shipments/needs-attention.ts: from when on a shipment
-- needs attention. '-infinity': already. Null: time alone will not. `overdue_at`: from when on it is overdue. A delay
-- alone, which `late_from` has as '-infinity', is no reason before the ETA has passed.
create function landfall.attention_from(has_exception boolean, overdue_at timestamptz, state text, reason text,
  last_succeeded_at timestamptz, tracking_since timestamptz)
  returns timestamptz
  language sql
  stable parallel safe
return least(case when state <> 'stopped' then overdue_at end, case
  when has_exception or state = 'failed' then '-infinity'
  when state in ('awaiting_carrier', 'degraded') and reason in ('credentials_missing', 'carrier_auth_failed',
    'data_withheld', 'not_found', 'invalid_identifier', 'wrong_identifier_type', 'carrier_not_supported') then '-infinity'
  when state = 'awaiting_carrier' then greatest(tracking_since, last_succeeded_at) + interval '48 hours'
  when state = 'degraded' then greatest(tracking_since, last_succeeded_at) + interval '24 hours'
end);

update landfall.shipments as s
set needs_attention = a.from_at <= now(), attention_at = case when a.from_at > now() then a.from_at end
from (
  select p.account_id, p.shipment_id, landfall.attention_from(t.has_exception,
    case when t.overdue_from is not null then greatest(t.late_from, t.overdue_from) end, p.state, p.reason,
    p.last_succeeded_at, coalesce(p.tracking_since, t.created_at)) as from_at
  from landfall.polling as p
  join landfall.shipments as t on t.account_id = p.account_id and t.id = p.shipment_id
) as a
where s.account_id = a.account_id and s.id = a.shipment_id and a.from_at is not null;

create index shipments_needing_attention on landfall.shipments (account_id, test, created_at, id) where needs_attention;
create index shipments_attention_due on landfall.shipments (attention_at)
  where attention_at is not null and archived_at is null;

-- Two more dimensions of the kept counts. A reason of '' is none.
delete from landfall.shipment_count_deltas;
delete from landfall.shipment_counts;
alter table landfall.shipment_count_deltas add column reason text not null, add column needs_attention boolean not null;
alter table landfall.shipment_counts
  add column reason text not null,
  add column needs_attention boolean not null,
  drop constraint shipment_counts_pkey,
  add constraint shipment_counts_pkey
    primary key (account_id, test, archived, status, state, has_exception, reason, needs_attention);

insert into landfall.shipment_counts (account_id, test, archived, status, state, has_exception, reason,
  needs_attention, counted)
select s.account_id, s.test, s.archived_at is not null, s.status, coalesce(p.state, 'queued'), s.has_exception,
  coalesce(p.reason, ''), s.needs_attention, count(*)
from landfall.shipments as s
left join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
group by 1, 2, 3, 4, 5, 6, 7, 8;

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
    case when new.overdue_from is not null then greatest(new.late_from, new.overdue_from) end, tracked.state, tracked.reason,
    tracked.last_succeeded_at, coalesce(tracked.tracking_since, new.created_at));
  new.needs_attention := coalesce(from_at <= now(), false);
  new.attention_at := case when from_at > now() then from_at end;
  return new;
end
$$;

create trigger shipments_decide_attention before update on landfall.shipments
  for each row
  when (old.has_exception is distinct from new.has_exception or old.overdue_from is distinct from new.overdue_from
    or old.late_from is distinct from new.late_from)
  execute function landfall.decide_attention();
create trigger shipments_decide_attention_new before insert on landfall.shipments
  for each row
  when (new.has_exception)
  execute function landfall.decide_attention();

drop trigger shipments_count_changed on landfall.shipments;
create trigger shipments_count_changed after update on landfall.shipments
  for each row
  when (old.test is distinct from new.test or (old.archived_at is null) is distinct from (new.archived_at is null)
    or old.status is distinct from new.status or old.has_exception is distinct from new.has_exception
    or old.needs_attention is distinct from new.needs_attention)
  execute function landfall.count_changed_shipment();

drop trigger polling_count_changed on landfall.polling;
create trigger polling_count_changed after update on landfall.polling
  for each row
  when (old.state is distinct from new.state or old.reason is distinct from new.reason
    or old.tracking_since is distinct from new.tracking_since)
  execute function landfall.count_changed_state();
drop trigger polling_count_new on landfall.polling;
create trigger polling_count_new after insert on landfall.polling
  for each row
  when (new.state <> 'queued' or new.reason is not null)
  execute function landfall.count_changed_state();
drop trigger polling_count_removed on landfall.polling;
create trigger polling_count_removed after delete on landfall.polling
  for each row
  when (old.state <> 'queued' or old.reason is not null)
  execute function landfall.count_changed_state();

-- Adds the column to the result of `read_records` and leaves the rest of it as earlier migrations made it.
do $$
declare
  was constant text :=
    pg_get_functiondef('landfall.read_records(uuid[], uuid[], boolean[], smallint[])'::regprocedure);
  result constant text := replace(was, 'trace_kept boolean,', 'trace_kept boolean, needs_attention boolean,');
  patched constant text := replace(result, 'p.trace_kept,', 'p.trace_kept, s.needs_attention,');
begin
  if result = was or patched = result then
    raise exception 'read_records returns no trace_kept';
  end if;
  drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
  execute patched;
end
$$;
revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;

-- Where a shipment is, for the map: at a place (`from`), or between the place that it left and the next one (`to`).
-- Null: no place with coordinates was reported. `destination` is there for the same map by destination.
alter table landfall.shipments add column position jsonb, add column map_key text, add column map_destination text;

create function landfall.map_place(place jsonb)
  returns jsonb
  language sql
  immutable parallel safe
return case when jsonb_typeof(place -> 'lat') = 'number' and jsonb_typeof(place -> 'lng') = 'number' then jsonb_build_object(
  'key', coalesce(place ->> 'unlocode', place ->> 'iata',
    round((place ->> 'lat')::numeric, 1) || '_' || round((place ->> 'lng')::numeric, 1)),
  'name', coalesce(place ->> 'name', place ->> 'unlocode', place ->> 'iata'),
  'lat', place -> 'lat', 'lng', place -> 'lng')
end;

create function landfall.position_of(record jsonb)
  returns jsonb
  language plpgsql
  immutable parallel safe
  set search_path to 'pg_catalog', 'landfall'
as $$
declare
  here jsonb := landfall.map_place(record -> 'currentLocation');
  leg jsonb;
begin
  if jsonb_typeof(record -> 'currentLocation') = 'object' or jsonb_typeof(record -> 'latestEvent') is distinct from 'object' then
    return jsonb_build_object('from', here, 'to', null, 'destination', landfall.map_place(record -> 'destination'),
      'moving', false);
  end if;
  leg := jsonb_path_query_array(record, '$.legs[*] ? (@.departure.actual != null && @.arrival.actual == null)') -> -1;
  return jsonb_build_object(
    'from', coalesce(landfall.map_place(leg -> 'from'), landfall.map_place(record #> '{latestEvent,location}')),
    'to', coalesce(landfall.map_place(leg -> 'to'), landfall.map_place(record -> 'destination')),
    'destination', landfall.map_place(record -> 'destination'),
    'moving', true);
end
$$;

create function landfall.keep_position()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  new.position := landfall.position_of(new.record);
  new.map_key := landfall.map_key_of(new.position, new.transport_mode);
  new.map_destination := new.position #>> '{destination,key}';
  return new;
end
$$;

create function landfall.map_key_of(of_position jsonb, mode text)
  returns text
  language sql
  immutable parallel safe
return (of_position #>> '{from,key}') || case when (of_position -> 'moving')::boolean
  then '~' || coalesce(of_position #>> '{to,key}', '') || '~' || mode else '' end;

alter table landfall.shipments disable trigger user;
update landfall.shipments as s
set position = p.position, map_key = landfall.map_key_of(p.position, s.transport_mode),
  map_destination = p.position #>> '{destination,key}'
from (select t.account_id, t.id, landfall.position_of(t.record) as position from landfall.shipments as t) as p
where s.account_id = p.account_id and s.id = p.id;
alter table landfall.shipments enable trigger user;

-- Not for an insert: a new shipment has no events yet, so its position stays null.
create trigger shipments_keep_position before update of record on landfall.shipments
  for each row
  execute function landfall.keep_position();

alter table landfall.shipment_count_deltas force row level security;
alter table landfall.shipment_counts force row level security;
alter table landfall.polling force row level security;
alter table landfall.shipments force row level security;
