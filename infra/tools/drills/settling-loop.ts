import process from 'node:process';
import { createInterface } from 'node:readline';
import { openCore } from '#shared/core/open-core.ts';
import { purgeShipment } from '#shared/core/removal/remove-shipments.ts';
import { settleShipments } from '#shared/core/settling/settle-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { openStore } from '#shared/store/open-store.ts';
import { lockShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount } from '#shared/store/with-account.ts';

/** Order that the drill sends in one line of JSON. */
export type SettlingWork = { databaseUrl: string; accountId: string; kept: string[]; doomed: string[] };

/**
 * Settles, unpacks and removes shipments for as long as it lives, which the drill decides. Says `ready`, waits for its
 * work on stdin, and says `step` after each transaction or batch.
 */
process.stdout.write('ready\n');
const lines = createInterface({ input: process.stdin });
const { value = '' } = await lines[Symbol.asyncIterator]().next();
const { databaseUrl, accountId, kept, doomed } = JSON.parse(value) as SettlingWork;
const store = await openStore({
  databaseUrl,
  apiPoolSize: 2,
  systemPoolSize: 2,
  applicationName: 'landfall-drill',
  onPoolError: () => {},
});
const ctx = openCore({ store, settings: { publicBaseUrl: '', settleAfterDays: 0 } });
const caller: Caller = { accountId, keyId: null, scopes: [], test: false, requestId: 'drill', idempotency: null };

async function settle(): Promise<never> {
  for (;;) {
    await settleShipments(ctx);
    step();
  }
}

async function unpack(): Promise<never> {
  for (;;) {
    const id = kept[Math.floor(Math.random() * kept.length)] ?? '';
    await withAccount(store, accountId, (tx) => lockShipment(tx, accountId, id));
    step();
  }
}

async function purge(): Promise<void> {
  for (const id of doomed) {
    await purgeShipment(ctx, caller, id);
    step();
  }
}

function step(): void {
  process.stdout.write('step\n');
}

step();
await Promise.all([settle(), unpack(), purge()]);
