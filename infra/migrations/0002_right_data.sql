-- Delays against the first promise, local days, imports of spreadsheets, unreadable events, kept traces, terms of the
-- word index, what needs attention, and positions for the map.

-- Everything that is read or rewritten below, at once, so that nothing changes meanwhile and no other session holds one
-- of the tables while it waits for another.
lock table landfall.shipments, landfall.polling, landfall.shipment_search, landfall.refreshes, landfall.rejected_events,
  landfall.changes, landfall.imports, landfall.import_chunks, landfall.import_errors, landfall.shipment_counts,
  landfall.shipment_count_deltas, landfall.workers in access exclusive mode;

-- The owner is not a superuser everywhere, and row-level security is forced.
alter table landfall.shipments no force row level security;
alter table landfall.polling no force row level security;
alter table landfall.shipment_search no force row level security;
alter table landfall.rejected_events no force row level security;
alter table landfall.imports no force row level security;
alter table landfall.import_chunks no force row level security;
alter table landfall.import_errors no force row level security;
alter table landfall.shipment_counts no force row level security;
alter table landfall.shipment_count_deltas no force row level security;

------------------------------------------------------------------------------------------------------------------------
-- 1. Columns
------------------------------------------------------------------------------------------------------------------------

-- `overdue_from`: when an unconfirmed ETA is past. `late_from`: from when on the shipment counts as late, -infinity by
-- its delay alone. `overdue_told`: the values of `overdue_from` that the feed has announced.
-- `recompose`: the record was composed by an earlier release. A job composes it again from its events, without calling
-- the carrier, and stores what the services compute from it.
-- `eta_day`, `departed_day`: calendar days at the place of the arrival or departure; a date in a filter compares them.
-- `needs_attention`: stored so that lists and counts of it cost as much as those of exceptions. `attention_at`: when
-- time alone will make the shipment need attention; null if it does already, or time will not.
-- `position`: where it is on the map, null until its first refresh. Shipments with the same `map_key` (by destination:
-- `map_destination`) are one point.
-- `search_terms`: what the word index holds of the shipment besides its text.
alter table landfall.shipments
  add column overdue_from timestamptz(3),
  add column late_from timestamptz(3),
  add column overdue_told timestamptz(3)[] not null default '{}',
  add column recompose boolean not null default true,
  add column eta_day date,
  add column departed_day date,
  add column needs_attention boolean not null default false,
  add column attention_at timestamptz,
  add column position jsonb,
  add column map_key text,
  add column map_destination text,
  add column search_terms text[] not null default '{}';
alter table landfall.shipments alter column recompose set default false;

-- `unreadable`: what of a carrier's response could not be read, {"count": …, "reasons": […]}; null: everything could.
-- In polling, that of the last reading, which a refresh without changes repeats. `trace_kept`: whether the trace store
-- was to keep the trace of `trace_id`. `detail`: the reason in words.
alter table landfall.polling
  add column unreadable jsonb,
  add column trace_kept boolean not null default false;
alter table landfall.refreshes
  add column detail text,
  add column unreadable jsonb,
  add column trace_kept boolean not null default false;

-- `code|leg_role|classifier` of each new event of a change, by which the feed is narrowed; null for other changes.
alter table landfall.changes add column event_keys text[];

-- The event loop delay of the worker at the 99th percentile, in its last report. Null: not measured.
alter table landfall.workers add column loop_delay_ms double precision;

alter table landfall.imports
  add column file jsonb not null default '{}'::jsonb,
  add column updated bigint not null default 0,
  add column warned bigint not null default 0,
  drop constraint imports_counts,
  drop constraint imports_format_known,
  add constraint imports_counts check (processed = created + existing + updated + failed and processed <= received),
  add constraint imports_format_known check (format = any (array['csv', 'ndjson', 'xlsx']));
alter table landfall.import_errors
  add column line bigint,
  add column severity text not null default 'error',
  add constraint import_errors_severity_known check (severity = any (array['error', 'warning']));

-- Two more dimensions of the kept counts. A reason of '' is none.
delete from landfall.shipment_count_deltas;
delete from landfall.shipment_counts;
alter table landfall.shipment_count_deltas add column reason text not null, add column needs_attention boolean not null;
alter table landfall.shipment_counts
  add column reason text not null,
  add column needs_attention boolean not null,
  drop constraint shipment_counts_pkey,
  add constraint shipment_counts_pkey
    primary key (account_id, test, archived, status, state, has_exception, reason, needs_attention);

------------------------------------------------------------------------------------------------------------------------
-- 2. Data of the first release
------------------------------------------------------------------------------------------------------------------------

