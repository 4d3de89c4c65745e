-- Events as columns, each place once an account, and what carriers sent once a reading, packed.

-- Renamed first, so that nothing writes to it in between. A job of the worker moves its rows, shipment by shipment.
alter table landfall.events rename to former_events;
alter index landfall.events_pkey rename to former_events_pkey;
alter index landfall.events_by_shipment rename to former_events_by_shipment;
alter table landfall.former_events rename constraint events_dedupe_unique to former_events_dedupe_unique;
alter table landfall.former_events rename constraint events_shipment to former_events_shipment;
alter table landfall.former_events rename constraint events_classifier_known to former_events_classifier_known;
alter table landfall.former_events rename constraint events_source_known to former_events_source_known;
revoke insert on landfall.former_events from landfall_app;
grant delete on landfall.former_events to landfall_app;

-- `id`: the first 8 bytes of the SHA-256 of the content, so that a writer knows it without reading, and two writers of
-- one place write the same row. Rows never change.
create table landfall.places (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id bigint not null,
  lat double precision,
  lng double precision,
  name text,
  unlocode text,
  iata text,
  country text,
  timezone text,
  facility text,
  primary key (account_id, id)
);

select landfall.protect_table('landfall.places', for_app => 'select, insert');

-- What a carrier sent about the events that were new in a reading: a JSON array of the distinct values, packed.
create table landfall.readings (
  account_id uuid not null,
  shipment_id uuid not null,
  number integer not null,
  raws bytea not null,
  primary key (account_id, shipment_id, number),
  constraint readings_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Compressed already.
alter table landfall.readings alter column raws set storage external;

select landfall.protect_table('landfall.readings', for_app => 'select, insert');

-- What most rows have is null: `source` carrier, `zone_source` carrier, `precision` second, `leg_role` unknown,
-- `timezone` that of the place ('' none), `local_offset` 0, `received_at` the time in `id`. `local_offset`: the local
-- time minus UTC, in minutes. `dedupe_key`: the first 16 bytes of the SHA-256 of the dedupe text, which follows from
-- the row, its `family` (connector family) and `occurrence`. `reading` and `raw_index` (from 0): where its raw value
-- is; null: there is none. `rest`: members of the event that the columns don't return exactly, with their values. The
-- order of the columns leaves no gaps between them.
create table landfall.events (
  account_id uuid not null,
  shipment_id uuid not null,
  id uuid not null,
  dedupe_key bytea not null,
  code text not null,
  event_at timestamptz not null,
  received_at timestamptz,
  source_created_at timestamptz,
  place bigint,
  reading integer,
  raw_index smallint,
  local_offset smallint,
  occurrence smallint,
  empty boolean,
  classifier text not null,
  leg_role text,
  source text,
  zone_source text,
  precision text,
  timezone text,
  container text,
  iso_type text,
  mode text,
  vehicle_name text,
  vehicle_imo text,
  voyage text,
  flight text,
  carrier_code text,
  carrier_description text,
  description text,
  delay_reason text,
  document text,
  source_event_id text,
  family text,
  seals text[],
  superseded_by uuid,
  voided_at timestamptz,
  rest jsonb,
  constraint events_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade,
  constraint events_classifier_known check (classifier in ('planned', 'estimated', 'actual')),
  constraint events_source_known check (source in ('client', 'test')),
  constraint events_dedupe_key_size check (octet_length(dedupe_key) = 16)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Not unique: all rows of a shipment share one entry, a tenth of the room that a key with the id takes. Ids are random,
-- and a writer of events holds the lock of their shipment.
create index events_by_shipment on landfall.events (account_id, shipment_id);

-- For people's own queries; the product reads by shipment. Equal keys share an entry, and blocks of one time lie
-- together, so both take little room.
create index events_by_code on landfall.events (account_id, code, place);
create index events_by_time on landfall.events using brin (event_at);

select landfall.protect_table('landfall.events', for_app => 'select, insert, update');
