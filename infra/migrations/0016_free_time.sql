-- Free-time terms: one document per account, of live or of test shipments. `version` rises with each replacement, so that
-- processes keep a document for as long as its version is the stored one. `marked_to`: a worker is marking the shipments
-- that another document assessed, in the order of their ids, and is done up to this one. Null: all of them are marked.
create table landfall.free_time_terms (
  account_id uuid not null,
  test boolean not null,
  version bigint not null,
  terms jsonb not null,
  marked_to uuid,
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, test),
  constraint free_time_terms_version_positive check (version > 0),
  constraint free_time_terms_is_list check (jsonb_typeof(terms) = 'array'),
  constraint free_time_terms_size check (octet_length(terms::text) <= 4194304)
);

create index free_time_terms_to_mark on landfall.free_time_terms (account_id, test) where marked_to is not null;

select landfall.protect_table('landfall.free_time_terms', for_app => 'select, insert, update, delete');

-- `free_time_states`: the distinct states of all clocks. `last_free_day`: the earliest of the open clocks.
-- `free_time_at`: from when on a worker assesses the shipment again, because days, states or costs change by time alone,
-- or because its terms have changed. Records of an earlier release are due at once: they were composed without free
-- time. A default that is dropped again leaves their rows as they are.
alter table landfall.shipments
  add column free_time_states text[] not null default '{}',
  add column last_free_day date,
  add column free_time_at timestamptz default '-infinity',
  -- Last free days that the client set by hand.
  add column manual_free_days jsonb not null default '[]',
  add constraint shipments_manual_free_days_is_list check (jsonb_typeof(manual_free_days) = 'array');

alter table landfall.shipments alter column free_time_at drop default;

create index shipments_by_last_free_day on landfall.shipments (account_id, test, last_free_day, id)
  where last_free_day is not null;
-- Few shipments are between discharge and empty return: these lists and counts read no others.
create index shipments_with_open_clock on landfall.shipments (account_id, test, created_at, id)
  where free_time_states && '{running,expiring,over,unknown_terms}';
create index shipments_with_unknown_terms on landfall.shipments (account_id, test, created_at, id)
  where 'unknown_terms' = any (free_time_states);
create index shipments_free_time_due on landfall.shipments (free_time_at)
  where free_time_at is not null and archived_at is null;
