-- Publishing a shipment has a scope of its own. Keys that have every other scope get it.
alter table landfall.api_keys
  drop constraint api_keys_scopes_known,
  add constraint api_keys_scopes_known check (
    scopes <@ array[
      'shipments:read', 'shipments:write', 'shipments:delete', 'events:write', 'shares:write', 'webhooks:manage',
      'carriers:manage', 'keys:manage'
    ]
  );

-- Row-level security applies to the owner of the table, too.
set local role landfall_system;

update landfall.api_keys
set scopes = scopes || array['shares:write']
where scopes @> array[
  'shipments:read', 'shipments:write', 'shipments:delete', 'events:write', 'webhooks:manage', 'carriers:manage',
  'keys:manage'
];

reset role;

-- An account can turn its public pages off.
alter table landfall.share_settings add column public_pages boolean not null default true;
