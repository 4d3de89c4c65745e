import { afterAll, beforeAll, expect, it } from 'vitest';
import { journeyShape, toWireShipment, toWireShipmentText } from '#shared/contract/record/shipment-wire.ts';
import { listMapShipments, readMap } from '#shared/core/lists/read-map.ts';
import { askVesselPositions, PositionsUnavailable } from '#shared/core/positions/ask-vessel-positions.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { purgeShipment } from '#shared/core/removal/remove-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import { keepPositions } from '#shared/store/positions/vehicle-positions.ts';
import type { VesselPosition } from '#shared/store/positions/vessel-positions.ts';
import { openRecordReader, type RecordReader } from '#shared/store/shipments/record-reader.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import {
  getShipment,
  oceanRegistration,
  openTestCore,
  type TestCore,
  uniqueNumber,
} from '#test/support/core-context.ts';

let core: TestCore;
let records: RecordReader;

beforeAll(async () => {
  core = await openTestCore();
  records = openRecordReader({
    databaseUrl: core.serviceUrl,
    applicationName: 'landfall-test-positions',
    apart: (work) => work(),
    onError: (error) => {
      throw error;
    },
  });
});

afterAll(async () => {
  await records.close();
  await core.close();
});

const shanghai = port('Shanghai', 'CNSHA', 31.2, 121.5);
const rotterdam = port('Rotterdam', 'NLRTM', 51.9, 4.5);
const vessel = (imo: string) => ({ name: 'MAREN AURORA', imo, voyage: '240W', flight: null });
const departed = (imo: string) =>
  ({ code: 'departed', local: '2026-03-01T10:00', location: shanghai, legRole: 'pol', vehicle: vessel(imo) }) as const;
const arrived = (imo: string) =>
  ({ code: 'arrived', local: '2026-04-01T10:00', location: rotterdam, legRole: 'pod', vehicle: vessel(imo) }) as const;
const truck = { name: 'RTM-77', imo: null, voyage: null, flight: null };

async function shipment(caller: Caller, ...events: Parameters<typeof found>): Promise<string> {
  const { id } = (await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl: uniqueNumber() } })))
    .shipment;
  if (events.length > 0) await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, found(...events));
  return id;
}

function push(caller: Caller, shipmentId: string, position: Partial<VehiclePosition> & { at: string }) {
  const given = { lat: 52.1, lng: 4.9, source: 'client:driver', vehicle: truck, ...position, shipmentId };
  return withAccount(core.store, caller.accountId, (tx) => keepPositions(tx, caller.accountId, [given]));
}

const positionOf = async (caller: Caller, id: string) => (await getShipment(core.ctx, caller, id)).currentPosition;

it('keeps the latest position, received in any order, and only of the account’s own open shipments', async () => {
  const caller = await core.newCaller();
  const id = await shipment(caller, { code: 'picked_up', local: '2026-03-01T10:00', location: shanghai });
  await push(caller, id, { at: '2026-03-01T11:00:00Z', lat: 52.2 });
  await push(caller, id, { at: '2026-03-01T10:30:00Z', lat: 52.1 });
  const stored = { lat: 52.2, lng: 4.9, at: '2026-03-01T11:00:00.000Z', source: 'client:driver', vehicle: truck };
  expect(await positionOf(caller, id)).toEqual(stored);
  const other = await core.newCaller();
  await push(other, id, { at: '2026-03-02T11:00:00Z' });
  expect(await positionOf(caller, id)).toEqual(stored);
  const end = { code: 'delivered', local: '2026-03-01T12:00', location: rotterdam } as const;
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, found(end));
  expect(await positionOf(caller, id)).toBe(null);
});

it('shows the same position in both reads of a record, and raises no version and no change for it', async () => {
  const caller = await core.newCaller();
  const id = await shipment(caller, { code: 'picked_up', local: '2026-03-01T10:00', location: shanghai });
  const before = await getShipment(core.ctx, caller, id);
  await push(caller, id, { at: '2026-03-01T11:00:00Z' });
  const shown = await getShipment(core.ctx, caller, id);
  expect([shown.version, shown.updatedAt]).toEqual([before.version, before.updatedAt]);
  const record = await records.read(caller.accountId, { id, test: false, shape: journeyShape });
  expect(JSON.parse(toWireShipmentText(record!))).toEqual(toWireShipment(shown));
  expect(toWireShipment(shown).current_position).toMatchObject({ lat: 52.1, vehicle: { name: 'RTM-77' } });
  expect(toWireShipment(shown, '2026-03-01T11:30:00Z').current_position).toBe(null);
  await purgeShipment(core.ctx, caller, id);
  const left = await withSystem(core.store, (tx) =>
    tx.query('select 1 from landfall.vehicle_positions where shipment_id = $1', [id]),
  );
  expect(left.rows).toEqual([]);
});

it('hides a position that is older than the latest event, on the record and on the map', async () => {
  const caller = await core.newCaller();
  const id = await shipment(caller, { code: 'picked_up', local: '2026-03-01T10:00', location: shanghai });
  await push(caller, id, { at: '2026-03-01T11:00:00Z' });
  const map = await readMap(core.ctx, caller, 'place');
  expect(map.places).toMatchObject([{ count: 1, from: { lat: 52.1, lng: 4.9 }, reported: { vehicle: truck } }]);
  const here = await listMapShipments(core.ctx, caller, { by: 'place', keys: [map.places[0]!.key] });
  expect(here.map((row) => row.id)).toEqual([id]);
  const later = { code: 'arrived_at_facility', local: '2026-03-01T12:00', location: rotterdam } as const;
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, found(later));
  expect(await positionOf(caller, id)).toBe(null);
  expect((await readMap(core.ctx, caller, 'place')).places).toMatchObject([{ key: 'NLRTM', reported: null }]);
});

