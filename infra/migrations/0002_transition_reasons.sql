-- Why a published transition happened, when the cargo reached the status, and when the deciding event was received. The default serves
-- rows from before this migration and processes that still run the release before it.
alter table landfall.status_changes
  add column reason text not null default 'event',
  add column reached_at timestamptz,
  add column received_at timestamptz;
