-- The journey as clients read it, composed when it is written, so that reading one shipment maps nothing. `journey_shape` numbers the form of
-- the text; readers take the `record` instead where the number is not theirs or is null: rows of before, and of a release with another form.
alter table landfall.shipments
  add column journey_text text,
  add column journey_shape smallint;

-- One statement, so that reads of several accounts can follow each other on one connection without waiting. The account is set for its own
-- transaction only and before the read is planned, and row-level security holds: the function runs as its caller.
create function landfall.read_record(of_account uuid, of_id uuid, of_test boolean, with_shape smallint)
returns table (
  id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier text, carrier_name text, identifiers jsonb,
  reference text, tags text[], metadata jsonb, destination_postal_code text, status text, status_changed_at timestamptz, warnings jsonb,
  created_at timestamptz, updated_at timestamptz, archived_at timestamptz, version bigint, state text, reason text, source text,
  last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz, next_refresh_at timestamptz,
  consecutive_failures integer, trace_id text, freshness text, journey_text text, record jsonb
)
language plpgsql volatile security invoker rows 1 set search_path = pg_catalog, landfall
as $$
#variable_conflict use_column
begin
  perform set_config('landfall.account_id', of_account::text, true);
  return query
    select s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name, s.identifiers, s.reference, s.tags,
      s.metadata, s.destination_postal_code, s.status, s.status_changed_at::timestamptz, s.warnings, s.created_at::timestamptz,
      s.updated_at::timestamptz, s.archived_at, s.version, p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at,
      p.last_changed_at, p.next_refresh_at, p.consecutive_failures, p.trace_id,
      case
        when p.state in ('completed', 'stopped') then 'final'
        when p.last_succeeded_at is null then 'never'
        when p.stale_at <= now() then 'stale'
        else 'fresh'
      end,
      case when s.journey_shape = with_shape then s.journey_text end,
      case when s.journey_shape = with_shape and s.journey_text is not null then null else s.record end
    from landfall.shipments as s
    join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
    where s.account_id = of_account and s.id = of_id and s.test = of_test;
end
$$;

revoke execute on function landfall.read_record(uuid, uuid, boolean, smallint) from public;
grant execute on function landfall.read_record(uuid, uuid, boolean, smallint) to landfall_app;

-- A release from before this file writes the record alone: while it still runs beside a newer one, or after going back to it, the text would
-- stay behind for good. Only statements that write a record come here.
create function landfall.forget_journey_text() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  new.journey_text := null;
  new.journey_shape := null;
  return new;
end
$$;

create trigger shipments_forget_journey_text before update of record on landfall.shipments
  for each row when (
    new.journey_text is not null and new.journey_text is not distinct from old.journey_text and new.record is distinct from old.record
  )
  execute function landfall.forget_journey_text();
