import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openQueueBackend, prepareQueue } from '#shared/queue/connection.ts';
import { openStore } from '#shared/store/open-store.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type DyingPostgres, openDyingPostgres } from '#test/support/stores/dying-postgres.ts';
import { type TestDatabase, testDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

/* A PostgreSQL that dies in the moment in which a connection is ready ends no process. */
let database: TestDatabase;
let postgres: DyingPostgres;
const unowned: unknown[] = [];
const own = (error: unknown) => unowned.push(error);
const closings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await testDatabase();
  return () => database.drop();
});
beforeEach(async () => {
  postgres = await openDyingPostgres(database.serviceUrl);
  process.prependListener('uncaughtException', own);
  process.prependListener('unhandledRejection', own);
});
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  await postgres.close();
  process.off('uncaughtException', own);
  process.off('unhandledRejection', own);
  expect(unowned.splice(0)).toEqual([]);
});

it('only makes requests unavailable', async () => {
  const store = await openStore({
    databaseUrl: postgres.url,
    apiPoolSize: 1,
    systemPoolSize: 2,
    applicationName: 'dying',
    onPoolError: () => undefined,
  });
  closings.push(store.close);
  postgres.die();
  // From here on, statements need new connections.
  await until(
    async () => store.stats().system.total,
    (count) => count === 0,
  );
  const work = Array.from({ length: 5 }, () => withSystem(store, (tx) => tx.query('select 1')));
  for (const outcome of await Promise.allSettled(work))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
});

it('only interrupts a consumer of the queue', async () => {
  const errors: Error[] = [];
  const settings = {
    redisUrl: null,
    databaseUrl: postgres.url,
    prefix: 'landfall_queue',
    telemetry: false,
    onError: (error: Error) => void errors.push(error),
  };
  await prepareQueue(settings);
  const backend = openQueueBackend({ ...settings, poolSize: 2 });
  closings.push(backend.close);
  const queue = backend.openQueue('dying', null);
  await queue.waitUntilReady();
  postgres.die();
  const worker = backend.openWorker({ name: 'dying', limits: {}, telemetry: null }, async () => undefined);
  await until(
    async () => errors.length,
    (count) => count >= 5,
  );
  await worker.disconnect();
  await worker.close();
  await queue.close();
});
