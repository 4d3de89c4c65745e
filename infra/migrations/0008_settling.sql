-- A shipment that has been closed for long is settled: its events, status history and refreshes become one packed row.
create table landfall.settled_shipments (
  account_id uuid not null,
  shipment_id uuid not null,
  packed bytea not null,
  settled_at timestamptz not null default now(),
  constraint settled_shipments_pkey primary key (account_id, shipment_id),
  constraint settled_shipments_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);
-- It is compressed already.
alter table landfall.settled_shipments alter column packed set storage external;
select landfall.protect_table(
  'landfall.settled_shipments', 'select, insert, update, delete', 'select, insert, update, delete'
);
grant delete on landfall.status_changes to landfall_system;

alter table landfall.shipments
  add column settled_at timestamptz,
  -- The days to settling count from here if it is later than `closed_at`.
  add column settling_from timestamptz;
create index shipments_to_settle on landfall.shipments (greatest(closed_at, settling_from))
  where closed_at is not null and settled_at is null;
create index shipments_closed on landfall.shipments (account_id, closed_at) where closed_at is not null;

-- How long the account keeps closed shipments. Null: as long as the installation does.
alter table landfall.accounts
  add column retention_days integer,
  add column removed_at timestamptz,
  add constraint accounts_retention_days check (retention_days between 1 and 36500);

alter table landfall.api_keys
  drop constraint api_keys_scopes_known,
  add constraint api_keys_scopes_known check (scopes <@ array['shipments:read', 'shipments:write', 'shipments:delete',
    'webhooks:manage', 'carriers:manage', 'keys:manage']);

create index audit_by_subject on landfall.audit (account_id, subject_id) where subject_id is not null;

-- The audit log is append-only while its account exists. Of a removed account, only the removal itself stays.
grant delete on landfall.audit to landfall_system;
create policy only_of_removed on landfall.audit as restrictive for delete to landfall_system
  using (action <> 'account.removed' and not exists (select from landfall.accounts as a where a.id = account_id));

grant delete on landfall.account_feeds to landfall_system;
grant delete on landfall.shipment_counts to landfall_system;
