-- The calendar days of ETA and departure at the place of the arrival or departure. A date in a filter compares them.
alter table landfall.shipments
  add column eta_day date,
  add column departed_day date;

-- The same rule as expectedArrival in shared/domain/shipments. A local time starts with its day.
update landfall.shipments
set eta_day = left(coalesce(
    record #>> '{arrival,estimated,local}',
    record #>> '{arrival,planned,local}',
    case when record #>> '{arrival,actual,local}' is null then record #>> '{delivery,estimated,local}' end
  ), 10)::date,
  departed_day = left(record #>> '{departure,actual,local}', 10)::date
where eta is not null or departed_at is not null;
