import type {
  DeliveryState,
  DeliveryTry,
  WebhookDelivery,
  WebhookDeliveryRecord,
} from '#shared/domain/webhooks/delivery.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

const columns = [
  'id',
  'endpoint_id',
  'sequence',
  'change_id',
  'type',
  'shipment_id',
  'state',
  'tries',
  'next_try_at',
  'tried_at',
  'status',
  'latency_ms',
  'error',
  'trace_id',
  'created_at',
]
  .map((column) => `d.${column}`)
  .join(', ');

/** Null: no such condition. `after`: only deliveries older than this one. */
export type DeliveryQuery = {
  endpointId: string;
  states: readonly DeliveryState[] | null;
  types: readonly string[] | null;
  shipmentId: string | null;
  /** ISO UTC. */
  since: string | null;
  after: string | null;
  limit: number;
};

export type DeliveryPage = {
  deliveries: WebhookDelivery[];
  /** Start of the next page. Null: there is none. */
  next: string | null;
};

/** Deliveries that a page is selected from. The next page goes on after them. */
const maxSearched = 10_000;

/** Each has an index in its order. `$1` account, `$2` endpoint. */
const sources = {
  all: { name: 'list-webhook-deliveries', only: 'true' },
  undelivered: { name: 'list-undelivered-webhooks', only: `d.state <> 'delivered'` },
  byShipment: { name: 'list-webhook-deliveries-of-shipment', only: 'd.shipment_id = $4' },
};

/** Newest first. A page of a rare selection may be short, although more follow. */
export async function listDeliveries(tx: Tx, accountId: string, query: DeliveryQuery): Promise<DeliveryPage> {
  const { name, only } = sourceOf(query);
  const rows = await readRows<{ searched: number; last: string | null } & ({ id: null } | WebhookDelivery)>(tx, {
    name,
    text: `
      with searched as materialized (
        select d.id,
          ($3::text[] is null or d.state = any ($3::text[]))
          and ($4::uuid is null or d.shipment_id = $4)
          and ($5::text[] is null or d.type = any ($5::text[])) as matches
        from landfall.webhook_deliveries as d
        where d.account_id = $1 and d.endpoint_id = $2 and ${only}
          and ($6::timestamptz is null or d.created_at >= $6) and ($7::uuid is null or d.id < $7)
        order by d.id desc
        limit ${maxSearched}
      ),
      matching as (
        select s.id from searched as s where s.matches order by s.id desc limit $8
      ),
      counted as (
        select count(*) as searched, (select s.id from searched as s order by s.id limit 1) as last from searched
      )
      select counted.searched, counted.last, ${columns}
      from counted
      left join (
        matching as m
        join landfall.webhook_deliveries as d on d.account_id = $1 and d.endpoint_id = $2 and d.id = m.id
      ) on true
      order by d.id desc`,
    values: [
      accountId,
      query.endpointId,
      query.states,
      query.shipmentId,
      query.types,
      query.since,
      query.after,
      query.limit + 1,
    ],
  });
  const found = rows.flatMap(({ searched, last, ...row }) => (row.id === null ? [] : [row]));
  const deliveries = found.slice(0, query.limit);
  const [first] = rows;
  if (found.length > query.limit) return { deliveries, next: deliveries.at(-1)?.id ?? null };
  return { deliveries, next: first !== undefined && first.searched === maxSearched ? first.last : null };
}

function sourceOf({ shipmentId, states }: DeliveryQuery): { name: string; only: string } {
  if (shipmentId !== null) return sources.byShipment;
  return states === null || states.includes('delivered') ? sources.all : sources.undelivered;
}

/** A delivery with every try. */
export async function readDelivery(
  tx: Tx,
  accountId: string,
  { endpointId, id }: { endpointId: string; id: string },
): Promise<WebhookDeliveryRecord | null> {
  const [row] = await readRows<WebhookDelivery & { answer: string | null; earlier: DeliveryTry[] | null }>(tx, {
    name: 'read-webhook-delivery',
    text: `
      select ${columns}, d.answer, d.earlier
      from landfall.webhook_deliveries as d
      where d.account_id = $1 and d.endpoint_id = $2 and d.id = $3`,
    values: [accountId, endpointId, id],
  });
  if (row === undefined) return null;
  const { answer, earlier, ...delivery } = row;
  const { triedAt: at, status, latencyMs, error, traceId } = delivery;
  const last = at === null ? [] : [{ at, status, latencyMs, error, answer, traceId }];
  return { ...delivery, everyTry: [...(earlier ?? []), ...last] };
}

export type TestDelivery = {
  endpointId: string;
  changeId: string;
  type: string;
  state: DeliveryState;
  outcome: DeliveryTry;
};

/** Logs the test of an endpoint, which is tried once. Returns its id. */
export async function insertTestDelivery(tx: Tx, accountId: string, sent: TestDelivery): Promise<string> {
  const { at, status, latencyMs, error, answer, traceId } = sent.outcome;
  const [row] = await readRows<{ id: string }>(tx, {
    name: 'insert-test-delivery',
    text: `
      insert into landfall.webhook_deliveries (
        account_id, endpoint_id, change_id, type, state, tries, tried_at, status, latency_ms, error, trace_id, answer
      )
      values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, $11)
      returning id`,
    values: [
      accountId,
      sent.endpointId,
      sent.changeId,
      sent.type,
      sent.state,
      at,
      status,
      latencyMs,
      error,
      traceId,
      answer,
    ],
  });
  if (row === undefined) throw new Error('a delivery is missing right after its insertion');
  return row.id;
}

/** Makes a delivery due at once, with all of its tries. False: it has no sequence, because it is a test. */
export async function parkDelivery(
  tx: Tx,
  accountId: string,
  { endpointId, id }: { endpointId: string; id: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'park-webhook-delivery',
    text: `
      -- Like workers, the cursor first, so that they wait for each other instead of deadlocking.
      with locked as materialized (
        select account_id, endpoint_id from landfall.webhook_cursors
        where account_id = $1 and endpoint_id = $2
        for no key update
      ),
      parked as (
        update landfall.webhook_deliveries as d
        set state = 'waiting', next_try_at = now()
        from locked as l
        where d.account_id = l.account_id and d.endpoint_id = l.endpoint_id and d.id = $3 and d.sequence is not null
        returning d.account_id, d.endpoint_id
      )
      update landfall.webhook_cursors as c
      set retry_at = least(c.retry_at, now())
      from parked as p
      where c.account_id = p.account_id and c.endpoint_id = p.endpoint_id`,
    values: [accountId, endpointId, id],
  });
  return rowCount === 1;
}
