-- The trace store: what telemetry kept of each process's part of a trace. Unlogged and by day, so that writing is cheap and forgetting is
-- dropping a table; lost in a crash. Partitions are made ahead; should that have failed, rows go to the default one.
create table landfall.trace_parts (
  trace_id uuid not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  service text not null,
  name text not null,
  -- Why it was kept: error, limited, slow, share or follows.
  kept_for text not null,
  failed boolean not null,
  http_status integer,
  error_type text,
  outcome text,
  carrier text,
  shipment_id uuid,
  account_id uuid
) partition by range (started_at);

create table landfall.spans (
  trace_id uuid not null,
  span_id text not null,
  parent_span_id text,
  service text not null,
  name text not null,
  kind text not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  status text not null,
  attributes jsonb not null,
  links jsonb
) partition by range (started_at);

create index trace_parts_by_trace on landfall.trace_parts (trace_id);
create index trace_parts_by_time on landfall.trace_parts (started_at desc);
create index trace_parts_by_shipment on landfall.trace_parts (shipment_id, started_at desc) where shipment_id is not null;
create index trace_parts_by_carrier on landfall.trace_parts (carrier, started_at desc) where carrier is not null;
create index trace_parts_failed on landfall.trace_parts (started_at desc) where failed;
create index trace_parts_slowest on landfall.trace_parts (duration_us desc);
create index spans_by_trace on landfall.spans (trace_id);

create unlogged table landfall.trace_parts_default partition of landfall.trace_parts default;
create unlogged table landfall.spans_default partition of landfall.spans default;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['trace_parts', 'spans', 'trace_parts_default', 'spans_default'] loop
    execute format('alter table landfall.%I enable row level security', table_name);
    execute format('alter table landfall.%I force row level security', table_name);
    execute format('create policy system on landfall.%I for all to landfall_system using (true)', table_name);
    execute format('grant select, insert, delete on landfall.%I to landfall_system', table_name);
  end loop;
end
$$;

-- Makes the partitions of today and the days after, and drops those that ended longer ago than `kept`; gives how many tables it changed.
-- With its owner's rights, for the system's role owns no table. Whoever finds another at it, or a table busy for a second, leaves it for later.
create function landfall.keep_trace_partitions(days_ahead integer, kept interval) returns integer
language plpgsql
security definer
set search_path = landfall, pg_temp
set lock_timeout = '1s'
as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  parent text;
  name text;
  day date;
  changed integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('landfall.trace_partitions', 0)) then
    return 0;
  end if;
  foreach parent in array array['trace_parts', 'spans'] loop
    for ahead in 0..days_ahead loop
      day := today + ahead;
      name := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
      continue when to_regclass(format('landfall.%I', name)) is not null;
      begin
        execute format('create unlogged table landfall.%I (like landfall.%I)', name, parent);
        execute format('alter table landfall.%I enable row level security', name);
        execute format('alter table landfall.%I force row level security', name);
        -- Attaching locks readers and writers out for a moment; creating it as a partition would for longer.
        execute format(
          'alter table landfall.%I attach partition landfall.%I for values from (%L) to (%L)',
          parent, name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00'
        );
        changed := changed + 1;
      exception
        -- The default partition has rows of that day already: the day stays there.
        when check_violation then null;
      end;
    end loop;
    for name in
      select c.relname::text from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
      where i.inhparent = format('landfall.%I', parent)::regclass and c.relname ~ '_[0-9]{8}$'
        and (to_date(right(c.relname::text, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= now() - kept
    loop
      execute format('drop table landfall.%I', name);
      changed := changed + 1;
    end loop;
  end loop;
  return changed;
end
$$;

revoke all on function landfall.keep_trace_partitions(integer, interval) from public;
grant execute on function landfall.keep_trace_partitions(integer, interval) to landfall_system;

select landfall.keep_trace_partitions(2, '48 hours');
