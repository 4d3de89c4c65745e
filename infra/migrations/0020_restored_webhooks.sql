-- A restored installation does not send webhooks until somebody enables them: the one that the backup was taken from may
-- still do so.
alter table landfall.webhook_endpoints drop constraint webhook_endpoints_disabled_reason_known;
alter table landfall.webhook_endpoints add constraint webhook_endpoints_disabled_reason_known
  check (disabled_reason in ('requested', 'gone', 'failing', 'restored'));
