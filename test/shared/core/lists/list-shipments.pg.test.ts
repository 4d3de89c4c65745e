import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListInput, listShipments } from '#shared/core/lists/list-shipments.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { type ShipmentFilter, shipmentSorts } from '#shared/domain/lists/filter.ts';
import type { Registration } from '#shared/domain/record/shipment.ts';
import { insertIdentifiers } from '#shared/store/registration/identifiers.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

const firstPage: ListInput = { filter: {}, sort: '-created_at', limit: 25, cursor: null, withCounts: false };

async function register(caller: Caller, changes: Partial<Registration> = {}): Promise<string> {
  return (await registerShipment(core.ctx, caller, oceanRegistration(changes))).shipment.id;
}

/** Sets columns that only a refresh would set. */
async function set(caller: Caller, id: string, table: 'shipments' | 'polling', assignment: string): Promise<void> {
  const key = table === 'shipments' ? 'id' : 'shipment_id';
  await withAccount(core.store, caller.accountId, (tx) =>
    tx.query(`update landfall.${table} set ${assignment} where account_id = $1 and ${key} = $2`, [
      caller.accountId,
      id,
    ]),
  );
}

async function idsOf(caller: Caller, filter: ShipmentFilter): Promise<string[]> {
  return (await listShipments(core.ctx, caller, { ...firstPage, filter })).shipments.map((shipment) => shipment.id);
}

async function allPages(
  caller: Caller,
  input: ListInput,
  betweenPages: () => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listShipments(core.ctx, caller, { ...input, cursor });
    seen.push(...page.shipments.map((shipment) => shipment.id));
    expect(page.hasMore).toBe(page.nextCursor !== null);
    cursor = page.nextCursor;
    await betweenPages();
  } while (cursor !== null);
  return seen;
}

test.each(shipmentSorts)('returns every shipment once when paging by %s, those without a time last', async (sort) => {
  const caller = await core.newCaller();
  const ids: string[] = [];
  for (let index = 0; index < 7; index++) ids.push(await register(caller));
  const time = (index: number) => `timestamptz '2026-05-01T00:00Z' + interval '${index % 3} hours'`;
  for (const [index, id] of ids.entries()) {
    if (index < 5)
      await set(
        caller,
        id,
        'shipments',
        `eta = ${time(index)}, status_changed_at = ${time(index)}, last_event_at = ${time(index)}`,
      );
  }
  const seen = await allPages(caller, { ...firstPage, sort, limit: 2 });
  expect(seen.toSorted()).toEqual(ids.toSorted());
  if (/eta|status|event/.test(sort)) expect(seen.slice(5).toSorted()).toEqual(ids.slice(5).toSorted());
  const reverse = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
  const other = await allPages(caller, { ...firstPage, sort: reverse as (typeof shipmentSorts)[number], limit: 3 });
  const timed = /eta|status|event/.test(sort) ? 5 : 7;
  expect(other.slice(0, timed)).toEqual(seen.slice(0, timed).toReversed());
});

test('does not return a shipment twice that changes while a client pages by update time', async () => {
  const caller = await core.newCaller();
  const ids: string[] = [];
  for (let index = 0; index < 6; index++) ids.push(await register(caller));
  const first = ids[0] ?? '';
  const seen = await allPages(caller, { ...firstPage, sort: 'updated_at', limit: 2 }, () =>
    set(caller, first, 'shipments', 'updated_at = clock_timestamp()'),
  );
  expect(seen).toHaveLength(new Set(seen).size);
  expect(seen).toEqual(ids);
});

test('refuses a cursor of another filter, sort or account', async () => {
  const caller = await core.newCaller();
  for (let index = 0; index < 3; index++) await register(caller);
  const { nextCursor } = await listShipments(core.ctx, caller, { ...firstPage, limit: 1 });
  const refused = (who: Caller, changes: Partial<ListInput>) =>
    expect(
      listShipments(core.ctx, who, { ...firstPage, limit: 1, cursor: nextCursor, ...changes }),
    ).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  await refused(caller, { sort: 'created_at' });
  await refused(caller, { filter: { tag: ['x'] } });
  await refused(caller, { cursor: 'nonsense' });
  await refused(await core.newCaller(), {});
});

