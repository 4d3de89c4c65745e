import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BatchResult, registerBatch } from '#shared/core/registration/register-batch.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { openRegistrationBatcher } from '#shared/core/registration/registration-batcher.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Identifiers, Registration } from '#shared/domain/record/shipment.ts';
import { toRowError } from '#shared/domain/registration/storable-error.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

/** A process of its own: it shares no batch with others. */
const newProcess = () => ({ ...core.ctx, registrations: openRegistrationBatcher() });

const few = (prefix: string) => fc.integer({ min: 1, max: 4 }).map((number) => `${prefix}${number}`);
const billNumber = fc.oneof(
  few('10000000'),
  few('MAEU10000000'),
  fc.integer({ min: 20_000_000, max: 20_000_090 }).map((number) => `MAEU${number}`),
);
const identifiers = fc.record(
  {
    mbl: billNumber,
    booking: fc.oneof(few('BOOK-'), few('20000000')),
    container: fc.constantFrom('MSKU1234565', 'MSKU1234560', 'TCLU7654321'),
    hbl: few('HOUSE'),
  },
  { requiredKeys: [] },
);
const registration: fc.Arbitrary<Registration> = fc
  .record({
    identifiers,
    carrier: fc.constantFrom('MAEU', 'MAEU', 'HLCU', 'OOLU'),
    reference: fc.option(fc.oneof(few('PO-'), fc.uuid()), { freq: 2 }),
    tags: fc.array(fc.constantFrom('a', 'b"', '{c,'), { maxLength: 2 }),
    metadata: fc.dictionary(fc.constantFrom('order', 'näme'), fc.string({ maxLength: 5, unit: 'grapheme' }), {
      maxKeys: 2,
    }),
  })
  .map(({ identifiers: given, ...rest }) => oceanRegistration({ ...rest, identifiers: { ...given } as Identifiers }));

test('gives the rows of a batch the same results, rows and changes as registering them one by one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(registration, { maxLength: 3 }),
      fc.array(registration, { maxLength: 14 }),
      async (before, rows) => {
        const [one, other] = [await core.newCaller(), await core.newCaller()];
        for (const caller of [one, other])
          for (const row of before) await registerShipment(core.ctx, caller, row).catch(() => undefined);
        const expected: BatchResult[] = [];
        for (const row of rows) expected.push(await singly(one, row));
        const { results } = await registerBatch(core.ctx, other, rows);
        const [expectedNames, names] = [await storedOf(one), await storedOf(other)];
        expect(results.map((result) => plain(result, names))).toEqual(
          expected.map((result) => plain(result, expectedNames)),
        );
        expect([...names.values()].toSorted()).toEqual([...expectedNames.values()].toSorted());
        expect(await leasesOf(other)).toBe(await leasesOf(one));
      },
    ),
    { numRuns: Number(process.env.REGISTER_BATCH_RUNS ?? 40) },
  );
});

async function singly(caller: Caller, row: Registration): Promise<BatchResult> {
  try {
    const { outcome, shipment } = await registerShipment(core.ctx, caller, row);
    return { outcome, shipmentId: encodeTypeId('shp', shipment.id) };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return { outcome: 'failed', error: toRowError(error) };
  }
}

/** Everything stored about each shipment, without ids, times and who waits for it, by its id. */
async function storedOf(caller: Caller): Promise<Map<string, string>> {
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query(
      `select s.id, (to_jsonb(s) - array['id', 'account_id', 'created_at', 'updated_at'])::text as shipment,
         (select jsonb_agg(to_jsonb(i) - array['account_id', 'shipment_id', 'created_at'] order by i.key, i.match_value)::text
          from landfall.shipment_identifiers as i where i.shipment_id = s.id) as identifiers,
         (select (to_jsonb(p) - array['account_id', 'shipment_id', 'next_refresh_at', 'lease_until', 'hurried'])::text
          from landfall.polling as p where p.shipment_id = s.id) as polling,
         (select jsonb_agg(jsonb_set(to_jsonb(c) - array['account_id', 'id', 'write_order', 'shipment_id', 'created_at', 'sequence'],
            '{data,shipment}', (c.data->'shipment') - array['id', 'createdAt', 'updatedAt', 'tracking']
              || jsonb_build_object('tracking', (c.data->'shipment'->'tracking') - 'nextRefreshAt')) order by c.write_order)::text
          from landfall.changes as c where c.shipment_id = s.id) as changes
       from landfall.shipments as s where s.account_id = $1`,
      [caller.accountId],
    ),
  );
  return new Map(rows.map(({ id, ...stored }) => [id, JSON.stringify(stored)]));
}

