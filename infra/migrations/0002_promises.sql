-- Delay against the first promise, and what the clock makes overdue or late. `overdue_from`: when an unconfirmed ETA is
-- past. `late_from`: from when on the shipment counts as late, -infinity by its delay alone. `overdue_told`: the values
-- of `overdue_from` that the feed has announced. `recompose`: the record was composed by an earlier release; a job
-- composes it again from its events, without calling the carrier.
alter table landfall.shipments
  add column overdue_from timestamptz(3),
  add column late_from timestamptz(3),
  add column overdue_told timestamptz(3)[] not null default '{}',
  add column recompose boolean not null default true;
alter table landfall.shipments alter column recompose set default false;

-- What the former record says, until it is composed again. The owner is not a superuser everywhere, and row-level
-- security is forced.
alter table landfall.shipments no force row level security;
update landfall.shipments as s
set overdue_from = f.overdue_from,
  late_from = case
    when s.delay_hours >= 24 then '-infinity'
    when s.transport_mode = 'parcel' then f.overdue_from
    else f.overdue_from + interval '24 hours'
  end
from (
  select account_id, id, case
      when record #>> '{arrival,actual,at}' is null and record #>> '{delivery,actual,at}' is null
        and status in ('pending', 'booked', 'in_transit')
      then eta
    end as overdue_from
  from landfall.shipments
  where eta is not null
) as f
where f.account_id = s.account_id and f.id = s.id and (f.overdue_from is not null or s.delay_hours >= 24);
alter table landfall.shipments force row level security;

create index shipments_to_recompose on landfall.shipments (account_id, id) where recompose;

-- Of each account, those that the clock may have to announce.
create index shipments_overdue_untold on landfall.shipments (overdue_from)
  where overdue_from is not null and archived_at is null and not recompose and not (overdue_from = any (overdue_told));

create index shipments_by_delay_hours on landfall.shipments (account_id, test, delay_hours, id)
  where delay_hours is not null;
drop index landfall.shipments_without_eta;
create index shipments_without_eta on landfall.shipments (account_id, test, id)
  where eta is null or delay_hours is null;

-- The list of late shipments, and of overdue ones, in its order.
drop index landfall.shipments_delayed;
create index shipments_late_by_created_at
  on landfall.shipments (account_id, test, created_at, id, late_from, overdue_from)
  where late_from is not null and archived_at is null;
drop index landfall.shipments_late;
create index shipments_late on landfall.shipments (account_id, test, status, late_from)
  where late_from is not null and archived_at is null
    and status not in ('delivered', 'returned', 'failed', 'cancelled');

-- Full hours since the ETA passed; null: it has not.
create function landfall.overdue_hours(overdue_from timestamptz) returns integer
language sql stable parallel safe
return case
  when overdue_from <= now() then floor(extract(epoch from now() - overdue_from) / 3600)::integer
end;

drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
returns table (
  place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier text,
  carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code text,
  status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
  archived_at timestamptz, version bigint, overdue_hours integer, late boolean, state text, reason text, source text,
  last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz,
  next_refresh_at timestamptz, consecutive_failures integer, trace_id text, freshness text, journey_text text,
  record jsonb
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
        p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at, p.next_refresh_at,
        p.consecutive_failures, p.trace_id, landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
        case when s.journey_shape = with_shapes[turn] then s.journey_text end,
        case when s.journey_shape = with_shapes[turn] and s.journey_text is not null then null else s.record end
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;

revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;

-- `code|leg_role|classifier` of each new event of a change, by which the feed is narrowed; null for other changes.
alter table landfall.changes add column event_keys text[];
