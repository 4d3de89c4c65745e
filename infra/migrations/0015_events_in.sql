-- Tracking by pushed events: nobody polls such a shipment (its connector is `pushed`). It is stale so many hours after
-- the last event, and its tracking ends by itself at `ends_at`, which a job looks for.
alter table landfall.polling
  add column stale_after_hours smallint,
  add column ends_at timestamptz,
  add constraint polling_stale_after_hours_range check (stale_after_hours between 1 and 720);

create index polling_ending on landfall.polling (ends_at) where ends_at is not null;

-- A scope of its own for whoever only pushes events. Keys that hold every scope keep holding every scope.
alter table landfall.api_keys
  drop constraint api_keys_scopes_known,
  add constraint api_keys_scopes_known check (scopes <@ array['shipments:read', 'shipments:write', 'shipments:delete',
    'events:write', 'webhooks:manage', 'carriers:manage', 'keys:manage']);

-- The owner of a table is bound by its policies, too.
alter table landfall.api_keys no force row level security;
update landfall.api_keys
set scopes = scopes || array['events:write']
where scopes @> array['shipments:read', 'shipments:write', 'shipments:delete', 'webhooks:manage', 'carriers:manage', 'keys:manage'];
alter table landfall.api_keys force row level security;
