import { afterAll, beforeAll, expect, it } from 'vitest';
import { listMapShipments, readMap } from '#shared/core/lists/read-map.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { archiveShipment } from '#shared/core/shipments/update-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Place } from '#shared/domain/events/event.ts';
import { readMapPlaces, readMapShipments } from '#shared/store/lists/map-places.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import {
  getShipment,
  oceanRegistration,
  openTestCore,
  type TestCore,
  uniqueNumber,
} from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});

afterAll(() => core.close());

const shanghai = port('Shanghai', 'CNSHA', 31.2, 121.5);
const rotterdam = port('Rotterdam', 'NLRTM', 51.9, 4.5);
const loaded = { code: 'loaded', local: '2026-03-01T08:00', location: shanghai, legRole: 'pol' } as const;
const departed = { code: 'departed', local: '2026-03-01T10:00', location: shanghai, legRole: 'pol' } as const;
const arrived = { code: 'arrived', local: '2026-04-01T10:00', location: rotterdam, legRole: 'pod' } as const;
const expected = { ...arrived, classifier: 'estimated' } as const;
const delivered = { code: 'delivered', local: '2026-04-02T10:00', location: rotterdam } as const;

async function shipment(caller: Caller, ...events: Parameters<typeof found>): Promise<string> {
  const { id } = (await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl: uniqueNumber() } })))
    .shipment;
  if (events.length > 0) await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, found(...events));
  return id;
}

it('counts every current shipment where it is, and a ship at sea between its ports', async () => {
  const caller = await core.newCaller();
  const unreported = await shipment(caller);
  await shipment(caller, loaded, expected);
  const atSea = [await shipment(caller, departed, expected), await shipment(caller, loaded, departed, expected)];
  await shipment(caller, departed, arrived);
  await shipment(caller, departed, arrived, delivered);
  await archiveShipment(core.ctx, caller, await shipment(caller, departed, expected));
  await shipment(await core.newCaller(), departed, expected);

  const map = await readMap(core.ctx, caller, 'place');
  expect(map).toMatchObject({ located: 4, counted: 5, total: 5 });
  expect(map.places).toMatchObject([
    { count: 2, isMoving: true, mode: 'ocean', from: { name: 'Shanghai' }, to: { name: 'Rotterdam' } },
    { count: 1, isMoving: false, key: 'CNSHA', to: null },
    { count: 1, isMoving: false, key: 'NLRTM', to: null },
  ]);
  const ids = async (keys: string[]) => {
    const shipments = await listMapShipments(core.ctx, caller, { by: 'place', keys });
    return shipments.map(({ id }) => id).toSorted();
  };
  expect(await ids([map.places[0]?.key ?? ''])).toEqual(atSea.toSorted());
  expect(await ids([])).toEqual([unreported]);

  const { places, located } = await readMap(core.ctx, caller, 'destination');
  expect(places.map(({ key, count }) => [key, count])).toEqual([['NLRTM', located]]);

  // As the map of an account with more shipments than it counts is read: the latest of them.
  const keys = map.places.map(({ key }) => key);
  for (const by of ['place', 'destination'] as const) {
    const [whole, latest] = [true, false].map((isWhole) => {
      const statuses = ['pending', 'booked', 'in_transit', 'arrived'] as const;
      const scope = { accountId: caller.accountId, test: false, by, statuses, isWhole };
      return withAccountReads(core.store, caller.accountId, async (tx) => [
        await readMapPlaces(tx, scope),
        await readMapShipments(tx, scope, keys),
      ]);
    });
    expect(await latest).toEqual(await whole);
  }
});

it('counts shipments on the way together if they have the same times, and reports these', async () => {
  const caller = await core.newCaller();
  const at = (event: object, local: string) => ({ ...event, local }) as typeof expected;
  const together = [await shipment(caller, departed, expected), await shipment(caller, departed, expected)];
  const later = await shipment(caller, departed, at(expected, '2026-04-03T10:00'));
  const { places } = await readMap(core.ctx, caller, 'place');
  const ends = { from: { key: 'CNSHA' }, to: { key: 'NLRTM' } };
  const way = { ...ends, isMoving: true, departedAt: '2026-03-01T10:00:00.000Z' };
  expect(places).toMatchObject([
    { ...way, count: 2, arrivesAt: '2026-04-01T10:00:00.000Z' },
    { ...way, count: 1, arrivesAt: '2026-04-03T10:00:00.000Z' },
  ]);
  const listed = await listMapShipments(core.ctx, caller, { by: 'place', keys: places.map(({ key }) => key) });
  expect(listed.map(({ id }) => id)).toEqual([...together.toSorted(), later]);
});

it('draws a city that a carrier only named about where it is', async () => {
  const caller = await core.newCaller();
  const { accountId } = caller;
  const named: Place = { ...port('Memphis, TN', 'USMEM', 35.04, -89.98), unlocode: null, lat: null, lng: null };
  const parcel = {
    transportMode: 'parcel',
    carrier: 'UPS',
    identifiers: { tracking_number: '1Z12345E0205271688' },
  } as const;
  const { id } = (await registerShipment(core.ctx, caller, oceanRegistration(parcel))).shipment;
  const scan = { code: 'arrived_at_facility', local: '2026-03-01T10:00', location: named } as const;
  const reading = found(scan);
  if (reading.outcome === 'found') reading.reading.route = { origin: named, destination: named };
  await refresh(core.ctx, { accountId, shipmentId: id }, reading);
  const stated = { ...scan, location: { ...named, lat: 35.0421, lng: -89.9792 } };
  const exact = (
    await registerShipment(
      core.ctx,
      caller,
      oceanRegistration({ ...parcel, identifiers: { tracking_number: '1Z12345E1505270452' } }),
    )
  ).shipment.id;
  await refresh(core.ctx, { accountId, shipmentId: exact }, found(stated));

  const { journey } = await getShipment(core.ctx, caller, id);
  const ends = [journey.origin, journey.destination, journey.currentLocation, journey.events[0]?.location];
  expect(ends).toEqual(ends.map(() => named));
  expect((await getShipment(core.ctx, caller, exact)).journey.currentLocation).toMatchObject({ lat: 35.0421 });
  const { places } = await readMap(core.ctx, caller, 'place');
  expect(places.map(({ key, from }) => [key, from.approximate, from.lat])).toEqual([
    ['35.0_-90.0', undefined, 35.0421],
    ['city_35.0_-90.0', true, 35.04],
  ]);
});

function port(name: string, unlocode: string, lat: number, lng: number): Place {
  return { name, unlocode, iata: null, country: unlocode.slice(0, 2), lat, lng, timezone: null, facility: null };
}
