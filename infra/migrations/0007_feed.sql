-- What the sequencer and the retention have reached. `given`: the last position that a change was given; it cannot be read off the changes,
-- which are removed after a while. `removed`: everything up to here is gone. Two rows, so that the one never waits for the other.
create table landfall.feed_positions (
  name text primary key,
  position bigint not null default 0,
  constraint feed_positions_name_known check (name in ('given', 'removed')),
  constraint feed_positions_not_negative check (position >= 0)
) with (fillfactor = 50);

insert into landfall.feed_positions (name, position)
  select 'given', coalesce(max(position), 0) from landfall.changes
  union all
  select 'removed', coalesce(min(position) - 1, 0) from landfall.changes;

alter table landfall.feed_positions enable row level security;
alter table landfall.feed_positions force row level security;
create policy anyone_reads on landfall.feed_positions for select to landfall_app using (true);
create policy system on landfall.feed_positions for all to landfall_system using (true);
grant select on landfall.feed_positions to landfall_app;
grant select, update on landfall.feed_positions to landfall_system;

-- One call is one transaction on the server: a sequencer that is paused or dies holds nothing. Null: another one is at work.
create function landfall.position_changes(batch_size integer) returns integer
language plpgsql volatile
as $$
declare
  last_given bigint;
  newly_given integer;
begin
  select f.position into last_given from landfall.feed_positions as f where f.name = 'given' for update skip locked;
  if not found then
    return null;
  end if;
  -- A statement of its own: its snapshot is younger than the lock, so it sees all that the sequencer before gave. `seq` follows each
  -- shipment's row lock, so a visible change never overtakes an earlier one of its shipment.
  with waiting as (
    select c.account_id, c.id, c.seq from landfall.changes as c where c.position is null order by c.seq limit batch_size
  ),
  numbered as (
    select w.account_id, w.id, last_given + row_number() over (order by w.seq) as position from waiting as w
  )
  update landfall.changes as c
  set position = n.position
  from numbered as n
  where c.account_id = n.account_id and c.id = n.id;
  get diagnostics newly_given = row_count;
  if newly_given > 0 then
    update landfall.feed_positions set position = last_given + newly_given where name = 'given';
  end if;
  return newly_given;
end
$$;

revoke all on function landfall.position_changes(integer) from public;
grant execute on function landfall.position_changes(integer) to landfall_system;

-- A request adds changes; only the system moves them on.
revoke update on landfall.changes from landfall_app;

-- Readers page by account, side of test mode and position; by kind and by shipment without reading what they skip.
drop index landfall.changes_by_position;
create index changes_by_position on landfall.changes (account_id, test, position) where position is not null;
create index changes_by_type on landfall.changes (account_id, test, type, position) where position is not null;
create index changes_by_shipment on landfall.changes (account_id, shipment_id, position) where position is not null;

-- Milliseconds, rounded like `created_at` and `updated_at` of the shipment: they are the same moment.
alter table landfall.changes alter column created_at type timestamptz(3);

-- Every change is updated once: vacuum in small steps, before the index of the waiting ones fills with what no longer waits.
alter table landfall.changes set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- The success (`last_succeeded_at`) whose end was told as `shipment.stale`; the next success makes it another one.
alter table landfall.polling add column stale_told_for timestamptz;
create index polling_stale_untold on landfall.polling (stale_at)
  where stale_at is not null and last_succeeded_at is not null and stale_told_for is distinct from last_succeeded_at
    and state not in ('completed', 'stopped');

-- Serves the job that frees the numbers of shipments that closed long ago.
create index shipments_closed_open on landfall.shipments (closed_at) where open and closed_at is not null;
