import { afterAll, beforeAll, expect, it } from 'vitest';
import { toWireChange } from '#shared/contract/feed/change-wire.ts';
import { type ChangesInput, listChanges } from '#shared/core/feed/list-changes.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { updateShipment } from '#shared/core/shipments/update-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { changeTypes } from '#shared/domain/feed/change-types.ts';
import { deleteOldChanges } from '#shared/store/removal/expire-records.ts';
import { sequenceWaitingChanges } from '#shared/store/system/sequence-changes.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { readEvent } from '../../domain/journey/journey-events.ts';

let core: TestCore;
let caller: Caller;
let shipmentId: string;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
  const registration = oceanRegistration({ metadata: { zulu: '1', é: '2', aa: '3', b: '4' } });
  shipmentId = (await registerShipment(core.ctx, caller, registration)).shipment.id;
  const container = 'MSKU2356362';
  await report([readEvent({ code: 'gate_in_full', hour: 1, port: 'CNSHA', container })]);
  await report([
    readEvent({ code: 'gate_in_full', hour: 1, port: 'CNSHA', container }),
    readEvent({ code: 'departed', hour: 30, port: 'CNSHA' }),
    readEvent({ code: 'arrived', hour: 500, port: 'NLRTM', classifier: 'estimated' }),
  ]);
  await updateShipment(core.ctx, caller, shipmentId, {
    reference: 'PO-1',
    tags: ['a'],
    metadata: { yankee: '1', ü: '2', cc: '3', a: '4' },
  });
  while ((await sequenceChanges(core.ctx)) !== 0);
});
afterAll(() => core.close());

function report(events: ReturnType<typeof readEvent>[]) {
  return refresh(
    core.ctx,
    { accountId: caller.accountId, shipmentId },
    {
      outcome: 'found',
      reading: { events, unreadable: [], source: 'dcsa:maersk' },
      httpStatus: 200,
      durationMs: 1,
    },
  );
}

const whole: ChangesInput = {
  after: null,
  types: null,
  shipmentId: null,
  narrowedBy: { codes: [], legRoles: [], classifiers: [] },
  limit: 100,
};

/** The changes of a page as clients read them, as JSON. */
async function read(input: Partial<ChangesInput> = {}): Promise<string[]> {
  const { changes } = await listChanges(core.ctx, caller, { ...whole, ...input });
  return changes.map((change) => JSON.stringify(toWireChange(change)));
}

const system = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  withSystem(core.store, async (tx) => (await tx.query<Row>(text, values)).rows);

it('shows each of several changes of one refresh on a page of its own, of its type, and of its shipment', async () => {
  const all = await read();
  const [{ packs, changes } = { packs: 0, changes: 0 }] = await system<{ packs: number; changes: number }>(
    `select count(*) filter (where packed is not null)::integer as packs, count(*) filter (where data is null)::integer as changes
     from landfall.changes`,
  );
  expect(changes).toBeGreaterThan(packs);
  const single = await Promise.all(all.map((_, after) => read({ after, limit: 1 })));
  expect(single.flat()).toEqual(all);
  for (const type of changeTypes)
    expect(await read({ types: [type] })).toEqual(all.filter((change) => JSON.parse(change).type === type));
  expect(await read({ shipmentId })).toEqual(all);
});

it('answers byte for byte as it did when each change held its own data', async () => {
  const before = await read();
  const stored = await storedChanges(system, [shipmentId]);
  await withSystem(core.store, async (tx) => {
    const { rows } = await tx.query<{ id: string }>('select id from landfall.changes order by write_order');
    for (const [place, { id }] of rows.entries())
      await tx.query('update landfall.changes set data = $2, packed = null, packed_place = null where id = $1', [
        id,
        JSON.stringify(stored[place]?.data),
      ]);
    const { rows: found } = await tx.query('select from landfall.changes where packed is not null');
    expect(found).toEqual([]);
  });
  expect(await read()).toEqual(before);
});

it('shows changes whose data is in a change that still waits for its sequence', async () => {
  const [other, another] = await Promise.all(
    [1, 2].map(async () => (await registerShipment(core.ctx, caller, oceanRegistration())).shipment.id),
  );
  for (shipmentId of [other, another] as string[])
    await report([readEvent({ code: 'gate_in_full', hour: 1, port: 'CNSHA', container: 'MSKU2356362' })]);
  const [{ waiting } = { waiting: 0 }] = await system<{ waiting: number }>(
    'select count(*)::integer as waiting from landfall.changes where sequence is null',
  );
  const pages: string[][] = [];
  while ((await sequenceWaitingChanges(core.store, 1))?.count === 1) pages.push(await read());
  expect(pages).toHaveLength(waiting);
  const all = await read();
  for (const [at, page] of pages.entries()) expect(page).toEqual(all.slice(0, all.length - waiting + at + 1));
});

it('keeps the trace of each change of a refresh', async () => {
  const traced = { ...core.ctx, traceparent: () => `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const { shipment } = await registerShipment(traced, caller, oceanRegistration());
  await refresh(
    traced,
    { accountId: caller.accountId, shipmentId: shipment.id },
    {
      outcome: 'found',
      reading: {
        events: [readEvent({ code: 'gate_in_full', hour: 1, port: 'CNSHA', container: 'MSKU2356362' })],
        unreadable: [],
        source: 'dcsa:maersk',
      },
      httpStatus: 200,
      durationMs: 1,
    },
  );
  while ((await sequenceChanges(core.ctx)) !== 0);
  const { changes } = await listChanges(core.ctx, caller, { ...whole, shipmentId: shipment.id });
  expect(changes.length).toBeGreaterThan(2);
  expect(new Set(changes.map(({ traceparent }) => traceparent))).toEqual(new Set([traced.traceparent()]));
});

it('keeps every remaining change readable while the feed is deleted from its start', async () => {
  shipmentId = (await registerShipment(core.ctx, caller, oceanRegistration())).shipment.id;
  await report([readEvent({ code: 'gate_in_full', hour: 1, port: 'CNSHA', container: 'MSKU2356362' })]);
  const packed = await system(
    'select from landfall.changes where shipment_id = $1 and packed is null and packed_place is not null',
    [shipmentId],
  );
  expect(packed.length).toBeGreaterThan(1);
  while ((await sequenceChanges(core.ctx)) !== 0);
  await system(`update landfall.changes set created_at = now() - interval '31 days'`);
  let left = await read();
  while (left.length > 0) {
    expect(await withSystem(core.store, (tx) => deleteOldChanges(tx, { keptDays: 30, limit: 1 }))).toBe(1);
    const now = await read();
    expect(now).toEqual(left.slice(1));
    left = now;
  }
});
