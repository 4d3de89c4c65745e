-- The index of words also holds metadata, vessels, container statuses, and the pairs of characters of scripts without
-- spaces, which are too short for trigrams.

-- Names in lower case (ASCII only, like vesselKey in shared/domain/shipments) and IMO numbers.
create function landfall.vessels_of(record jsonb) returns text[]
language sql immutable parallel safe set search_path = pg_catalog
return array(
  select distinct v.vessel
  from jsonb_array_elements(coalesce(record -> 'legs', '[]')) as l (leg)
  cross join lateral (
    values (lower(btrim(l.leg -> 'vehicle' ->> 'name') collate "C")), (l.leg -> 'vehicle' ->> 'imo')
  ) as v (vessel)
  where v.vessel <> ''
);

create function landfall.journey_terms(record jsonb) returns text[]
language sql immutable parallel safe set search_path = pg_catalog, landfall
return array(
  select 'vessel ' || left(v.vessel, 200) from unnest(landfall.vessels_of(record)) as v (vessel)
  union
  select 'container ' || k.status from jsonb_object_keys(coalesce(record -> 'containerStatusCounts', '{}')) as k (status)
);

-- Neighboring characters of Han, Kana and Hangul, as in cjkPairs of shared/domain/shipments.
create function landfall.cjk_pairs(written text) returns text[]
language sql immutable parallel safe set search_path = pg_catalog
return case when written ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{2}' then array(
  select distinct 'pair ' || substr(r.run[1], n, 2)
  from regexp_matches(written, '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{2,}', 'g') as r (run)
  cross join lateral generate_series(1, length(r.run[1]) - 1) as n
) else '{}' end;

-- Cut, because an index entry has a limit; the filter itself compares the whole value.
create function landfall.metadata_terms(metadata jsonb) returns text[]
language sql immutable parallel safe set search_path = pg_catalog
return array(select 'meta ' || left(m.key || '=' || m.value, 200) from jsonb_each_text(metadata) as m (key, value));

create or replace function landfall.index_new_shipments() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  with words as (
    insert into landfall.shipment_search (account_id, shipment_id, test, created_at, text, terms)
    select n.account_id, n.id, n.test, n.created_at, n.search_text, landfall.search_terms(
      n.tags,
      array[n.origin_unlocode, n.origin_iata, n.origin_country],
      array[n.destination_unlocode, n.destination_iata, n.destination_country]
    ) || landfall.metadata_terms(n.metadata) || landfall.journey_terms(n.record) || landfall.cjk_pairs(n.search_text)
    from new_shipments as n
  )
  insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
  select distinct n.account_id, n.test, t.tag, n.created_at, n.id
  from new_shipments as n cross join unnest(n.tags) as t (tag);
  return null;
end
$$;

create or replace function landfall.index_changed_words() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  update landfall.shipment_search
  set text = new.search_text, terms = landfall.search_terms(
    new.tags,
    array[new.origin_unlocode, new.origin_iata, new.origin_country],
    array[new.destination_unlocode, new.destination_iata, new.destination_country]
  ) || landfall.metadata_terms(new.metadata) || landfall.journey_terms(new.record) || landfall.cjk_pairs(new.search_text)
  where account_id = new.account_id and shipment_id = new.id;
  return null;
end
$$;

-- Apart from the words, so that only statements that write metadata or a journey compare them.
create trigger shipments_index_changed_metadata after update of metadata on landfall.shipments
  for each row when (old.metadata is distinct from new.metadata) execute function landfall.index_changed_words();
create trigger shipments_index_changed_journey after update of record on landfall.shipments
  for each row when (landfall.journey_terms(old.record) is distinct from landfall.journey_terms(new.record))
  execute function landfall.index_changed_words();

-- The owner is not a superuser everywhere, and row-level security is forced.
alter table landfall.shipments no force row level security;
alter table landfall.shipment_search no force row level security;
update landfall.shipment_search as w
set terms = w.terms || f.terms
from landfall.shipments as s
cross join lateral (
  select landfall.metadata_terms(s.metadata) || landfall.journey_terms(s.record) || landfall.cjk_pairs(s.search_text) as terms
) as f
where s.account_id = w.account_id and s.id = w.shipment_id and f.terms <> '{}';
alter table landfall.shipment_search force row level security;
alter table landfall.shipments force row level security;
