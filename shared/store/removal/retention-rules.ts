import type { Tx } from '../open-store.ts';

/** Settings that say how long records are kept. */
export type RetentionPeriods = {
  idempotencyKeptHours: number;
  importsKeptDays: number;
  deliveriesKeptDays: number;
  unreadableKeptDays: number;
  webhooksKeptDays: number;
  undeliveredKeptDays: number;
  alertsKeptDays: number;
};

/**
 * Rows of `table` are deleted once `at` lies further back than the period. `key`: the columns that identify a row.
 * `days` or `hours`: the period. `where`: a condition on the row `t` besides its age, e.g. that it has ended.
 */
export type RetentionRule = {
  /** In logs and results. */
  name: string;
  table: string;
  key: readonly string[];
  at: string;
  days?: (periods: RetentionPeriods) => number;
  hours?: (periods: RetentionPeriods) => number;
  where?: string;
};

/** Every kind of record that is deleted because of its age alone, in the order in which they go. */
export const retentionRules: readonly RetentionRule[] = [
  {
    name: 'idempotency keys',
    table: 'idempotency',
    key: ['account_id', 'route', 'key'],
    at: 'created_at',
    hours: ({ idempotencyKeptHours }) => idempotencyKeptHours,
  },
  {
    name: 'imports',
    table: 'imports',
    key: ['account_id', 'id'],
    at: 'completed_at',
    days: ({ importsKeptDays }) => importsKeptDays,
    // Its rows go first, in statements of their own: there can be millions.
    where: `not exists (select from landfall.import_errors as e where e.account_id = t.account_id and e.import_id = t.id)
        and not exists (select from landfall.import_chunks as c where c.account_id = t.account_id and c.import_id = t.id)`,
  },
  {
    name: 'bulk actions',
    table: 'bulk_actions',
    key: ['account_id', 'id'],
    at: 'completed_at',
    days: ({ importsKeptDays }) => importsKeptDays,
  },
  {
    name: 'carrier deliveries',
    table: 'carrier_deliveries',
    key: ['account_id', 'id'],
    at: 'received_at',
    days: ({ deliveriesKeptDays }) => deliveriesKeptDays,
    where: `state <> 'received'`,
  },
  {
    name: 'ended carrier subscriptions',
    table: 'carrier_subscriptions',
    key: ['account_id', 'id'],
    at: 'ended_at',
    days: ({ deliveriesKeptDays }) => deliveriesKeptDays,
    where: `state = 'ended'
        and not exists (select from landfall.carrier_deliveries as d where d.account_id = t.account_id and d.subscription_id = t.id)`,
  },
  {
    // If the carrier sends them again, they are stored again.
    name: 'unreadable events',
    table: 'unreadable_events',
    key: ['account_id', 'id'],
    at: 'seen_at',
    days: ({ unreadableKeptDays }) => unreadableKeptDays,
  },
  {
    // Includes deliveries of deleted endpoints.
    name: 'webhook deliveries',
    table: 'webhook_deliveries',
    key: ['account_id', 'endpoint_id', 'id'],
    at: 'created_at',
    days: ({ webhooksKeptDays }) => webhooksKeptDays,
    where: `state = 'delivered'`,
  },
  {
    // Given up, or waiting at an endpoint that stays disabled.
    name: 'undelivered webhooks',
    table: 'webhook_deliveries',
    key: ['account_id', 'endpoint_id', 'id'],
    at: 'created_at',
    days: ({ webhooksKeptDays, undeliveredKeptDays }) => Math.max(webhooksKeptDays, undeliveredKeptDays),
    where: `state <> 'delivered'`,
  },
  {
    name: 'webhook replays',
    table: 'webhook_replays',
    key: ['account_id', 'id'],
    at: 'completed_at',
    days: ({ undeliveredKeptDays }) => undeliveredKeptDays,
  },
  {
    name: 'alert messages',
    table: 'alert_messages',
    key: ['account_id', 'id'],
    at: 'created_at',
    days: ({ alertsKeptDays }) => alertsKeptDays,
    where: `state <> 'waiting'`,
  },
  {
    name: 'alert entries',
    table: 'alert_entries',
    key: ['account_id', 'user_id', 'channel', 'key'],
    at: 'created_at',
    days: ({ alertsKeptDays }) => alertsKeptDays,
  },
  {
    name: 'account notices',
    table: 'alert_notices',
    key: ['account_id', 'key'],
    at: 'created_at',
    days: ({ alertsKeptDays }) => alertsKeptDays,
    where: 'notified_at is not null',
  },
];

/** Deletes a batch of the rule's old rows and returns their number, at most `limit`. Skips rows that are locked. */
export async function deleteOldRows(
  tx: Tx,
  rule: RetentionRule,
  { periods, limit }: { periods: RetentionPeriods; limit: number },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: `delete-old-${rule.name.replaceAll(' ', '-')}`,
    text: statementOf(rule),
    values: [rule.days?.(periods) ?? 0, rule.hours?.(periods) ?? 0, limit],
  });
  return rowCount ?? 0;
}

function statementOf({ table, key, at, where }: RetentionRule): string {
  return `
      with old as (
        select ${key.join(', ')} from landfall.${table} as t
        where ${at} <= now() - make_interval(days => $1, hours => $2)${where === undefined ? '' : ` and ${where}`}
        order by ${at}
        limit $3
        for update skip locked
      )
      delete from landfall.${table} as t
      using old
      where ${key.map((column) => `t.${column} = old.${column}`).join(' and ')}`;
}
