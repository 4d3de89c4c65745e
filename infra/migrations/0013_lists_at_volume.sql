-- The named lists (`shared/domain/named-lists.ts`) each walk one index in their order; what no list of theirs needs goes.
create index shipments_by_status_updated_at on landfall.shipments (account_id, test, status, updated_at, id);
create index shipments_by_transport_mode on landfall.shipments (account_id, test, transport_mode, created_at, id);
drop index landfall.shipments_delayed;
create index shipments_delayed on landfall.shipments (account_id, test, created_at, id, delay_hours) where delay_hours > 0;

-- A shipment that has had no event lacks both times: one index of them instead of two that every registration writes.
drop index landfall.shipments_without_status_changed_at;
drop index landfall.shipments_without_last_event_at;
create index shipments_without_events on landfall.shipments (account_id, test, id) where status_changed_at is null or last_event_at is null;

-- A row for each tag, in the order of the list: an array's index gives no order.
create table landfall.shipment_tags (
  account_id uuid not null,
  test boolean not null,
  tag text not null,
  created_at timestamptz(3) not null,
  shipment_id uuid not null,
  primary key (account_id, test, tag, created_at, shipment_id)
);

-- The moment is the shipment's, so that matches are put in order without reading the shipments.
alter table landfall.shipment_search add column created_at timestamptz(3);

-- The owner of a table is bound by its policies too; without this a backfill by anyone but a superuser would see nothing.
alter table landfall.shipments no force row level security;
alter table landfall.shipment_search no force row level security;

update landfall.shipment_search as w
set created_at = s.created_at
from landfall.shipments as s
where s.account_id = w.account_id and s.id = w.shipment_id;

insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
select distinct s.account_id, s.test, t.tag, s.created_at, s.id from landfall.shipments as s cross join unnest(s.tags) as t (tag);

alter table landfall.shipments force row level security;
alter table landfall.shipment_search force row level security;
alter table landfall.shipment_search alter column created_at set not null;

alter table landfall.shipment_tags enable row level security;
alter table landfall.shipment_tags force row level security;
create policy own_account on landfall.shipment_tags for all to landfall_app
  using (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
create policy system on landfall.shipment_tags for all to landfall_system using (true);
grant select, insert, update, delete on landfall.shipment_tags to landfall_app, landfall_system;

-- What the index of words knows of a shipment besides its text.
create function landfall.search_terms(tags text[], origin_codes text[], destination_codes text[]) returns text[]
language sql immutable
return array(
  select 'tag ' || t.tag from unnest(tags) as t (tag)
  union
  select 'origin ' || o.code from unnest(origin_codes) as o (code) where o.code is not null
  union
  select 'destination ' || d.code from unnest(destination_codes) as d (code) where d.code is not null
);

drop trigger shipments_index_words on landfall.shipments;
drop trigger shipments_index_changed_words on landfall.shipments;
drop function landfall.index_shipment_words();

-- Once a statement, so that an import pays once for its thousand rows.
create function landfall.index_new_shipments() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  with words as (
    insert into landfall.shipment_search (account_id, shipment_id, test, created_at, text, terms)
    select n.account_id, n.id, n.test, n.created_at, n.search_text, landfall.search_terms(
      n.tags, array[n.origin_unlocode, n.origin_iata, n.origin_country], array[n.destination_unlocode, n.destination_iata, n.destination_country]
    )
    from new_shipments as n
  )
  insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
  select distinct n.account_id, n.test, t.tag, n.created_at, n.id from new_shipments as n cross join unnest(n.tags) as t (tag);
  return null;
end
$$;

create trigger shipments_index_new after insert on landfall.shipments
  referencing new table as new_shipments for each statement execute function landfall.index_new_shipments();

create function landfall.index_changed_words() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  update landfall.shipment_search
  set text = new.search_text, terms = landfall.search_terms(
    new.tags,
    array[new.origin_unlocode, new.origin_iata, new.origin_country],
    array[new.destination_unlocode, new.destination_iata, new.destination_country]
  )
  where account_id = new.account_id and shipment_id = new.id;
  return null;
end
$$;

create trigger shipments_index_changed_words after update on landfall.shipments
  for each row when (
    (old.search_text, old.tags, old.origin_unlocode, old.origin_iata, old.origin_country, old.destination_unlocode, old.destination_iata,
      old.destination_country)
    is distinct from
    (new.search_text, new.tags, new.origin_unlocode, new.origin_iata, new.origin_country, new.destination_unlocode, new.destination_iata,
      new.destination_country)
  )
  execute function landfall.index_changed_words();

create function landfall.index_changed_tags() returns trigger
language plpgsql set search_path = pg_catalog, landfall
as $$
begin
  delete from landfall.shipment_tags
  where account_id = old.account_id and test = old.test and tag = any(old.tags) and created_at = old.created_at and shipment_id = old.id;
  if tg_op = 'UPDATE' then
    insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
    select distinct new.account_id, new.test, t.tag, new.created_at, new.id from unnest(new.tags) as t (tag);
  end if;
  return null;
end
$$;

create trigger shipments_index_changed_tags after update on landfall.shipments
  for each row when ((old.tags, old.created_at) is distinct from (new.tags, new.created_at)) execute function landfall.index_changed_tags();
create trigger shipments_drop_tags after delete on landfall.shipments
  for each row when (old.tags <> '{}') execute function landfall.index_changed_tags();

-- As before, and what several words leave: every one of `all_patterns` fits, or one of `any_patterns`.
drop function landfall.find_by_words(boolean, text[], text[], integer);
create function landfall.find_by_words(of_test boolean, any_terms text[], all_patterns text[], any_patterns text[], most integer)
returns table (shipment_id uuid, created_at timestamptz)
language plpgsql stable security definer rows 1000 set search_path = pg_catalog, landfall set enable_seqscan = off
as $$
declare
  ways text[] := '{}';
begin
  if cardinality(any_terms) > 0 then
    ways := ways || 'w.terms && $2'::text;
  end if;
  -- Each pattern by itself, so that the index intersects them; `like all` would only be checked row by row.
  if cardinality(all_patterns) > 0 then
    ways := ways || (select '(' || string_agg(format('w.text like $3[%s]', n), ' and ') || ')' from generate_subscripts(all_patterns, 1) as n);
  end if;
  if cardinality(any_patterns) > 0 then
    ways := ways || 'w.text like any ($4)'::text;
  end if;
  if cardinality(ways) = 0 then
    return;
  end if;
  return query execute format('
    select w.shipment_id, w.created_at::timestamptz
    from landfall.shipment_search as w
    where w.account_id = nullif(current_setting(''landfall.account_id'', true), '''')::uuid and w.test = $1 and (%s)
    limit $5', array_to_string(ways, ' or '))
  using of_test, any_terms, all_patterns, any_patterns, most;
end
$$;

revoke execute on function landfall.find_by_words(boolean, text[], text[], text[], integer) from public;
grant execute on function landfall.find_by_words(boolean, text[], text[], text[], integer) to landfall_app;
grant create on schema landfall to landfall_system;
alter function landfall.find_by_words(boolean, text[], text[], text[], integer) owner to landfall_system;
revoke create on schema landfall from landfall_system;
