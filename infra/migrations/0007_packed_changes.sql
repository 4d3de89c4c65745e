-- The data of changes that were made together is packed into one value, which the last of them holds: a feed is deleted
-- from its start, so no change outlives the one that holds its data. Rows with `data` are from an earlier release, or
-- the first change of a shipment, and are read until they have expired.
alter table landfall.changes alter column data drop not null;
alter table landfall.changes add column packed bytea;
alter table landfall.changes alter column packed set storage external;
alter table landfall.changes add column packed_in uuid;
alter table landfall.changes add column packed_place smallint;
alter table landfall.changes add constraint changes_data_once check (num_nonnulls(data, packed, packed_in) = 1) not valid;

-- A journey is stored once: as jsonb what lists, filters and refreshes read, packed its events and the text that
-- clients receive. Rows of an earlier release, and shipments without a refresh, hold all of it in `record` and
-- `journey_text` until the journey changes.
alter table landfall.shipments add column packed_events bytea, add column packed_text bytea;
alter table landfall.shipments alter column packed_events set storage external, alter column packed_text set storage external;

-- A record that has its events was written without packing, so what was packed before is out of date. Otherwise the
-- text is, if it stayed as it was while the record changed.
create function landfall.forget_packed_journey() returns trigger language plpgsql set search_path = pg_catalog, landfall as $$
begin
  if new.record ? 'events' then
    new.packed_events := null;
  end if;
  new.packed_text := null;
  return new;
end
$$;
revoke execute on function landfall.forget_packed_journey() from public;
create trigger shipments_forget_packed_journey before update of record on landfall.shipments
  for each row
  when (
    (new.packed_events is not null and new.record ? 'events')
    or (new.packed_text is not null and new.packed_text is not distinct from old.packed_text and new.record is distinct from old.record)
  )
  execute function landfall.forget_packed_journey();

drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
  returns table(place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier
    text, carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code
    text, status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
    archived_at timestamptz, version bigint, overdue_hours integer, late boolean, state text, reason text, source text,
    last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz, next_refresh_at
    timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean, needs_attention boolean, freshness
    text, packed_text bytea, journey_text text, record jsonb, packed_events bytea)
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
        p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at, p.next_refresh_at,
        p.consecutive_failures, p.trace_id, p.trace_kept, s.needs_attention,
        landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
        case when s.journey_shape = with_shapes[turn] then s.packed_text end,
        case when s.journey_shape = with_shapes[turn] then s.journey_text end,
        case when not read.has_text then s.record end,
        case when not read.has_text then s.packed_events end
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      cross join lateral (
        select coalesce(s.journey_shape = with_shapes[turn], false) and num_nonnulls(s.packed_text, s.journey_text) > 0 as has_text
      ) as read
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;
revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;
