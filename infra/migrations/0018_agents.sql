-- Filters by the day of delivery, and indexes by which lists of a day find its shipments: many have the same day, which
-- keeps these indexes small. `delivered_day`, like `departed_day`: the calendar day at the place.
alter table landfall.shipments
  add column delivered_at timestamptz(3),
  add column delivered_day date;

-- The owner of a table is bound by its policies, too.
alter table landfall.shipments no force row level security;
-- A search finds terminals by name. The search texts of earlier releases lack them: a worker composes those records
-- again, without calling the carrier.
update landfall.shipments as s
set delivered_at = delivered.at,
  delivered_day = left(s.record #>> '{delivery,actual,local}', 10)::date,
  recompose = s.recompose or delivered.has_terminal
from landfall.shipments as o
cross join lateral (
  select (o.record #>> '{delivery,actual,at}')::timestamptz as at,
    num_nonnulls(
      o.record #>> '{origin,facility}', o.record #>> '{destination,facility}', o.record #>> '{currentLocation,facility}'
    ) > 0 as has_terminal
) as delivered
where o.account_id = s.account_id and o.id = s.id and (delivered.at is not null or delivered.has_terminal);
alter table landfall.shipments force row level security;

create index shipments_by_departed_day on landfall.shipments (account_id, test, departed_day)
  where departed_day is not null;
create index shipments_by_delivered_day on landfall.shipments (account_id, test, delivered_day)
  where delivered_day is not null;
