-- The little of the record that every look needs, so that a look without news reads no record. Null: as large as the record itself, until
-- that is next written.
alter table landfall.shipments add column cadence jsonb;
