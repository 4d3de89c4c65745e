-- The little of the record that every refresh needs, so that a refresh without news reads no record. Null: as large as the record itself, until
-- that is next written.
alter table landfall.shipments add column cadence jsonb;
