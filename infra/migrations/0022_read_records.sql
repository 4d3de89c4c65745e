-- What `read_record` does, for several reads in one statement: requests that come together share a round trip. Each read has its account set
-- before it is planned and run, so row-level security holds for each alone, also where neighbours belong to other accounts. `place` numbers
-- the reads from 1; one that finds nothing has no row.
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
returns table (
  place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier text, carrier_name text,
  identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code text, status text, status_changed_at timestamptz,
  warnings jsonb, created_at timestamptz, updated_at timestamptz, archived_at timestamptz, version bigint, state text, reason text, source text,
  last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz, next_refresh_at timestamptz,
  consecutive_failures integer, trace_id text, freshness text, journey_text text, record jsonb
)
language plpgsql volatile security invoker set search_path = pg_catalog, landfall
as $$
#variable_conflict use_column
begin
  for turn in 1 .. cardinality(of_ids) loop
    perform set_config('landfall.account_id', of_accounts[turn]::text, true);
    return query
      select turn, s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name, s.identifiers, s.reference, s.tags,
        s.metadata, s.destination_postal_code, s.status, s.status_changed_at::timestamptz, s.warnings, s.created_at::timestamptz,
        s.updated_at::timestamptz, s.archived_at, s.version, p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at,
        p.last_changed_at, p.next_refresh_at, p.consecutive_failures, p.trace_id,
        case
          when p.state in ('completed', 'stopped') then 'final'
          when p.last_succeeded_at is null then 'never'
          when p.stale_at <= now() then 'stale'
          else 'fresh'
        end,
        case when s.journey_shape = with_shapes[turn] then s.journey_text end,
        case when s.journey_shape = with_shapes[turn] and s.journey_text is not null then null else s.record end
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;

revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;
