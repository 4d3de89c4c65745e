-- Feed positions count per account. A count over all accounts told each one how much the others do.
create table landfall.account_feeds (
  account_id uuid not null,
  given bigint not null default 0,
  removed bigint not null default 0,
  constraint account_feeds_pkey primary key (account_id),
  constraint account_feeds_in_order check (removed between 0 and given)
);
-- Positions that readers hold stay valid: those so far keep their value, and each account goes on after the last one. The
-- owner is not a superuser everywhere, and row-level security is forced.
alter table landfall.accounts no force row level security;
alter table landfall.feed_positions no force row level security;
insert into landfall.account_feeds (account_id, given, removed)
select a.id, g.position, r.position
from landfall.accounts as a
join landfall.feed_positions as g on g.name = 'given'
join landfall.feed_positions as r on r.name = 'removed';
alter table landfall.accounts force row level security;
drop table landfall.feed_positions;

alter table landfall.account_feeds enable row level security;
alter table landfall.account_feeds force row level security;
create policy own_account on landfall.account_feeds for select to landfall_app
using (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
create policy system on landfall.account_feeds for all to landfall_system using (true);
grant select on landfall.account_feeds to landfall_app;
grant select, insert, update on landfall.account_feeds to landfall_system;

alter table landfall.changes drop constraint changes_position_unique;
alter table landfall.changes add constraint changes_position_unique unique (account_id, position);

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
    select c.account_id, c.id, c.seq from landfall.changes as c where c.position is null order by c.seq limit batch_size
  ),
  counted as (
    insert into landfall.account_feeds as f (account_id, given)
    select w.account_id, count(*) from waiting as w group by w.account_id order by w.account_id
    on conflict (account_id) do update set given = f.given + excluded.given
    returning f.account_id, f.given
  ),
  numbered as (
    select
      w.account_id, w.id,
      f.given - count(*) over (partition by w.account_id)
        + row_number() over (partition by w.account_id order by w.seq) as position
    from waiting as w
    join counted as f on f.account_id = w.account_id
  )
  update landfall.changes as c
  set position = n.position
  from numbered as n
  where c.account_id = n.account_id and c.id = n.id;
  get diagnostics newly_given = row_count;
  return newly_given;
end
$$;
revoke execute on function landfall.position_changes(integer) from public;
grant execute on function landfall.position_changes(integer) to landfall_system;
