import { openOwner } from './open-owner.ts';

/**
 * Disables all enabled webhook endpoints with the reason `restored`, and returns their number. Messages of alerts that
 * waited are dropped: the installation that the backup was taken from has sent them. The schema must be that of this
 * release.
 */
export function disableRestoredWebhooks(databaseUrl: string): Promise<number> {
  return updateEndpoints(
    databaseUrl,
    `with dropped as (
       update landfall.alert_messages set state = 'dropped', error = 'restored', next_try_at = null where state = 'waiting'
     ),
     taken as (
       update landfall.alert_mailboxes set due_at = null, opened_at = null where due_at is not null
     ),
     unsent as (
       delete from landfall.alert_entries where message_id is null
     )
     update landfall.webhook_endpoints set enabled = false, disabled_at = now(), disabled_reason = 'restored' where enabled`,
  );
}

/** Enables those again that a restore disabled, and returns their number. They continue where they were. */
export function enableRestoredWebhooks(databaseUrl: string): Promise<number> {
  return updateEndpoints(
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

/** As the system role: row-level security shows the owner no row. */
async function updateEndpoints(databaseUrl: string, text: string): Promise<number> {
  const client = await openOwner(databaseUrl);
  try {
    await client.query('begin');
    await client.query('set local role landfall_system');
    const { rowCount } = await client.query(text);
    await client.query('commit');
    return rowCount ?? 0;
  } finally {
    await client.end().catch(() => {});
  }
}
