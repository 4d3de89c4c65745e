import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '#shared/store/open-store.ts';
import {
  beginClaimedEndpoints,
  claimEndpoints,
  releaseEndpoints,
  renewEndpoints,
} from '#shared/store/webhooks/claims.ts';
import { holdBackDue, readDueDeliveries, readHeldShipments } from '#shared/store/webhooks/due-deliveries.ts';
import { recordProgress } from '#shared/store/webhooks/outcomes.ts';
import { findWaitingEndpoints, readSelections, skipChanges } from '#shared/store/webhooks/waiting-endpoints.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { explainSystemQueries } from '#test/support/stores/explain-queries.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const endpoints = 50;
const deliveriesPerEndpoint = 600;
let core: TestCore;
let accountId: string;
let claims: { accountId: string; endpointId: string; epoch: number }[];

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  ({ accountId } = await core.newCaller());
  const other = await core.newCaller();
  const query = (text: string, values: unknown[]) => core.store.system.query(text, values);
  for (const account of [accountId, other.accountId]) {
    await query('insert into landfall.account_feeds (account_id, given) values ($1, 100000)', [account]);
    await query(
      `with added as (
         insert into landfall.webhook_endpoints (account_id, test, url, key_version, secret_sealed)
         select $1, false, 'https://receiver.example', 'v1', '\\x00' from generate_series(1, $2) returning account_id, id
       )
       insert into landfall.webhook_cursors (account_id, endpoint_id, sequence) select account_id, id, $3 from added`,
      [account, endpoints, deliveriesPerEndpoint],
    );
    await query(
      `insert into landfall.webhook_deliveries (account_id, endpoint_id, sequence, change_id, shipment_id, type, state, tries, next_try_at)
       select c.account_id, c.endpoint_id, n, uuidv7(), md5((n % 100)::text)::uuid, 'shipment.updated',
         case when n % 10 = 0 then 'waiting' else 'delivered' end, 1, case when n % 10 = 0 then now() end
       from landfall.webhook_cursors as c cross join generate_series(1, $2) as n
       where c.account_id = $1`,
      [account, deliveriesPerEndpoint],
    );
  }
  const owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
  await owner.query(
    'analyze landfall.webhook_endpoints, landfall.webhook_cursors, landfall.webhook_deliveries, landfall.account_feeds',
  );
  await owner.end();
  const { rows } = await query('select endpoint_id from landfall.webhook_cursors where account_id = $1', [accountId]);
  claims = rows.map(({ endpoint_id }) => ({ accountId, endpointId: endpoint_id, epoch: 0 }));
  await query(`update landfall.webhook_cursors set lease_until = now() + interval '1 hour' where account_id = $1`, [
    accountId,
  ]);
});
afterAll(() => core?.close());

const outcome = {
  sequence: deliveriesPerEndpoint + 1,
  changeId: '00000000-0000-7000-8000-000000000000',
  shipmentId: null,
  type: 'shipment.updated',
  state: 'delivered',
  tries: 1,
  nextTryInMs: null,
  triedAt: '2026-01-01T00:00:00.000Z',
  status: 200,
  latencyMs: 1,
  error: null,
  traceId: null,
  answer: null,
  holdsBack: false,
} as const;
const inOrder = { shipmentId: 'c4ca4238-a0b9-2382-0dcc-509a6f75849b', tries: 2, holdsBack: true };
const counted = { successes: 1, failures: 0, trailingFailures: 0 };

const statements: Record<string, { run: (tx: Tx) => Promise<unknown>; maxBlocks: number }> = {
  'waiting endpoints of one account': {
    run: (tx) => findWaitingEndpoints(tx, [accountId], { limit: 10 }),
    maxBlocks: 1000,
  },
  claims: { run: (tx) => claimEndpoints(tx, claims, 10), maxBlocks: 1000 },
  'what endpoints select': { run: (tx) => readSelections(tx, claims), maxBlocks: 1000 },
  'sequences of endpoints that skip changes': {
    run: (tx) =>
      skipChanges(
        tx,
        claims.map((claim) => ({ ...claim, from: deliveriesPerEndpoint, to: 100_000 })),
      ),
    maxBlocks: 1000,
  },
  'the endpoints of a job': { run: (tx) => beginClaimedEndpoints(tx, accountId, claims), maxBlocks: 2000 },
  'the renewal of leases': { run: (tx) => renewEndpoints(tx, claims, 10), maxBlocks: 2500 },
  'due deliveries': {
    run: (tx) => readDueDeliveries(tx, claims[0]!, { limit: 20, inOrder: false }),
    maxBlocks: 100,
  },
  'held shipments': {
    run: (tx) => readHeldShipments(tx, claims[0]!, ['c4ca4238-a0b9-2382-0dcc-509a6f75849b']),
    maxBlocks: 100,
  },
  'outcomes of one endpoint': {
    run: (tx) =>
      recordProgress(tx, [{ ...claims[0]!, sequence: deliveriesPerEndpoint + 1, ...counted, outcomes: [outcome] }], 10),
    maxBlocks: 200,
  },
  'due deliveries that are held back': { run: (tx) => holdBackDue(tx, claims[0]!, { limit: 20 }), maxBlocks: 1000 },
  'outcomes in the order of a shipment': {
    run: (tx) =>
      recordProgress(
        tx,
        [{ ...claims[0]!, sequence: deliveriesPerEndpoint + 1, ...counted, outcomes: [{ ...outcome, ...inOrder }] }],
        10,
      ),
    maxBlocks: 500,
  },
  releases: { run: (tx) => releaseEndpoints(tx, claims.slice(0, 10)), maxBlocks: 1000 },
};

it.each(Object.entries(statements))('reads for %s no row of other endpoints', async (_name, { run, maxBlocks }) => {
  for (const { text, readWhole, blocks, plan } of await explainSystemQueries(core.store, (tx) => inTurn(tx, run))) {
    expect(readWhole, `${text}\n${plan}`).toEqual([]);
    expect(blocks, `${text}\n${plan}`).toBeLessThan(maxBlocks);
  }
});

/** As in `withSystemByKey`. */
async function inTurn(tx: Tx, run: (tx: Tx) => Promise<unknown>): Promise<void> {
  const settings = ['seqscan', 'hashjoin', 'mergejoin'].map((name) => `set_config('enable_${name}', 'off', true)`);
  await tx.query({ text: `select ${settings.join(', ')}`, values: [] });
  await run(tx);
}
