import { afterAll, beforeAll, expect, test } from 'vitest';
import { toEndpointId } from '#shared/contract/webhooks/endpoint-wire.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { createWebhookEndpoint } from '#shared/core/webhooks/create-endpoint.ts';
import { replayWebhookEndpoint } from '#shared/core/webhooks/replay-endpoint.ts';
import { openStore } from '#shared/store/open-store.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { plantDelivery } from '#test/support/webhooks/plant-delivery.ts';
import { testSending } from '#test/support/webhooks/test-sending.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({ webhooks: testSending }, ownDatabase);
});

afterAll(() => core.close());

test('limits a query without an account condition to its own account', async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  await registerShipment(core.ctx, mine, oceanRegistration());
  await registerShipment(core.ctx, theirs, oceanRegistration());
  for (const caller of [mine, theirs]) {
    const { id } = await createWebhookEndpoint(core.ctx, caller, { url: 'https://example.com/hooks' });
    await plantDelivery(core.store, toEndpointId(id));
    await replayWebhookEndpoint(core.ctx, caller, { endpointId: id, from: null, to: 0, failedOnly: false });
  }
  const webhookTables = ['webhook_endpoints', 'webhook_cursors', 'webhook_deliveries', 'webhook_replays'];
  for (const table of ['shipments', 'shipment_identifiers', 'polling', 'changes', ...webhookTables]) {
    const { rows } = await withAccount(core.store, mine.accountId, (tx) =>
      tx.query(`select account_id from landfall.${table}`),
    );
    expect(rows, table).not.toHaveLength(0);
    expect(
      rows.every((row) => row.account_id === mine.accountId),
      table,
    ).toBe(true);
  }
});

test('shows nothing to the request role without an account, even on a reused connection', async () => {
  const caller = await core.newCaller();
  await registerShipment(core.ctx, caller, oceanRegistration());
  const { rows } = await core.store.app.query('select id from landfall.shipments');
  expect(rows).toHaveLength(0);
});

test('rejects writing a row of another account', async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const writing = withAccount(core.store, mine.accountId, (tx) =>
    tx.query(
      `insert into landfall.changes (account_id, type, data) values ('${theirs.accountId}', 'shipment.created', '{}')`,
    ),
  );
  await expect(writing).rejects.toThrow(/row-level security/);
});

test('rejects rewriting the log of status changes', async () => {
  const caller = await core.newCaller();
  const rewriting = withAccount(core.store, caller.accountId, (tx) => tx.query('delete from landfall.status_changes'));
  await expect(rewriting).rejects.toThrow(/permission denied/);
});

test('refuses to start when the request role could bypass row-level security', async () => {
  await core.store.system.query('select 1');
  const settings = {
    databaseUrl: core.serviceUrl,
    apiPoolSize: 1,
    systemPoolSize: 1,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  };
  const { default: pg } = await import('pg');
  const owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
  try {
    await owner.query('alter table landfall.shipments no force row level security');
    await expect(openStore(settings)).rejects.toThrow(/row-level security is not forced on shipments/);
    await owner.query('alter table landfall.shipments force row level security');
    await owner.query('alter table landfall.refreshes owner to landfall_app');
    await expect(openStore(settings)).rejects.toThrow(/owns tables/);
    await owner.query('alter table landfall.refreshes owner to current_user');
  } finally {
    await owner.end();
  }
  await (await openStore(settings)).close();
});
