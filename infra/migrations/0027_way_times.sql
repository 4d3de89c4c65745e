-- Row-level security binds the owner of a table, too. This role sees the rows of every account, and needs no exclusive
-- lock as `no force row level security` does.
set local role landfall_system;

-- Shipments on the way are drawn where they should be by the departure and the ETA of their leg. Both become part of
-- `position` and of `map_key` when the record is composed again.
update landfall.shipments
set recompose = true
where position ->> 'moving' = 'true' and closed_at is null and not recompose;

-- Maps alone know about where a city is that a carrier only names: records have no coordinates of it. Builds before this
-- release stored those of its port or airport, with two decimals. Parcel carriers state no coordinates.
with named as (
  select e.account_id, e.place, array_agg(distinct e.shipment_id) as shipments,
    bool_and(s.transport_mode = 'parcel') as of_parcels
  from landfall.events as e
  join landfall.shipments as s on s.account_id = e.account_id and s.id = e.shipment_id
  where s.transport_mode in ('parcel', 'road') and e.source is null and e.place is not null
  group by 1, 2
), unplaced as (
  update landfall.places as p
  set lat = null, lng = null
  from named as n
  where p.account_id = n.account_id and p.id = n.place and p.name is not null and p.unlocode is null and p.iata is null
    and p.lat = round(p.lat::numeric, 2)::float8 and p.lng = round(p.lng::numeric, 2)::float8
    and (n.of_parcels or p.name like '%, __')
  returning n.account_id, n.shipments
)
-- By both columns of the key: joined by the account alone, each place would be compared with all of its shipments.
update landfall.shipments as s
set recompose = true
where (s.account_id, s.id) in (select u.account_id, unnest(u.shipments) from unplaced as u) and not s.recompose;

do $$
declare
  side text;
begin
  foreach side in array array['origin', 'destination'] loop
    update landfall.shipments as s
    set recompose = true,
      record = jsonb_set(record, array['statedRoute', side], record #> array['statedRoute', side] || '{"lat": null, "lng": null}')
    where transport_mode in ('parcel', 'road')
      and record #>> array['statedRoute', side, 'lat'] ~ '^-?\d+(\.\d{1,2})?$'
      and record #>> array['statedRoute', side, 'lng'] ~ '^-?\d+(\.\d{1,2})?$'
      and coalesce(record #>> array['statedRoute', side, 'unlocode'], record #>> array['statedRoute', side, 'iata']) is null;
  end loop;
end
$$;

reset role;
