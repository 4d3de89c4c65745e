-- The calendar days of ETA and departure at the place of the arrival or departure. A date in a filter compares them.
alter table landfall.shipments
  add column eta_day date,
  add column departed_day date;

-- The owner is not a superuser everywhere, and row-level security is forced.
alter table landfall.shipments no force row level security;
-- The same rule as findEta in shared/domain/shipments. A local time starts with its day.
update landfall.shipments
set eta_day = left(coalesce(
    record #>> '{arrival,estimated,local}',
    record #>> '{arrival,planned,local}',
    case when record #>> '{arrival,actual,local}' is null then record #>> '{delivery,estimated,local}' end
  ), 10)::date,
  departed_day = left(record #>> '{departure,actual,local}', 10)::date
where eta is not null or departed_at is not null;
alter table landfall.shipments force row level security;
