alter table landfall.imports
  add column reason text,
  add column stored_bytes bigint not null default 0,
  drop constraint imports_state_known,
  add constraint imports_state_known
    check (state = any (array['receiving', 'running', 'completed', 'interrupted', 'failed'])),
  add constraint imports_reason_known
    check ((reason is null) = (state <> 'failed') and reason = any (array['too_many_errors', 'cancelled'])),
  add constraint imports_stored_bytes check (stored_bytes >= 0);

-- Row-level security binds the owner, too.
set local role landfall_system;

update landfall.imports as i
set stored_bytes =
  (select coalesce(sum(octet_length(c.rows)), 0) from landfall.import_chunks as c
    where c.account_id = i.account_id and c.import_id = i.id and c.rows is not null)
  + (select coalesce(sum(octet_length(e.raw)), 0) from landfall.import_errors as e
    where e.account_id = i.account_id and e.import_id = i.id);

reset role;
