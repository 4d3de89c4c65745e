-- A shipment may have several references of its client. `reference` stays the first one. The list is stored only when
-- there is more than one, so that other shipments take no more space.
alter table landfall.shipments
  add column reference_list text[] not null default '{}',
  add constraint shipments_reference_list_shape check (
    reference_list = '{}'
    or (cardinality(reference_list) between 2 and 50 and reference is not null and reference = reference_list[1])
  );

-- A row per reference after the first, which the unique index over `reference` finds.
create table landfall.shipment_references (
  account_id uuid not null,
  test boolean not null,
  reference text not null,
  shipment_id uuid not null,
  constraint shipment_references_pkey primary key (account_id, test, reference, shipment_id)
);
select landfall.protect_table('landfall.shipment_references', for_app => 'select, insert, update, delete');

create function landfall.index_references() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  if tg_op <> 'INSERT' then
    delete from landfall.shipment_references
    where account_id = old.account_id and test = old.test and reference = any (old.reference_list[2:])
      and shipment_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into landfall.shipment_references (account_id, test, reference, shipment_id)
    select distinct new.account_id, new.test, r.reference, new.id from unnest(new.reference_list[2:]) as r (reference);
  end if;
  return null;
end
$$;

create trigger shipments_index_references after insert on landfall.shipments
  for each row when (new.reference_list <> '{}') execute function landfall.index_references();
create trigger shipments_index_changed_references after update of reference_list on landfall.shipments
  for each row when (old.reference_list is distinct from new.reference_list)
  execute function landfall.index_references();
create trigger shipments_drop_references after delete on landfall.shipments
  for each row when (old.reference_list <> '{}') execute function landfall.index_references();

drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);

create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
returns table (
  place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier text,
  carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code text,
  status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
  archived_at timestamptz, version bigint, overdue_hours integer, late boolean, stale_after_hours smallint, state text,
  reason text, source text, last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz,
  next_refresh_at timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean,
  needs_attention boolean, freshness text, packed_journey bytea, journey_text text, record jsonb,
  current_position jsonb, assignee jsonb, notes_count integer, reference_list text[]
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
        p.stale_after_hours, p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at,
        p.next_refresh_at, p.consecutive_failures, p.trace_id, p.trace_kept, s.needs_attention,
        landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
        coalesce(s.packed_journey, (
          select h.packed from landfall.settled_shipments as h
          where s.settled_at is not null and h.account_id = s.account_id and h.shipment_id = s.id
        )),
        case when read.has_text then s.journey_text end,
        case when not read.has_text then s.record end,
        (
          select jsonb_build_object('lat', l.lat, 'lng', l.lng, 'at', l.at, 'source', l.source, 'vehicle', l.vehicle)
          from (
            select v.lat, v.lng, v.at, v.source, v.vehicle
            from landfall.vehicle_positions as v
            where v.account_id = s.account_id and v.shipment_id = s.id
              and v.at >= coalesce(s.last_event_at, '-infinity')
            union all
            select w.lat, w.lng, w.at, w.source,
              jsonb_build_object('name', w.name, 'imo', w.imo, 'voyage', null, 'flight', null)
            from landfall.vessel_positions as w
            where w.imo = s.vessel_imo and w.simulated = coalesce(starts_with(p.source, 'simulator:'), false)
          ) as l
          where s.closed_at is null
          order by l.at desc
          limit 1
        ),
        (
          select jsonb_build_object('userId', a.user_id, 'name', a.name) from landfall.account_members as a
          where a.account_id = s.account_id and a.user_id = s.assignee_id
        ),
        s.notes_count,
        s.reference_list
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      cross join lateral (
        select coalesce(s.journey_shape = with_shapes[turn], false)
          and num_nonnulls(s.packed_journey, s.journey_text) > 0 as has_text
      ) as read
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;

revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;
