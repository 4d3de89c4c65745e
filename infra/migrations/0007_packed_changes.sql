-- The data of changes that were made together is packed into one value, which the last of them holds: a feed is deleted
-- from its start, so no change outlives the one that holds its data. Rows with `data` are from an earlier release, or
-- the first change of a shipment, and are read until they have expired.
alter table landfall.changes alter column data drop not null;
alter table landfall.changes add column packed bytea;
alter table landfall.changes alter column packed set storage external;
alter table landfall.changes add column packed_in uuid;
alter table landfall.changes add column packed_place smallint;
alter table landfall.changes add constraint changes_data_once check (num_nonnulls(data, packed, packed_in) = 1) not valid;
