-- What lists filter by and records keep only inside `record`. Names of places are kept in lower case: nothing displays these columns.
alter table landfall.shipments
  add column departed_at timestamptz(3),
  add column exception_codes text[] not null default '{}',
  add column origin_iata text,
  add column origin_country text,
  add column destination_iata text,
  add column destination_country text;

update landfall.shipments
set departed_at = (record #>> '{departure,actual,at}')::timestamptz,
  exception_codes = array(
    select distinct e.exception ->> 'code'
    from jsonb_array_elements(coalesce(record -> 'exceptions', '[]')) as e (exception)
    where e.exception ->> 'resolvedAt' is null
    order by 1
  ),
  origin_name = lower(origin_name),
  origin_iata = record #>> '{origin,iata}',
  origin_country = coalesce(record #>> '{origin,country}', left(record #>> '{origin,unlocode}', 2)),
  destination_name = lower(destination_name),
  destination_iata = record #>> '{destination,iata}',
  destination_country = coalesce(record #>> '{destination,country}', left(record #>> '{destination,unlocode}', 2));

create index shipments_by_carrier on landfall.shipments (account_id, test, carrier, created_at, id);
create index shipments_by_departed_at on landfall.shipments (account_id, test, departed_at, id) where departed_at is not null;
create index shipments_with_exception on landfall.shipments (account_id, test, created_at, id) where has_exception;
create index shipments_delayed on landfall.shipments (account_id, test, delay_hours) where delay_hours > 0;
create index shipments_archived on landfall.shipments (account_id, test, created_at, id) where archived_at is not null;
-- The rows that come last under a sort whose time they lack.
create index shipments_without_eta on landfall.shipments (account_id, test, id) where eta is null;
create index shipments_without_status_changed_at on landfall.shipments (account_id, test, id) where status_changed_at is null;
create index shipments_without_last_event_at on landfall.shipments (account_id, test, id) where last_event_at is null;
-- `active` and `completed` are nearly all rows; a list of those walks its sort instead.
create index polling_by_rare_state on landfall.polling (account_id, state, shipment_id)
  where state in ('queued', 'awaiting_carrier', 'degraded', 'failed', 'stopped');

-- What `q`, `tag`, `origin` and `destination` are looked up in. Its own table, so that a refresh which changes no word writes no word.
create table landfall.shipment_search (
  account_id uuid not null,
  shipment_id uuid not null,
  test boolean not null,
  text text not null,
  terms text[] not null,
  primary key (account_id, shipment_id),
  constraint shipment_search_shipment foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade
);

alter table landfall.shipment_search enable row level security;
alter table landfall.shipment_search force row level security;
create policy own_account on landfall.shipment_search for all to landfall_app
  using (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
create policy system on landfall.shipment_search for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipment_search to landfall_app, landfall_system;

create function landfall.index_shipment_words() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  insert into landfall.shipment_search (account_id, shipment_id, test, text, terms)
  select new.account_id, new.id, new.test, new.search_text, array(
    select 'tag ' || t.tag from unnest(new.tags) as t (tag)
    union
    select 'origin ' || o.code from unnest(array[new.origin_unlocode, new.origin_iata, new.origin_country]) as o (code) where o.code is not null
    union
    select 'destination ' || d.code
    from unnest(array[new.destination_unlocode, new.destination_iata, new.destination_country]) as d (code)
    where d.code is not null
  )
  on conflict (account_id, shipment_id) do update set text = excluded.text, terms = excluded.terms;
  return null;
end
$$;

create trigger shipments_index_words after insert on landfall.shipments
  for each row execute function landfall.index_shipment_words();
create trigger shipments_index_changed_words after update on landfall.shipments
  for each row when (
    (old.search_text, old.tags, old.origin_unlocode, old.origin_iata, old.origin_country, old.destination_unlocode, old.destination_iata,
      old.destination_country)
    is distinct from
    (new.search_text, new.tags, new.origin_unlocode, new.origin_iata, new.origin_country, new.destination_unlocode, new.destination_iata,
      new.destination_country)
  )
  execute function landfall.index_shipment_words();

-- The rows that are there already.
insert into landfall.shipment_search (account_id, shipment_id, test, text, terms)
select s.account_id, s.id, s.test, s.search_text, array(
  select 'tag ' || t.tag from unnest(s.tags) as t (tag)
  union
  select 'origin ' || o.code from unnest(array[s.origin_unlocode, s.origin_iata, s.origin_country]) as o (code) where o.code is not null
  union
  select 'destination ' || d.code
  from unnest(array[s.destination_unlocode, s.destination_iata, s.destination_country]) as d (code)
  where d.code is not null
)
from landfall.shipments as s;

-- Trigrams make parts of words an index lookup, and the account in the same index keeps one account's search away from the others' words. Both
-- extensions are trusted and ship with Postgres; where one is not to be had, the search reads the account's rows instead.
do $$
declare
  word_class text;
  account_column text := '';
begin
  begin
    create extension if not exists pg_trgm with schema landfall;
    select format('%I.gin_trgm_ops', n.nspname) into word_class
    from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    raise notice 'pg_trgm is not available: searching by words reads every row of the account';
  end;
  begin
    create extension if not exists btree_gin with schema landfall;
    account_column := 'account_id, ';
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    raise notice 'btree_gin is not available: searching by words also reads other accounts'' index entries';
  end;
  if word_class is null then
    execute format('create index shipment_search_words on landfall.shipment_search using gin (%sterms)', account_column);
  else
    execute format('create index shipment_search_words on landfall.shipment_search using gin (%sterms, text %s)', account_column, word_class);
  end if;
end
$$;

-- Row-level security keeps Postgres from using an index for any operator that could leak values in an error, and those of arrays and words count
-- as such. Therefore this one lookup runs as the system's role and names the account itself: the one that the transaction is bound to. Planned
-- anew with each call, because the best plan depends on the words.
create function landfall.find_by_words(of_test boolean, any_terms text[], any_patterns text[], most integer) returns setof uuid
language plpgsql stable security definer rows 1000 set search_path = pg_catalog, landfall set enable_seqscan = off
as $$
begin
  return query execute '
    select w.shipment_id
    from landfall.shipment_search as w
    where w.account_id = nullif(current_setting(''landfall.account_id'', true), '''')::uuid and w.test = $1
      and (w.terms && $2 or w.text like any ($3))
    limit $4'
  using of_test, any_terms, any_patterns, most;
end
$$;

revoke execute on function landfall.find_by_words(boolean, text[], text[], integer) from public;
grant execute on function landfall.find_by_words(boolean, text[], text[], integer) to landfall_app;
-- A new owner must be allowed to create in the schema at the moment when it becomes one.
grant create on schema landfall to landfall_system;
alter function landfall.find_by_words(boolean, text[], text[], integer) owner to landfall_system;
revoke create on schema landfall from landfall_system;
