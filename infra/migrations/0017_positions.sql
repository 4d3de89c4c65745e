-- The latest position of the vehicle that carries a shipment, as a client sent it. It is no event and no part of the
-- record's version: it changes every few minutes, and nobody reads its history. It goes with its shipment.
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

alter table landfall.vessel_positions enable row level security;
alter table landfall.vessel_positions force row level security;
create policy everyone on landfall.vessel_positions for select to landfall_app using (true);
create policy system on landfall.vessel_positions for all to landfall_system using (true);
grant select on landfall.vessel_positions to landfall_app;
grant select, insert, update, delete on landfall.vessel_positions to landfall_system;

-- IMO number of the vessel that carries the shipment now, so that one question about a vessel serves all its shipments.
alter table landfall.shipments add column vessel_imo text;
create index shipments_vessel_imo on landfall.shipments (vessel_imo) where vessel_imo is not null and closed_at is null;

-- The owner of a table is bound by its policies, too.
alter table landfall.shipments no force row level security;
update landfall.shipments as s
set vessel_imo = under_way.imo
from (
  select distinct on (o.account_id, o.id) o.account_id, o.id,
    case when leg.value ->> 'mode' = 'ocean' then leg.value -> 'vehicle' ->> 'imo' end as imo
  from landfall.shipments as o
  cross join lateral jsonb_array_elements(
    case when jsonb_typeof(o.record -> 'legs') = 'array' then o.record -> 'legs' else '[]' end
  ) with ordinality as leg (value, place)
  where o.closed_at is null and o.transport_mode = 'ocean'
    and jsonb_typeof(leg.value -> 'departure' -> 'actual') = 'object'
    and jsonb_typeof(leg.value -> 'arrival' -> 'actual') is distinct from 'object'
  order by o.account_id, o.id, leg.place desc
) as under_way
where s.account_id = under_way.account_id and s.id = under_way.id and under_way.imo ~ '^\d{7}$';
alter table landfall.shipments force row level security;

-- When POSITIONS_URL is asked again. All workers share the one row.
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
alter table landfall.position_rounds enable row level security;
alter table landfall.position_rounds force row level security;
create policy system on landfall.position_rounds for all to landfall_system using (true);
grant select, update on landfall.position_rounds to landfall_system;

drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
  returns table(place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier
    text, carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code
    text, status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
    archived_at timestamptz, version bigint, overdue_hours integer, late boolean, stale_after_hours smallint, state
    text, reason text, source text,
    last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz, next_refresh_at
    timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean, needs_attention boolean, freshness
    text, packed_journey bytea, journey_text text, record jsonb, current_position jsonb)
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
        )
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      cross join lateral (
        select coalesce(s.journey_shape = with_shapes[turn], false) and num_nonnulls(s.packed_journey, s.journey_text) > 0 as has_text
      ) as read
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;
revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;
