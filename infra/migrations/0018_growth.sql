-- How tables age that are written all day. None of this changes what is stored.

-- A run of unchanged refreshes is one row that each refresh updates. With `last_at` in an index such an update could not stay on its page (HOT): it
-- wrote a new entry into both indexes. Refreshes of one shipment are made one after the other, and only the newest grows, so that ids, which are
-- made in order of time, sort them as `last_at` does.
create index refreshes_newest on landfall.refreshes (account_id, shipment_id, id desc);
drop index landfall.refreshes_by_shipment;
alter table landfall.refreshes set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

-- A refresh updates its row three times (claimed, begun, ended), each time in columns that the sweep's indexes need: no update is HOT, and a full
-- page is worth more than room on it. Vacuum comes early and runs at full speed: what it has not yet removed lies at the very front of the sweep's
-- index, and its pages are what the next updates are written to.
alter table landfall.polling set (
  fillfactor = 95, autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.02
);

-- Rows come at one end and go at the other. Giving the empty end of such a file back to the disk takes a lock that stops everybody, for room
-- that is needed again within the hour.
alter table landfall.changes set (vacuum_truncate = off);
alter table landfall.idempotency set (
  vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1
);
alter table landfall.push_deliveries set (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05);
alter table landfall.import_errors set (vacuum_truncate = off);
alter table landfall.import_chunks set (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05);

-- Progress is written once a chunk, in columns that no index holds.
alter table landfall.imports set (fillfactor = 70);

-- Large: at the default share, a table of 50 million rows would be vacuumed once in ten million changes, then for an hour; and its statistics
-- would be as old.
alter table landfall.events set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table landfall.shipments set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- A few rows, each updated thousands of times a minute: pages are cleaned on the way (HOT), vacuum only has to come now and then.
alter table landfall.token_buckets set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
alter table landfall.limit_counts set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);

-- What could not be read is kept once for each text; a carrier that puts the moment into its texts would fill this table for good.
create index rejected_events_by_seen_at on landfall.rejected_events (seen_at);

-- Ended subscriptions go when the last of what they received has gone.
create index push_subscriptions_ended on landfall.push_subscriptions (ended_at) where state = 'ended';