const answer = (imo: string, changes: Partial<VesselPosition> = {}): VesselPosition => ({
  imo,
  lat: 12.5,
  lng: 60.25,
  at: '2026-03-10T00:00:00.000Z',
  source: 'positions',
  name: 'MAREN AURORA',
  ...changes,
});

/** A round that is due now. */
async function round(...[answers, asked = []]: [answers: VesselPosition[] | Error, asked?: string[]]) {
  await withSystem(core.store, (tx) => tx.query('update landfall.position_rounds set next_at = now()'));
  return askVesselPositions(core.ctx, {
    ask: async (imos) => {
      asked.push(...imos);
      if (answers instanceof Error) throw answers;
      return { positions: answers, unreadable: 0 };
    },
    simulated: true,
    everyMs: 600_000,
    signal: new AbortController().signal,
  });
}

it('asks only for vessels that carry an open shipment, and shows theirs until the cargo has left them', async () => {
  const caller = await core.newCaller();
  const atSea = await shipment(caller, departed('9481113'));
  const inPort = await shipment(caller, departed('9481125'), arrived('9481125'));
  const asked: string[] = [];
  const done = await round([answer('9481113'), answer('9481125'), answer('9999999')], asked);
  expect(asked).toContain('9481113');
  expect(asked).not.toContain('9481125');
  expect(done).toMatchObject({ kept: 1, refused: 2 });
  expect(await positionOf(caller, atSea)).toMatchObject({
    lat: 12.5,
    vehicle: { imo: '9481113', name: 'MAREN AURORA' },
  });
  expect(await positionOf(caller, inPort)).toBe(null);
  const map = await readMap(core.ctx, caller, 'place');
  expect(map.places.find(({ key }) => key === '@12.5_60.3')).toMatchObject({ count: 1, reported: { lat: 12.5 } });
  await refresh(
    core.ctx,
    { accountId: caller.accountId, shipmentId: atSea },
    found(departed('9481113'), arrived('9481113')),
  );
  expect(await positionOf(caller, atSea)).toBe(null);
  await round([]);
  const left = await withSystem(core.store, (tx) => tx.query('select imo from landfall.vessel_positions'));
  expect(left.rows).toEqual([]);
});

it('never replaces a newer position by an older one, and refuses those that can’t be true', async () => {
  const caller = await core.newCaller();
  const id = await shipment(caller, departed('9481137'));
  await round([answer('9481137', { lat: 13 })]);
  await round([answer('9481137', { lat: 11, at: '2026-03-09T00:00:00.000Z' })]);
  const ahead = new Date(core.ctx.now().getTime() + 3_600_000).toISOString();
  const wrong = [{ lat: 0, lng: 0 }, { lat: 91 }, { at: ahead }].map((change) => answer('9481137', change));
  expect(await round(wrong)).toMatchObject({ kept: 0, refused: 3 });
  expect(await positionOf(caller, id)).toMatchObject({ lat: 13, at: '2026-03-10T00:00:00.000Z' });
});

it('shows no position on the map from before the ship left, but that it is on the way', async () => {
  const caller = await core.newCaller();
  await shipment(caller, departed('9481151'));
  await round([answer('9481151', { at: '2026-02-28T00:00:00.000Z' })]);
  const onMap = async () => (await readMap(core.ctx, caller, 'place')).places;
  expect(await onMap()).toMatchObject([{ from: { key: 'CNSHA' }, isMoving: true, reported: null }]);
  await round([answer('9481151')]);
  expect(await onMap()).toMatchObject([{ key: '@12.5_60.3', isMoving: false, reported: { lat: 12.5 } }]);
});

it('lets one worker request positions at a time, and all pause after a failure, longer each time', async () => {
  const caller = await core.newCaller();
  await shipment(caller, departed('9481149'));
  const asked: string[] = [];
  await round([], asked);
  const again = { ask: () => Promise.reject(new Error('too soon')), simulated: true, everyMs: 1000 };
  expect(await askVesselPositions(core.ctx, { ...again, signal: new AbortController().signal })).toBe(null);
  const pauses: number[] = [];
  for (let failure = 0; failure < 6; failure++) {
    await expect(round(new PositionsUnavailable('it responded with HTTP 500'))).rejects.toThrow('HTTP 500');
    const { rows } = await withSystem(core.store, (tx) =>
      tx.query<{ s: number; failures: number; failure: string }>(
        'select extract(epoch from next_at - now())::float8 as s, failures, failure from landfall.position_rounds',
      ),
    );
    expect(rows[0]).toMatchObject({ failures: failure + 1, failure: 'it responded with HTTP 500' });
    pauses.push(Math.ceil(rows[0]!.s / 30) * 30);
  }
  expect(pauses).toEqual([600, 600, 600, 600, 600, 960]);
  await round([]);
  const { rows } = await withSystem(core.store, (tx) =>
    tx.query('select failures, failure from landfall.position_rounds'),
  );
  expect(rows).toEqual([{ failures: 0, failure: null }]);
});

function port(name: string, unlocode: string, lat: number, lng: number) {
  return { name, unlocode, iata: null, country: unlocode.slice(0, 2), lat, lng, timezone: null, facility: null };
}
