import type { WebhookState } from '#shared/domain/installation/operations.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

/** Higher counts would add no information. */
const maxCounted = 10_000;
/** Of one endpoint. After a restore, sequences continue far ahead. */
const maxUnsent = 1000;

/** The webhooks of all accounts, each number counted up to 10,000, unsent changes up to 1,000 for each endpoint. */
export async function readWebhookState(tx: Tx): Promise<WebhookState> {
  const rows = await readRows<WebhookState>(tx, {
    name: 'read-webhook-state',
    text: `
      with known as materialized (
        select e.account_id, e.test, e.enabled, e.disabled_reason, c.sequence, c.failing_since, f.given
        from landfall.webhook_endpoints as e
        join landfall.webhook_cursors as c on c.account_id = e.account_id and c.endpoint_id = e.id
        left join landfall.account_feeds as f on f.account_id = e.account_id
        limit ${maxCounted}
      ),
      behind as (
        select min(change.created_at) as at
        from (
          select account_id, test, min(sequence) as sequence from known where enabled group by account_id, test
        ) as slowest
        cross join lateral (
          select created_at from landfall.changes
          where account_id = slowest.account_id and test = slowest.test and sequence > slowest.sequence
          order by sequence
          limit 1
        ) as change
      ),
      waiting as materialized (
        select d.created_at
        from landfall.webhook_deliveries as d
        join landfall.webhook_endpoints as e on e.account_id = d.account_id and e.id = d.endpoint_id and e.enabled
        where d.state = 'waiting'
        limit ${maxCounted}
      )
      select
        (select count(*)::integer from known where enabled) as "enabled",
        (select count(*)::integer from known where enabled and failing_since is not null) as "failing",
        (select count(*)::integer from known where disabled_reason in ('gone', 'failing')) as "disabled",
        (select count(*)::integer from waiting) as "waiting",
        (
          select coalesce(sum(least(greatest(given - sequence, 0), ${maxUnsent})), 0)::integer from known where enabled
        ) as "unsent",
        coalesce(greatest(0, extract(epoch from now() - (select min(created_at) from waiting))), 0)::float8
          as "oldestWaitingAgeS",
        coalesce(greatest(0, extract(epoch from now() - (select at from behind))), 0)::float8 as "unsentAgeS"`,
  });
  const [state] = rows;
  if (state === undefined) throw new Error('read-webhook-state returned no row');
  return state;
}
