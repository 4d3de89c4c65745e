import { changeAsSystem } from './open-owner.ts';

/**
 * Pauses all alerts, and drops what waited to be sent: the installation that the backup was taken from notifies the same
 * people, and what has happened since the backup would be sent to all of them again. Returns how many alerts were active.
 * The schema must be that of this release.
 */
export function pauseRestoredAlerts(databaseUrl: string): Promise<number> {
  return changeAsSystem(
    databaseUrl,
    `with messages as (
       update landfall.alert_messages
       set state = 'dropped', error = 'restored', next_try_at = null, lease_until = null
       where state = 'waiting'
     ),
     boxes as (
       update landfall.alert_mailboxes set due_at = null, opened_at = null where due_at is not null
     ),
     entries as (
       delete from landfall.alert_entries where message_id is null
     ),
     notices as (
       update landfall.alert_notices set notified_at = now() where notified_at is null
     )
     -- '-infinity' distinguishes these from alerts that their members paused.
     update landfall.alerts set paused_at = '-infinity' where paused_at is null`,
  );
}

/** Resumes those that a restore paused and that have a channel, and returns their number. They report what happens from now on. */
export function resumeRestoredAlerts(databaseUrl: string): Promise<number> {
  return changeAsSystem(
    databaseUrl,
    `with cursors as (
       update landfall.alert_cursors set swept_at = now()
     )
     update landfall.alerts as a
     set paused_at = null,
       from_sequence = coalesce((select f.given from landfall.account_feeds as f where f.account_id = a.account_id), 0)
     where a.paused_at = '-infinity' and cardinality(a.channels) > 0`,
  );
}
