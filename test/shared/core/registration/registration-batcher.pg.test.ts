import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { openRegistrationBatcher, type RegistrationContext } from '#shared/core/registration/registration-batcher.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Registration } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { openStore } from '#shared/store/open-store.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

/** A process of its own: it shares no batch with others. */
const newProcess = (): RegistrationContext => ({ ...core.ctx, registrations: openRegistrationBatcher() });

type Request = { registration?: Registration; caller?: Partial<Caller> };

/** Registers one shipment alone and, while that runs, all the requests: they share a batch. */
async function registerTogether(ctx: RegistrationContext, caller: Caller, requests: readonly Request[]) {
  const [, ...answers] = await Promise.allSettled(
    [{}, ...requests].map(({ registration, caller: changes }: Request) =>
      registerShipment(ctx, { ...caller, ...changes }, registration ?? oceanRegistration()),
    ),
  );
  return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason));
}

const keyed = (key: string, body = 'a'): Partial<Caller> => ({
  idempotency: { key, bodyHash: body.repeat(64), route: 'POST /v1/shipments' },
});

/** Counts the transactions that wrote the account's shipments. */
async function transactionsOf(caller: Caller): Promise<{ shipments: number; transactions: number }> {
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query(
      'select count(*) as shipments, count(distinct xmin::text) as transactions from landfall.shipments where account_id = $1',
      [caller.accountId],
    ),
  );
  return rows[0];
}

test('commits concurrent registrations in one transaction and answers each of them', async () => {
  const caller = await core.newCaller();
  const numbers = Array.from({ length: 40 }, () => uniqueNumber());
  const answers = await registerTogether(
    core.ctx,
    caller,
    numbers.map((mbl) => ({ registration: oceanRegistration({ identifiers: { mbl } }) })),
  );
  expect(answers.map((answer) => [answer.outcome, answer.shipment.identifiers.mbl])).toEqual(
    numbers.map((mbl) => ['created', mbl]),
  );
  expect(await transactionsOf(caller)).toEqual({ shipments: 41, transactions: 2 });
});

test('gives each registration of a batch the result that it would have had alone', async () => {
  const caller = await core.newCaller();
  const { ctx } = core;
  const [known, replayedNumber, pair] = [uniqueNumber(), uniqueNumber(), uniqueNumber()];
  const existing = await registerShipment(
    ctx,
    caller,
    oceanRegistration({ identifiers: { mbl: known, booking: 'BOOK77' }, reference: 'TAKEN' }),
  );
  const first = await registerShipment(
    ctx,
    { ...caller, ...keyed('used') },
    oceanRegistration({ identifiers: { mbl: replayedNumber } }),
  );
  const answers = await registerTogether(ctx, caller, [
    { registration: oceanRegistration({ identifiers: { mbl: known } }) },
    { registration: oceanRegistration({ identifiers: { mbl: known, booking: 'BOOK78' } }) },
    { registration: oceanRegistration({ reference: 'TAKEN' }) },
    { caller: keyed('used') },
    { caller: keyed('used-again', 'b') },
    { registration: oceanRegistration({ identifiers: { mbl: pair } }) },
    { registration: oceanRegistration({ identifiers: { mbl: pair, hbl: 'HOUSE1' } }) },
    { registration: oceanRegistration({ reference: 'NEW' }) },
  ]);
  expect(answers).toMatchObject([
    { outcome: 'existing', replayed: false, shipment: { id: existing.shipment.id, version: 1 } },
    { code: 'identifier_conflict', shipmentIds: [encodeTypeId('shp', existing.shipment.id)] },
    { code: 'reference_conflict', shipmentIds: [encodeTypeId('shp', existing.shipment.id)] },
    { outcome: 'created', replayed: true, shipment: { id: first.shipment.id } },
    { outcome: 'created', replayed: false },
    { outcome: 'created', shipment: { identifiers: { mbl: pair } } },
    { outcome: 'existing', shipment: { identifiers: { mbl: pair, hbl: 'HOUSE1' }, version: 2 } },
    { outcome: 'created', shipment: { reference: 'NEW' } },
  ]);
  const mismatch = await registerTogether(ctx, caller, [{ caller: keyed('used', 'b') }, {}]);
  expect(mismatch).toMatchObject([{ code: 'idempotency_mismatch' }, { outcome: 'created' }]);
});

test('creates one shipment for two concurrent requests with the same Idempotency-Key and answers both', async () => {
  const caller = await core.newCaller();
  const registration = oceanRegistration();
  const answers = await registerTogether(core.ctx, caller, [
    { registration, caller: keyed('twice') },
    {},
    { registration, caller: keyed('twice') },
  ]);
  expect(answers).toMatchObject([{ replayed: false }, { outcome: 'created' }, { replayed: true, outcome: 'created' }]);
  expect(answers[2].shipment).toEqual(answers[0].shipment);
  expect((await transactionsOf(caller)).shipments).toBe(3);
});

test('fails only the registration that the database refuses', async () => {
  const caller = await core.newCaller();
  const answers = await registerTogether(core.ctx, caller, [
    { caller: keyed('before') },
    { registration: oceanRegistration({ metadata: { order: 'a\0b' } }) },
    {},
  ]);
  expect(answers).toMatchObject([{ outcome: 'created' }, expect.any(Error), { outcome: 'created' }]);
  expect((await transactionsOf(caller)).shipments).toBe(3);
});

