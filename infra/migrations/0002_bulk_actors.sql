-- A bulk action runs as long as the key or the user that started it may start one. Both null: it was started before.
alter table landfall.bulk_actions
  add column started_by uuid,
  add column started_with uuid,
  add column stop_reason text,
  drop constraint bulk_actions_state_known,
  add constraint bulk_actions_state_known check (state in ('finding', 'running', 'completed', 'cancelled', 'stopped')),
  add constraint bulk_actions_stop_reason check ((stop_reason is not null) = (state = 'stopped'));
