-- What analytics keep of each shipment: see shared/domain/analytics/shipment-measures.ts. A worker follows the feed and
-- writes them; the record stays as it is. `unknown` is an end that nobody named.
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
create index shipment_measures_by_registration on landfall.shipment_measures (account_id, test, registered_day, carrier);
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

-- How tracking of the open shipments goes, as of `measured_at` of the cursor.
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

-- The measures follow the feed up to `position`. `scanned_to`: the measures of all shipments are being made, in the order of
-- their ids, and are done up to this one; null: all of them are made. `shape`: which measures they are.
create table landfall.analytics_cursors (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  test boolean not null,
  position bigint not null,
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

-- Deleting waits for who is writing the measures, and returns what they then are. The cascade would come too late for that,
-- and under the role of the owner, whom row-level security lets see nothing.
create function landfall.forget_measures() returns trigger language plpgsql
  set search_path to 'pg_catalog', 'landfall'
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