test('registers a batch that loses a race to another process', async () => {
  const caller = await core.newCaller();
  const rows = Array.from({ length: 20 }, (_, index) =>
    oceanRegistration({ reference: index % 2 ? `PO-${index}` : null }),
  );
  const requests = rows.map((registration) => ({ registration }));
  const [one, other] = await Promise.all([
    registerTogether(newProcess(), caller, requests),
    registerTogether(newProcess(), caller, requests.toReversed()),
  ]);
  const outcomes = [...one, ...other].map((answer) => answer.outcome);
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(20);
  expect(outcomes.filter((outcome) => outcome === 'existing')).toHaveLength(20);
});

test('gives a reference that processes race for to one shipment and stores no answer for the others', async () => {
  const caller = await core.newCaller();
  const attempt = (key: string) =>
    registerShipment(newProcess(), { ...caller, ...keyed(key) }, oceanRegistration({ reference: 'RACED' }));
  const keys = Array.from({ length: 8 }, (_, index) => `raced-${index}`);
  const answers = await Promise.allSettled(keys.map(attempt));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => 'reference_conflict'));
  expect(await transactionsOf(caller)).toEqual({ shipments: 1, transactions: 1 });
  const stored = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query('select key from landfall.idempotency where account_id = $1', [caller.accountId]),
  );
  const winner = keys.filter((_, index) => answers[index]?.status === 'fulfilled');
  expect(stored.rows).toEqual(winner.map((key) => ({ key })));
});

test('finds and writes new shipments in one round trip each, and reads stored answers in one more', async () => {
  const caller = await core.newCaller();
  expect(await roundTripsOf(() => registerShipment(core.ctx, caller, oceanRegistration()))).toBe(2);
  expect(
    await roundTripsOf(() => registerShipment(core.ctx, { ...caller, ...keyed('trips') }, oceanRegistration())),
  ).toBe(3);
});

/** A statement that is sent while none is unanswered begins a round trip. */
async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const open = new Map<unknown, number>();
  let trips = 0;
  const query = pg.Client.prototype.query as (...of: unknown[]) => Promise<unknown>;
  const counted = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...of: unknown[]) {
    if ((open.get(this) ?? 0) === 0) trips += 1;
    open.set(this, (open.get(this) ?? 0) + 1);
    return query.apply(this, of).finally(() => open.set(this, (open.get(this) ?? 1) - 1)) as never;
  });
  try {
    await work();
  } finally {
    counted.mockRestore();
  }
  return trips;
}

test('never batches registrations of different accounts', async () => {
  const { ctx } = core;
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => registerShipment(ctx, index % 2 ? mine : theirs, oceanRegistration())),
  );
  expect(answers.map(({ shipment }) => shipment.accountId)).toEqual(
    answers.map((_, index) => (index % 2 ? mine.accountId : theirs.accountId)),
  );
  expect([(await transactionsOf(mine)).shipments, (await transactionsOf(theirs)).shipments]).toEqual([10, 10]);
});

test('refuses a whole batch while the database is unavailable and registers the next one afterwards', async () => {
  const proxy = await openFaultProxy(core.serviceUrl);
  const store = await openStore({
    databaseUrl: proxy.url,
    apiPoolSize: 2,
    systemPoolSize: 1,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  try {
    const caller = await core.newCaller();
    const ctx = { ...core.ctx, store };
    await proxy.cut();
    const refused = await registerTogether(ctx, caller, [{}, {}, {}]);
    for (const error of refused) expect(error).toMatchObject({ code: 'unavailable', retryAfterS: 2 });
    await proxy.restore();
    expect(await registerTogether(ctx, caller, [{}, {}])).toMatchObject([
      { outcome: 'created' },
      { outcome: 'created' },
    ]);
  } finally {
    await store.close();
    await proxy.close();
  }
});

test('responds without waiting for the queue; a lost refresh is due again when its lease expires', async () => {
  const caller = await core.newCaller();
  const silent = { enqueue: () => new Promise<void>(() => {}), close: async () => {} };
  const ctx = { ...core.ctx, settings: { ...core.ctx.settings, enqueueTimeoutMs: 600_000 }, producer: silent };
  const answers = await registerTogether(ctx, caller, [{}, {}]);
  const ids = answers.map((answer) => answer.shipment.id).toSorted();
  // The process dies here; its leases run out.
  await withSystem(core.store, (tx) =>
    tx.query("update landfall.polling set lease_until = now() - interval '1 second' where account_id = $1", [
      caller.accountId,
    ]),
  );
  await sweepConnector(core.ctx, 'maersk', 1000);
  const swept = core.enqueued.filter(({ item }) => item.accountId === caller.accountId && item.epoch === 2);
  expect(
    swept
      .map(({ item }) => item.shipmentId)
      .filter((id) => ids.includes(id))
      .toSorted(),
  ).toEqual(ids);
});

test('leases no more first refreshes than an account may have and enqueues them together', async () => {
  const sent: number[] = [];
  const producer = {
    enqueue: async (_connector: string, items: unknown[]) => void sent.push(items.length),
    close: async () => {},
  };
  const caller = await core.newCaller();
  await registerTogether(
    { ...core.ctx, producer },
    caller,
    Array.from({ length: 40 }, () => ({})),
  );
  expect(sent).toEqual([1, 19]);
});