async function leasesOf(caller: Caller): Promise<number> {
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query('select count(*) as n from landfall.polling where account_id = $1 and lease_until > now()', [
      caller.accountId,
    ]),
  );
  return rows[0].n;
}

function uuidOf(result: BatchResult): string {
  return result.outcome === 'failed' ? '' : (decodeTypeId('shp', result.shipmentId) ?? '');
}

function plain(result: BatchResult, stored: Map<string, string>) {
  if (result.outcome !== 'failed') return { outcome: result.outcome, shipment: stored.get(uuidOf(result)) };
  const { code, detail, shipmentIds } = result.error;
  const conflicting = shipmentIds.map((id) => stored.get(decodeTypeId('shp', id) ?? '')).toSorted();
  return { outcome: 'failed', code, detail, conflicting };
}

test('leases and enqueues the first shipments of a large batch and leaves the rest to the sweep', async () => {
  const caller = await core.newCaller();
  const { results } = await registerBatch(
    core.ctx,
    caller,
    Array.from({ length: 50 }, () => oceanRegistration()),
  );
  expect(results.map((result) => result.outcome)).toEqual(Array(50).fill('created'));
  expect(await leasesOf(caller)).toBe(20);
  const queued = core.enqueued
    .filter(({ item }) => item.accountId === caller.accountId)
    .map(({ item }) => item.shipmentId);
  expect(queued.toSorted()).toEqual(results.slice(0, 20).map(uuidOf).toSorted());
});

test('leaves a whole batch to the sweep while as many shipments of the account are due, leased or not', async () => {
  const caller = await core.newCaller();
  const rows = () => Array.from({ length: 20 }, () => oceanRegistration());
  await registerBatch(core.ctx, caller, rows());
  await withAccount(core.store, caller.accountId, (tx) =>
    tx.query('update landfall.polling set lease_until = null where account_id = $1', [caller.accountId]),
  );
  await registerBatch(core.ctx, caller, rows());
  expect(await leasesOf(caller)).toBe(0);
  await withAccount(core.store, caller.accountId, (tx) =>
    tx.query(`update landfall.polling set next_refresh_at = now() + interval '1 hour' where account_id = $1`, [
      caller.accountId,
    ]),
  );
  await registerBatch(core.ctx, caller, rows());
  expect(await leasesOf(caller)).toBe(20);
});

test('creates every shipment once when batches with the same rows in other orders race', async () => {
  const caller = await core.newCaller();
  const rows = Array.from({ length: 30 }, (_, index) =>
    oceanRegistration(
      index % 3 === 0
        ? { identifiers: { container: `MSKU${1_000_000 + index}` } }
        : {
            identifiers: { mbl: uniqueNumber(), booking: `B${uniqueNumber()}` },
            reference: index % 3 === 1 ? `R-${index}` : null,
          },
    ),
  );
  const single = rows.map((row) => registerShipment(newProcess(), caller, row));
  const lists = [rows, rows.toReversed(), [...rows.slice(10), ...rows.slice(0, 10)], rows.slice(5, 25)];
  const answers = await Promise.all(lists.map((list) => registerBatch(core.ctx, caller, list)));
  expect(answers.flatMap(({ results }) => results).filter((result) => result.outcome === 'failed')).toEqual([]);
  const created = answers.flatMap(({ results }) => results).filter((result) => result.outcome === 'created').length;
  const createdSingly = (await Promise.all(single)).filter((result) => result.outcome === 'created').length;
  expect(created + createdSingly).toBe(30);
  expect((await storedOf(caller)).size).toBe(30);
});
