-- A restore takes a feed back to an earlier position, and positions given afterwards must not be those that readers got
-- before: a reader that was ahead of the backup would skip changes without noticing. Each restore therefore starts a new
-- generation far ahead, and `skipped` keeps the positions in between, which belong to changes that no longer exist.
alter table landfall.account_feeds add column skipped int8multirange not null default '{}';

-- The start is a time in microseconds, so that two restores of the same backup start differently, and beyond every
-- position so far whatever the clock says. All accounts get one: those without a change may have had some later.
create function landfall.start_feed_generation() returns void
language sql
as $$
  insert into landfall.account_feeds as f (account_id, given, skipped)
  select a.id, g.start, int8multirange(int8range(coalesce(e.given, 0) + 1, g.start))
  from landfall.accounts as a
  left join landfall.account_feeds as e on e.account_id = a.id
  cross join lateral (
    select greatest(
      (coalesce(e.given, 0) / 1000000000 + 1) * 1000000000,
      floor(extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00:00Z') * 1000000)::bigint
    ) as start
  ) as g
  on conflict (account_id) do update set given = excluded.given, skipped = f.skipped + excluded.skipped;
$$;
revoke execute on function landfall.start_feed_generation() from public;
grant execute on function landfall.start_feed_generation() to landfall_system;

-- Gives committed changes their position and returns how many, and whose they are; nulls: another process is doing it.
-- API processes learn of them by `landfall_feed`: account ids, separated by commas, or nothing if there are too many for
-- one notification (8,000 bytes).
create function landfall.give_positions(batch_size integer, out positioned integer, out account_ids uuid[])
language plpgsql
as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('landfall.position_changes', 0)) then
    return;
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
  ),
  done as (
    update landfall.changes as c
    set position = n.position
    from numbered as n
    -- The range keeps a join from reading and sorting everything that waits.
    where c.account_id = n.account_id and c.seq = n.seq and c.position is null
      and c.seq between (select min(w.seq) from waiting as w) and (select max(w.seq) from waiting as w)
    returning c.account_id
  )
  select count(*), coalesce(array_agg(distinct d.account_id), '{}') into positioned, account_ids from done as d;
  if positioned > 0 then
    perform pg_notify(
      'landfall_feed',
      case when cardinality(account_ids) <= 200 then array_to_string(account_ids, ',') else '' end
    );
  end if;
end
$$;
revoke execute on function landfall.give_positions(integer) from public;
grant execute on function landfall.give_positions(integer) to landfall_system;

-- For workers of the release before, until they are replaced.
create or replace function landfall.position_changes(batch_size integer) returns integer
language sql
as $$
  select g.positioned from landfall.give_positions(batch_size) as g;
$$;
