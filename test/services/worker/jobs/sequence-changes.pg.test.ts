import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createSequencer } from '#services/worker/jobs/sequence-changes.ts';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { noteWrittenChanges } from '#shared/store/feed/committed-changes.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
const ending = new AbortController();

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => core.close());

it('gives a change its sequence right after the transaction of its process, and no pause passes before', async () => {
  const caller = await core.newCaller();
  const accounts: string[] = [];
  const sequence = createSequencer(core.ctx, {
    signal: ending.signal,
    onSequenced: (accountIds) => accounts.push(...accountIds),
  });
  await sequence();
  // No pause ends from here on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let hasRun = false;
  const next = sequence().then(() => {
    hasRun = true;
  });
  const rolledBack = withAccount(core.store, caller.accountId, async (tx) => {
    noteWrittenChanges(tx);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await setImmediate();
  expect(hasRun).toBe(false);
  await registerShipment(core.ctx, caller, oceanRegistration());
  await next;
  expect(accounts).toEqual([caller.accountId]);
  const narrowedBy = { codes: [], legRoles: [], classifiers: [] };
  const query = { after: null, types: null, shipmentId: null, narrowedBy, limit: 10 };
  expect(await listChanges(core.ctx, caller, query)).toMatchObject({ latestSequence: 1 });
  ending.abort();
  await sequence();
});
