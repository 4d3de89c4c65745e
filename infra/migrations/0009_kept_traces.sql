-- Whether the trace store was to keep the trace of `trace_id`. Nothing is known of the earlier ones.
alter table landfall.polling add column trace_kept boolean not null default false;
alter table landfall.refreshes add column trace_kept boolean not null default false;

-- The event loop delay of the worker at the 99th percentile, in its last report. Null: not measured.
alter table landfall.workers add column loop_delay_ms double precision;

-- Adds the column to the result of `read_records` and leaves the rest of it as earlier migrations made it.
do $$
declare
  was constant text :=
    pg_get_functiondef('landfall.read_records(uuid[], uuid[], boolean[], smallint[])'::regprocedure);
  result constant text := replace(was, 'trace_id text,', 'trace_id text, trace_kept boolean,');
  patched constant text := replace(result, 'p.trace_id,', 'p.trace_id, p.trace_kept,');
begin
  if result = was or patched = result then
    raise exception 'read_records returns no trace_id';
  end if;
  drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
  execute patched;
end
$$;

revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;
