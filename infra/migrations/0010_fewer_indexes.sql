-- Each index is written twice for a change: when it is made, and when it gets its position. A change is found by its
-- position, in the feed of test or live shipments or of one shipment, and while it waits for one by `seq`. An account's
-- positions are counted in one row, so they stay unique across both feeds.
drop index landfall.changes_by_position;
create unique index changes_by_position on landfall.changes (account_id, test, position) where position is not null;
alter table landfall.changes drop constraint changes_position_unique, drop constraint changes_pkey;

create or replace function landfall.position_changes(batch_size integer) returns integer
language plpgsql
as $$
declare
  newly_given integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('landfall.position_changes', 0)) then
    return null;
  end if;
  -- A statement of its own: its snapshot is younger than the lock, so it sees all that the sequencer before gave. `seq`
  -- follows each shipment's row lock, so a visible change never overtakes an earlier one of its shipment.
  with waiting as (
    select c.account_id, c.seq from landfall.changes as c where c.position is null order by c.seq limit batch_size
  ),
  counted as (
    insert into landfall.account_feeds as f (account_id, given)
    select w.account_id, count(*) from waiting as w group by w.account_id order by w.account_id
    on conflict (account_id) do update set given = f.given + excluded.given
    returning f.account_id, f.given
  ),
  numbered as (
    select
      w.account_id, w.seq,
      f.given - count(*) over (partition by w.account_id)
        + row_number() over (partition by w.account_id order by w.seq) as position
    from waiting as w
    join counted as f on f.account_id = w.account_id
  )
  update landfall.changes as c
  set position = n.position
  from numbered as n
  -- The range keeps a join from reading and sorting everything that waits.
  where c.account_id = n.account_id and c.seq = n.seq and c.position is null
    and c.seq between (select min(w.seq) from waiting as w) and (select max(w.seq) from waiting as w);
  get diagnostics newly_given = row_count;
  return newly_given;
end
$$;

-- A shipment's status history is read by shipment alone, and its ids are in the order of time.
alter table landfall.status_changes drop constraint status_changes_pkey;
alter table landfall.status_changes add constraint status_changes_pkey primary key (account_id, shipment_id, id);
drop index landfall.status_changes_by_shipment;

-- No list is in this order. A filter by departure scans the list in its own order.
drop index landfall.shipments_by_departed_at;
