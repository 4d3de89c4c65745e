import type { Tx } from '../open-store.ts';

export type WebhookFigures = {
  /** Changes that enabled endpoints have not come to yet, and deliveries that wait for a retry, each up to a limit. */
  backlog: number;
  /** Age in seconds of the oldest of those changes. Null: there is none. */
  oldestAgeS: number | null;
  /** Enabled endpoints whose last delivery failed. */
  failing: number;
};

/** Higher counts would add no information. */
const maxCounted = 100_000;
/** Endpoints that are behind whose oldest change is looked up. */
const maxBehind = 1000;
const readTimeoutMs = 1500;

/** The state of all endpoints. Times out after one and a half seconds. */
export async function readWebhookFigures(tx: Tx): Promise<WebhookFigures> {
  await tx.query(`set local statement_timeout = ${readTimeoutMs}`);
  const { rows } = await tx.query<WebhookFigures>({
    name: 'read-webhook-figures',
    text: `
      with enabled as materialized (
        select c.account_id, c.position, c.failing_since, e.test, least(f.given - c.position, ${maxCounted}) as behind
        from landfall.webhook_cursors as c
        join landfall.webhook_endpoints as e on e.account_id = c.account_id and e.id = c.endpoint_id and e.enabled
        join landfall.account_feeds as f on f.account_id = c.account_id
      ),
      waiting as (
        select from landfall.webhook_deliveries where state = 'waiting' limit ${maxCounted}
      ),
      oldest as (
        select min(first.created_at) as at
        from (select * from enabled where behind > 0 limit ${maxBehind}) as late
        cross join lateral (
          select created_at from landfall.changes as c
          where c.account_id = late.account_id and c.test = late.test and c.position > late.position
          order by c.position
          limit 1
        ) as first
      )
      select
        ((select coalesce(sum(behind), 0) from enabled) + (select count(*) from waiting))::float8 as backlog,
        (select extract(epoch from now() - at)::float8 from oldest) as "oldestAgeS",
        (select count(*)::integer from enabled where failing_since is not null) as failing`,
  });
  return rows[0] ?? { backlog: 0, oldestAgeS: null, failing: 0 };
}