-- The one rule in SQL, the same as attentionFrom in shared/domain/shipments/needs-attention.ts: from when on a shipment
-- needs attention. '-infinity': already. Null: time alone will not. `overdue_at`: from when on it is overdue. A delay
-- alone, which `late_from` has as '-infinity', is no reason before the ETA has passed.
create function landfall.attention_from(has_exception boolean, overdue_at timestamptz, state text, reason text,
  last_succeeded_at timestamptz, tracking_since timestamptz)
  returns timestamptz
  language sql
  stable parallel safe
return least(case when state <> 'stopped' then overdue_at end, case
  when has_exception or state = 'failed' then '-infinity'
  when state in ('awaiting_carrier', 'degraded') and reason in (
    'credentials_missing', 'carrier_auth_failed', 'data_withheld', 'not_found', 'invalid_identifier',
    'wrong_identifier_type', 'carrier_not_supported'
  ) then '-infinity'
  when state = 'awaiting_carrier' then greatest(tracking_since, last_succeeded_at) + interval '48 hours'
  when state = 'degraded' then greatest(tracking_since, last_succeeded_at) + interval '24 hours'
end);

-- Searches compare names without diacritics, case and punctuation: the same rules as foldText and foldName in
-- shared/domain. Stored texts are in lower case already. Character classes such as [:alnum:] depend on the database's
-- locale, so that ranges are named.
create function landfall.fold_text(written text) returns text
language sql immutable parallel safe set search_path = pg_catalog
return replace(replace(replace(replace(
  translate(
    lower(normalize(regexp_replace(normalize(written, nfkd), '[\u0300-\u036f]', '', 'g'), nfc)),
    'øłđðħı', 'olddhi'
  ),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

create function landfall.fold_name(written text) returns text
language sql immutable parallel safe set search_path = pg_catalog, landfall
return trim(regexp_replace(
  landfall.fold_text(written), '[\x01-\x2f\x3a-\x60\x7b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'
));

-- What the former record says, until it is composed again. ETA and its day by the same rule as findEta in
-- shared/domain/shipments; a local time starts with its day. `search_terms` holds what the record does not say.
alter table landfall.shipments disable trigger user;
update landfall.shipments as s
set overdue_from = o.overdue_from,
  late_from = l.late_from,
  eta_day = case when s.eta is not null then left(coalesce(
    s.record #>> '{arrival,estimated,local}',
    s.record #>> '{arrival,planned,local}',
    case when s.record #>> '{arrival,actual,local}' is null then s.record #>> '{delivery,estimated,local}' end
  ), 10)::date end,
  departed_day = left(s.record #>> '{departure,actual,local}', 10)::date,
  origin_name = case when s.origin_name ~ '[^a-z0-9 ]' then landfall.fold_name(s.origin_name) else s.origin_name end,
  destination_name = case
    when s.destination_name ~ '[^a-z0-9 ]' then landfall.fold_name(s.destination_name) else s.destination_name
  end,
  search_text = case when s.search_text ~ '[^\x01-\x7f]' then landfall.fold_text(s.search_text) else s.search_text end,
  search_terms = coalesce(w.terms, '{}')
    || array(select 'meta ' || left(m.key || '=' || m.value, 200) from jsonb_each_text(s.metadata) as m (key, value)),
  needs_attention = coalesce(a.attention_from <= now(), false),
  attention_at = case when a.attention_from > now() then a.attention_from end
from landfall.shipments as t
left join landfall.polling as p on p.account_id = t.account_id and p.shipment_id = t.id
left join landfall.shipment_search as w on w.account_id = t.account_id and w.shipment_id = t.id
cross join lateral (
  select case
    when t.record #>> '{arrival,actual,at}' is null and t.record #>> '{delivery,actual,at}' is null
      and t.status in ('pending', 'booked', 'in_transit')
    then t.eta
  end as overdue_from
) as o
cross join lateral (
  select case
    when t.eta is not null and t.delay_hours >= 24 then '-infinity'
    when t.transport_mode = 'parcel' then o.overdue_from
    else o.overdue_from + interval '24 hours'
  end as late_from
) as l
cross join lateral (
  select landfall.attention_from(
    t.has_exception, case when o.overdue_from is not null then greatest(l.late_from, o.overdue_from) end, p.state,
    p.reason, p.last_succeeded_at, coalesce(p.tracking_since, t.created_at)
  ) as attention_from
) as a
where t.account_id = s.account_id and t.id = s.id;
alter table landfall.shipments enable trigger user;

drop function landfall.fold_name(text);
drop function landfall.fold_text(text);

update landfall.shipment_search as w
set text = s.search_text, terms = s.search_terms
from landfall.shipments as s
where s.account_id = w.account_id and s.id = w.shipment_id
  and (w.text, w.terms) is distinct from (s.search_text, s.search_terms);

insert into landfall.shipment_counts (account_id, test, archived, status, state, has_exception, reason,
  needs_attention, counted)
select s.account_id, s.test, s.archived_at is not null, s.status, coalesce(p.state, 'queued'), s.has_exception,
  coalesce(p.reason, ''), s.needs_attention, count(*)
from landfall.shipments as s
left join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
group by 1, 2, 3, 4, 5, 6, 7, 8;

-- Responses with events that could not be read were recorded without a word, and an unchanged response would not be
-- read again.
update landfall.polling as p
set reading_hash = null, answer_hash = null
where exists (
  select from landfall.rejected_events as r where r.account_id = p.account_id and r.shipment_id = p.shipment_id
);

-- Rows were stored as lines of CSV. From here on a row is an object with its line and its cells.
create function landfall.csv_cells(line text, delimiter text) returns jsonb
language sql immutable
as $$
  select coalesce(
    jsonb_agg(coalesce(replace(cell.parts[1], '""', '"'), cell.parts[2]) order by cell.place), '[]'::jsonb
  )
  from regexp_matches(
    delimiter || line, delimiter || '(?:"((?:[^"]|"")*)"|([^' || delimiter || ']*))', 'g'
  ) with ordinality as cell (parts, place)
$$;

update landfall.import_chunks as c
set rows = (
  select json_agg(
    json_build_object(
      'line', c.first_row + stored.place,
      'content', case
        when i.format = 'csv' and stored.value ->> 1 is null
        then landfall.csv_cells(stored.value ->> 0, coalesce(i.options ->> 'delimiter', ','))::json
        when i.format = 'csv' then json_build_array(stored.value ->> 0)
        else stored.value -> 0
      end,
      'problem', stored.value ->> 1
    )
    order by stored.place
  )::text
  from json_array_elements(c.rows::json) with ordinality as stored (value, place)
)
from landfall.imports as i
where i.account_id = c.account_id and i.id = c.import_id and c.rows is not null;

update landfall.import_errors as e
set raw = landfall.csv_cells(e.raw, coalesce(i.options ->> 'delimiter', ','))::text
from landfall.imports as i
where i.account_id = e.account_id and i.id = e.import_id and i.format = 'csv';

drop function landfall.csv_cells(text, text);

------------------------------------------------------------------------------------------------------------------------
-- 3. Indexes
------------------------------------------------------------------------------------------------------------------------

create index shipments_to_recompose on landfall.shipments (account_id, id) where recompose;

-- Of each account, those that the clock may have to announce.
create index shipments_overdue_untold on landfall.shipments (overdue_from)
  where overdue_from is not null and archived_at is null and not recompose and not (overdue_from = any (overdue_told));
create index shipments_attention_due on landfall.shipments (attention_at)
  where attention_at is not null and archived_at is null;
create index shipments_needing_attention on landfall.shipments (account_id, test, created_at, id) where needs_attention;

create index shipments_by_delay_hours on landfall.shipments (account_id, test, delay_hours, id)
  where delay_hours is not null;
drop index landfall.shipments_without_eta;
create index shipments_without_eta on landfall.shipments (account_id, test, id)
  where eta is null or delay_hours is null;

-- The list of late shipments, and of overdue ones, in its order.
drop index landfall.shipments_delayed;
create index shipments_late_by_created_at
  on landfall.shipments (account_id, test, created_at, id, late_from, overdue_from)
  where late_from is not null and archived_at is null;
drop index landfall.shipments_late;
create index shipments_late on landfall.shipments (account_id, test, status, late_from)
  where late_from is not null and archived_at is null
    and status not in ('delivered', 'returned', 'failed', 'cancelled');

-- New credentials make shipments due that the carrier showed to others only.
drop index landfall.polling_waiting_credentials;
create index polling_waiting_credentials on landfall.polling (account_id, connector)
  where reason in ('credentials_missing', 'carrier_auth_failed', 'data_withheld') and next_refresh_at is not null;

create index imports_listed on landfall.imports (account_id, test, id);

------------------------------------------------------------------------------------------------------------------------
-- 4. Words
------------------------------------------------------------------------------------------------------------------------

-- The services compute text and terms (searchWords in shared/domain/shipments) and write them to `shipments`. From
-- there they are copied to the index.
create or replace function landfall.index_new_shipments()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  with words as (
    insert into landfall.shipment_search (account_id, shipment_id, test, created_at, text, terms)
    select n.account_id, n.id, n.test, n.created_at, n.search_text, n.search_terms
    from new_shipments as n
  )
  insert into landfall.shipment_tags (account_id, test, tag, created_at, shipment_id)
  select distinct n.account_id, n.test, t.tag, n.created_at, n.id
  from new_shipments as n cross join unnest(n.tags) as t (tag);
  return null;
end
$$;

create or replace function landfall.index_changed_words()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  update landfall.shipment_search
  set text = new.search_text, terms = new.search_terms
  where account_id = new.account_id and shipment_id = new.id;
  return null;
end
$$;

drop trigger shipments_index_changed_words on landfall.shipments;
create trigger shipments_index_changed_words after update of search_text, search_terms on landfall.shipments
  for each row
  when ((old.search_text, old.search_terms) is distinct from (new.search_text, new.search_terms))
  execute function landfall.index_changed_words();

drop function landfall.search_terms(text[], text[], text[]);

------------------------------------------------------------------------------------------------------------------------
-- 5. Attention and counts
------------------------------------------------------------------------------------------------------------------------

create or replace function landfall.count_new_shipments()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
begin
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
    needs_attention, delta)
  select n.account_id, n.test, n.archived_at is not null, n.status, 'queued', n.has_exception, '', n.needs_attention,
    count(*)
  from new_shipments as n
  group by 1, 2, 3, 4, 6, 8;
  return null;
end
$$;

create or replace function landfall.count_changed_shipment()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
declare
  of_state text := 'queued';
  of_reason text := '';
begin
  select p.state, coalesce(p.reason, '') into of_state, of_reason
  from landfall.polling as p where p.account_id = old.account_id and p.shipment_id = old.id;
  if not found then
    of_state := 'queued';
    of_reason := '';
  end if;
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
    needs_attention, delta)
  values (old.account_id, old.test, old.archived_at is not null, old.status, of_state, old.has_exception, of_reason,
    old.needs_attention, -1);
  if tg_op = 'DELETE' then
    return old;
  end if;
  insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
    needs_attention, delta)
  values (new.account_id, new.test, new.archived_at is not null, new.status, of_state, new.has_exception, of_reason,
    new.needs_attention, 1);
  return null;
end
$$;

-- Counts first, because the change of `needs_attention` is counted under the new state and reason. Not for a change of
-- `last_succeeded_at` alone: unchanged refreshes lock no shipments.
create or replace function landfall.count_changed_state()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
declare
  subject record;
  from_state text := 'queued';
  from_reason text := '';
  to_state text := 'queued';
  to_reason text := '';
  from_at timestamptz;
begin
  if tg_op <> 'INSERT' then
    from_state := old.state;
    from_reason := coalesce(old.reason, '');
    select s.account_id, s.id, s.test, s.archived_at is not null as archived, s.status, s.has_exception,
      s.needs_attention, s.attention_at, s.created_at, s.overdue_from, s.late_from into subject
    from landfall.shipments as s where s.account_id = old.account_id and s.id = old.shipment_id
    for no key update;
  else
    select s.account_id, s.id, s.test, s.archived_at is not null as archived, s.status, s.has_exception,
      s.needs_attention, s.attention_at, s.created_at, s.overdue_from, s.late_from into subject
    from landfall.shipments as s where s.account_id = new.account_id and s.id = new.shipment_id
    for no key update;
  end if;
  -- A shipment that is removed with its polling row took its count along.
  if subject.account_id is null then
    return null;
  end if;
  if tg_op <> 'DELETE' then
    to_state := new.state;
    to_reason := coalesce(new.reason, '');
  end if;
  if from_state <> to_state or from_reason <> to_reason then
    insert into landfall.shipment_count_deltas (account_id, test, archived, status, state, has_exception, reason,
      needs_attention, delta)
    values
      (subject.account_id, subject.test, subject.archived, subject.status, from_state, subject.has_exception,
        from_reason, subject.needs_attention, -1),
      (subject.account_id, subject.test, subject.archived, subject.status, to_state, subject.has_exception, to_reason,
        subject.needs_attention, 1);
  end if;
  if tg_op <> 'DELETE' then
    from_at := landfall.attention_from(subject.has_exception,
      case when subject.overdue_from is not null then greatest(subject.late_from, subject.overdue_from) end,
      new.state, new.reason, new.last_succeeded_at, coalesce(new.tracking_since, subject.created_at));
    update landfall.shipments as s
    set needs_attention = coalesce(from_at <= now(), false), attention_at = case when from_at > now() then from_at end
    where s.account_id = subject.account_id and s.id = subject.id
      and (subject.needs_attention <> coalesce(from_at <= now(), false)
        or subject.attention_at is distinct from case when from_at > now() then from_at end);
  end if;
  return null;
end
$$;

-- An exception that opens or closes, and another promise, decides again whether the shipment needs attention.
create function landfall.decide_attention()
  returns trigger
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
declare
  tracked record;
  from_at timestamptz;
begin
  select p.state, p.reason, p.last_succeeded_at, p.tracking_since into tracked
  from landfall.polling as p where p.account_id = new.account_id and p.shipment_id = new.id;
  from_at := landfall.attention_from(new.has_exception,
    case when new.overdue_from is not null then greatest(new.late_from, new.overdue_from) end,
    tracked.state, tracked.reason, tracked.last_succeeded_at, coalesce(tracked.tracking_since, new.created_at));
  new.needs_attention := coalesce(from_at <= now(), false);
  new.attention_at := case when from_at > now() then from_at end;
  return new;
end
$$;

create trigger shipments_decide_attention before update of has_exception, overdue_from, late_from on landfall.shipments
  for each row
  when (old.has_exception is distinct from new.has_exception or old.overdue_from is distinct from new.overdue_from
    or old.late_from is distinct from new.late_from)
  execute function landfall.decide_attention();
create trigger shipments_decide_attention_new before insert on landfall.shipments
  for each row
  when (new.has_exception)
  execute function landfall.decide_attention();

drop trigger shipments_count_changed on landfall.shipments;
create trigger shipments_count_changed after update on landfall.shipments
  for each row
  when (old.test is distinct from new.test or (old.archived_at is null) is distinct from (new.archived_at is null)
    or old.status is distinct from new.status or old.has_exception is distinct from new.has_exception
    or old.needs_attention is distinct from new.needs_attention)
  execute function landfall.count_changed_shipment();

drop trigger polling_count_changed on landfall.polling;
create trigger polling_count_changed after update on landfall.polling
  for each row
  when (old.state is distinct from new.state or old.reason is distinct from new.reason
    or old.tracking_since is distinct from new.tracking_since)
  execute function landfall.count_changed_state();
drop trigger polling_count_new on landfall.polling;
create trigger polling_count_new after insert on landfall.polling
  for each row
  when (new.state <> 'queued' or new.reason is not null)
  execute function landfall.count_changed_state();
drop trigger polling_count_removed on landfall.polling;
create trigger polling_count_removed after delete on landfall.polling
  for each row
  when (old.state <> 'queued' or old.reason is not null)
  execute function landfall.count_changed_state();

------------------------------------------------------------------------------------------------------------------------
-- 6. Reading
------------------------------------------------------------------------------------------------------------------------

-- Full hours since the ETA passed; null: it has not.
create function landfall.overdue_hours(overdue_from timestamptz) returns integer
language sql stable parallel safe
return case
  when overdue_from <= now() then floor(extract(epoch from now() - overdue_from) / 3600)::integer
end;

drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
returns table (
  place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier text,
  carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code text,
  status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
  archived_at timestamptz, version bigint, overdue_hours integer, late boolean, state text, reason text, source text,
  last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz,
  next_refresh_at timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean,
  needs_attention boolean, freshness text, journey_text text, record jsonb
)
language plpgsql volatile security invoker set search_path = pg_catalog, landfall
as $$
#variable_conflict use_column
begin
  for turn in 1 .. cardinality(of_ids) loop
    perform set_config('landfall.account_id', of_accounts[turn]::text, true);
    return query
      select turn, s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name,
        s.identifiers, s.reference, s.tags, s.metadata, s.destination_postal_code, s.status,
        s.status_changed_at::timestamptz, s.warnings, s.created_at::timestamptz, s.updated_at::timestamptz,
        s.archived_at, s.version, landfall.overdue_hours(s.overdue_from), coalesce(s.late_from <= now(), false),
        p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at, p.next_refresh_at,
        p.consecutive_failures, p.trace_id, p.trace_kept, s.needs_attention,
        landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
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

alter table landfall.shipment_count_deltas force row level security;
alter table landfall.shipment_counts force row level security;
alter table landfall.import_errors force row level security;
alter table landfall.import_chunks force row level security;
alter table landfall.imports force row level security;
alter table landfall.rejected_events force row level security;
alter table landfall.shipment_search force row level security;
alter table landfall.polling force row level security;
alter table landfall.shipments force row level security;