test('matches exactly the shipments of each part of the filter', async () => {
  const caller = await core.newCaller();
  const other = await register(caller, { carrier: 'HLCU' });
  const mbl = uniqueNumber();
  const id = await register(caller, {
    identifiers: { mbl: `MAEU${mbl}`, hbl: 'House 77' },
    reference: 'PO-5_%',
    tags: ['acme', 'x'],
  });
  await set(
    caller,
    id,
    'shipments',
    `status = 'in_transit', has_exception = true, delay_hours = 31, eta = '2026-05-10T12:00Z',
    origin_unlocode = 'CNSHA', origin_name = 'shanghai', destination_unlocode = 'NLRTM', destination_name = 'rotterdam',
    search_text = search_text || E'\\never given\\nshanghai\\nrotterdam',
    search_terms = search_terms || array['origin CNSHA', 'origin CN', 'destination NLRTM', 'destination NL']`,
  );
  await set(
    caller,
    id,
    'polling',
    `stale_at = now() - interval '1 hour', last_succeeded_at = now() - interval '2 days'`,
  );
  await withAccount(core.store, caller.accountId, (tx) =>
    insertIdentifiers(tx, caller.accountId, {
      shipmentId: id,
      source: 'carrier',
      test: false,
      transportMode: 'ocean',
      carrier: 'MAEU',
      entries: [{ key: 'container', value: 'MSKU1234565', matchValue: 'MSKU1234565' }],
    }),
  );
  const finding: ShipmentFilter[] = [
    { status: ['in_transit', 'arrived'] },
    { carrier: ['MAEU'] },
    { identifiers: { mbl: [mbl] } },
    { identifiers: { mbl: [`maeu ${mbl}`] } },
    { identifiers: { hbl: ['house77'] } },
    { identifiers: { container: ['MSKU 123456-5'] } },
    { identifier: [mbl] },
    { identifier: ['HOUSE 77'] },
    { identifier: ['msku1234565'] },
    { reference: ['PO-5_%'] },
    { tag: ['acme'] },
    { q: '5_%' },
    { q: mbl.slice(2) },
    { q: 'EVER giv' },
    { q: 'house maersk' },
    { origin: ['cnsha'] },
    { origin: ['shang'] },
    { destination: ['NLRTM'] },
    { etaFrom: '2026-05-10T12:00:00.000Z' },
    { etaTo: '2026-05-10T12:00:00.000Z' },
    { etaFrom: '2026-05-10T11:00:00Z', etaTo: '2026-05-10T13:00:00Z' },
    { hasException: true },
    { delayedMinHours: 24 },
    { stale: true },
    { status: ['in_transit'], carrier: ['MAEU', 'CMDU'], hasException: true },
  ];
  for (const filter of finding) expect(await idsOf(caller, filter), JSON.stringify(filter)).toEqual([id]);
  const missing: ShipmentFilter[] = [
    { identifiers: { booking: [mbl] } },
    { identifiers: { container: [mbl] } },
    { identifier: [mbl.slice(1)] },
    { reference: ['PO-5'] },
    { tag: ['acm'] },
    { q: 'po-6' },
    { etaTo: '2026-05-10T11:59:59.999Z' },
    { etaFrom: '2026-05-10T12:00:00.001Z' },
    { delayedMinHours: 32 },
    { transportMode: ['air'] },
    { updatedSince: '2999-01-01T00:00:00Z' },
  ];
  for (const filter of missing) expect(await idsOf(caller, filter), JSON.stringify(filter)).toEqual([]);
  for (const filter of [{ stale: false }, { hasException: false }, { carrier: ['HLCU'] }])
    expect(await idsOf(caller, filter)).toEqual([other]);
  expect(await idsOf(await core.newCaller(), { identifier: [mbl] })).toEqual([]);
});

test('counts the shipments of the filter by status', async () => {
  const caller = await core.newCaller();
  const ids = [
    await register(caller, { tags: ['t'] }),
    await register(caller, { tags: ['t'] }),
    await register(caller),
  ];
  await set(caller, ids[0] ?? '', 'shipments', `status = 'delivered'`);
  await set(
    caller,
    ids[1] ?? '',
    'polling',
    `stale_at = now() - interval '1 hour', last_succeeded_at = now() - interval '2 days'`,
  );
  const all = await listShipments(core.ctx, caller, { ...firstPage, limit: 1, withCounts: true });
  expect(all).toMatchObject({
    total: 3,
    totalIsLowerBound: false,
    countsByStatus: { pending: 2, delivered: 1 },
    staleCount: 1,
    hasMore: true,
  });
  const tagged = await listShipments(core.ctx, caller, { ...firstPage, filter: { tag: ['t'] }, withCounts: true });
  expect(tagged).toMatchObject({
    total: 2,
    countsByStatus: { pending: 1, delivered: 1 },
    hasMore: false,
    nextCursor: null,
  });
  expect(tagged.shipments.map((shipment) => shipment.tracking.freshness)).toEqual(['stale', 'never']);
  expect(await listShipments(core.ctx, caller, firstPage)).toMatchObject({
    total: null,
    countsByStatus: null,
    staleCount: null,
  });
});
