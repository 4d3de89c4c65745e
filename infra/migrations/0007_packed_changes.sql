-- The data of changes that were made together is packed into one value, which the last of them holds: a feed is deleted
-- from its start, so no change outlives the one that holds its data. It is the shipment's next change with a packed
-- value, because a shipment's changes are made under its lock. It also holds their `traceparent`. Rows with `data` are
-- from an earlier release, or the first change of a shipment, and are read until they have expired.
alter table landfall.changes alter column data drop not null;
alter table landfall.changes add column packed bytea;
alter table landfall.changes alter column packed set storage external;
alter table landfall.changes add column packed_place smallint;
alter table landfall.changes add constraint changes_data_once check ((data is null) = (packed_place is not null)
  and num_nonnulls(data, packed) <= 1) not valid;
-- What `event_keys` was, in 4 bytes each: a hash of the key.
alter table landfall.changes add column event_marks integer[];

-- A journey is stored once: as jsonb what lists, filters and refreshes read, packed the text that clients receive, with
-- the events. Rows of an earlier release, and shipments without a refresh, hold all of it in `record` and `journey_text`
-- until the journey changes.
alter table landfall.shipments add column packed_journey bytea;
alter table landfall.shipments alter column packed_journey set storage external;

-- A record that has its events was written without packing, so what was packed before is out of date. Otherwise the
-- text is, if it stayed as it was while the record changed: its events stay, and without a shape no client receives it.
create function landfall.forget_packed_journey() returns trigger language plpgsql set search_path = pg_catalog, landfall as $$
begin
  if new.record ? 'events' then
    new.packed_journey := null;
  else
    new.journey_shape := null;
  end if;
  return new;
end
$$;
revoke execute on function landfall.forget_packed_journey() from public;
create trigger shipments_forget_packed_journey before update of record on landfall.shipments
  for each row
  when (
    new.packed_journey is not null and (
      new.record ? 'events'
      or (new.packed_journey is not distinct from old.packed_journey and new.record is distinct from old.record)
    )
  )
  execute function landfall.forget_packed_journey();
