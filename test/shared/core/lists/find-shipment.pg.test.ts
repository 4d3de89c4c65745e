import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FindInput, findShipment } from '#shared/core/lists/find-shipment.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { insertIdentifiers } from '#shared/store/registration/identifiers.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

test('finds a shipment by any of its numbers, however it is written', async () => {
  const caller = await core.newCaller();
  const mbl = uniqueNumber();
  const { shipment } = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({ identifiers: { mbl: `MAEU${mbl}`, hbl: 'HB 12-34' } }),
  );
  await withAccount(core.store, caller.accountId, (tx) =>
    insertIdentifiers(tx, caller.accountId, {
      shipmentId: shipment.id,
      source: 'carrier',
      test: false,
      transportMode: 'ocean',
      carrier: 'MAEU',
      entries: [{ key: 'container', value: 'MSKU7654320', matchValue: 'MSKU7654320' }],
    }),
  );
  const finding: FindInput[] = [
    { identifier: mbl, identifierType: 'auto' },
    { identifier: ` maeu ${mbl} `, identifierType: 'bol' },
    { identifier: 'hb1234', identifierType: 'bol' },
    { identifier: 'MSKU 765432-0', identifierType: 'container' },
    { identifier: 'MSKU7654320', identifierType: 'tracking_number' },
    { identifier: encodeTypeId('shp', shipment.id), identifierType: 'auto' },
    { identifier: encodeTypeId('shp', shipment.id), identifierType: 'shipment_id' },
    { identifier: mbl, identifierType: 'auto', carrier: ['MAEU', 'HLCU'], transportMode: ['ocean'] },
  ];
  for (const input of finding) {
    const found = await findShipment(core.ctx, caller, input);
    expect(
      found.matches.map((match) => match.id),
      JSON.stringify(input),
    ).toEqual([shipment.id]);
    expect(found).toMatchObject({ nearest: [], checkDigit: null });
  }
  const missing: FindInput[] = [
    { identifier: mbl, identifierType: 'container' },
    { identifier: mbl, identifierType: 'auto', carrier: ['HLCU'] },
    { identifier: mbl, identifierType: 'auto', transportMode: ['air'] },
    { identifier: 'shp_nonsense', identifierType: 'shipment_id' },
  ];
  for (const input of missing)
    expect((await findShipment(core.ctx, caller, input)).matches, JSON.stringify(input)).toEqual([]);
});

test('suggests the nearest numbers and the right check digit for a mistyped number', async () => {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({ identifiers: { container: 'CSQU3054383' } }),
  );
  const found = await findShipment(core.ctx, caller, { identifier: 'CSQU3054384', identifierType: 'container' });
  expect(found).toEqual({
    matches: [],
    hasMore: false,
    searched: ['container'],
    elsewhere: [],
    nearest: [{ shipmentId: shipment.id, identifier: 'CSQU3054383' }],
    checkDigit: { expected: '3' },
  });
  const stranger = await findShipment(core.ctx, await core.newCaller(), {
    identifier: 'CSQU3054384',
    identifierType: 'auto',
  });
  expect(stranger.nearest).toEqual([]);
});

test("finds neither another account's shipment nor one across test mode", async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const { shipment } = await registerShipment(core.ctx, theirs, oceanRegistration());
  const input = { identifier: encodeTypeId('shp', shipment.id), identifierType: 'auto' } as const;
  for (const caller of [mine, { ...theirs, test: true }])
    expect((await findShipment(core.ctx, caller, input)).matches).toEqual([]);
  expect((await findShipment(core.ctx, theirs, input)).matches).toMatchObject([shipment]);
});

test('returns at most ten matches, newest first', async () => {
  const caller = await core.newCaller();
  for (let index = 0; index < 12; index++) {
    await registerShipment(
      core.ctx,
      caller,
      oceanRegistration({ identifiers: { mbl: uniqueNumber(), hbl: 'SHARED1' } }),
    );
  }
  const { matches } = await findShipment(core.ctx, caller, { identifier: 'shared-1', identifierType: 'bol' });
  expect(matches).toHaveLength(10);
  const created = matches.map((match) => match.createdAt);
  expect(created).toEqual(created.toSorted().toReversed());
});
