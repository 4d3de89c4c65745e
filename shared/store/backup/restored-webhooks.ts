import { changeAsSystem } from './open-owner.ts';

/**
 * Disables all enabled webhook endpoints with the reason `restored`, and returns their number. The schema must be that of
 * this release.
 */
export function disableRestoredWebhooks(databaseUrl: string): Promise<number> {
  return changeAsSystem(
    databaseUrl,
    `update landfall.webhook_endpoints set enabled = false, disabled_at = now(), disabled_reason = 'restored' where enabled`,
  );
}

/** Enables those again that a restore disabled, and returns their number. They continue where they were. */
export function enableRestoredWebhooks(databaseUrl: string): Promise<number> {
  return changeAsSystem(
    databaseUrl,
    `with enabled as (
       update landfall.webhook_endpoints set enabled = true, disabled_at = null, disabled_reason = null
       where disabled_reason = 'restored'
       returning account_id, id
     )
     update landfall.webhook_cursors as c
     set failing_since = null, consecutive_failures = 0, epoch = epoch + 1, lease_until = null, retry_at = now()
     from enabled as e
     where c.account_id = e.account_id and c.endpoint_id = e.id`,
  );
}
