import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restoreBackup } from '#infra/backup/restore-backup.ts';
import { writeBackup } from '#infra/backup/write-backup.ts';
import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import { getShipmentAsOf } from '#shared/core/record/get-shipment-as-of.ts';
import { listEvents } from '#shared/core/record/list-events.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { settleShipments } from '#shared/core/settling/settle-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { CarrierTime, EventCode, EventDetails, ReadEvent, StatedFacts } from '#shared/domain/events/event.ts';
import type { FetchResult, Shipment } from '#shared/domain/record/shipment.ts';
import { openStore } from '#shared/store/open-store.ts';
import { lockShipment } from '#shared/store/shipments/shipments.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { bySystem } from '#test/support/carriers/carrier-refreshes.ts';
import { refresh, stating } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';
import { emptyDatabase, ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});

afterAll(() => core.close());

const [one, two] = ['1Z0000000000000001', '1Z0000000000000002'] as const;

const timeOf = (local: string): CarrierTime => {
  return { at: `${local}:00.000Z`, local, timezone: 'UTC', zoneSource: 'carrier', precision: 'minute' };
};

function scan(code: EventCode, local: string, details?: EventDetails): ReadEvent {
  return bareEvent({
    code,
    classifier: 'actual',
    time: timeOf(local),
    location: null,
    mode: 'parcel',
    carrierCode: code,
    raw: { code },
    ...(details && { details }),
  });
}

const expected = (local: string, window: [string, string]): ReadEvent => ({
  ...scan('delivered', local, { window: { from: timeOf(window[0]), to: timeOf(window[1]) } }),
  classifier: 'estimated',
});

const found = (...events: ReadEvent[]): FetchResult => ({
  outcome: 'found',
  reading: { events, unreadable: [], source: 'simulator:ups' },
  httpStatus: 200,
  durationMs: 1,
});

const facts: StatedFacts = {
  service: { code: '003', name: 'Ground' },
  weightKg: 7.5,
  pieces: [
    { trackingNumber: one, weightKg: 5, dimensionsCm: { length: 30, width: 20, height: 10 } },
    { trackingNumber: two, weightKg: 2.5, dimensionsCm: null },
  ],
};

const underWay = [
  scan('picked_up', '2026-03-01T08:00', { piece: one }),
  scan('picked_up', '2026-03-01T08:00', { piece: two }),
  expected('2026-03-03T12:00', ['2026-03-03T12:00', '2026-03-03T14:00']),
];
const handedOver = [
  scan('delivered', '2026-03-03T15:00', { piece: one, statusDetail: 'left_at_door' }),
  scan('delivered', '2026-03-03T13:00', { piece: two, statusDetail: 'delivered_to_neighbour' }),
];

type Subject = { caller: Caller; shipmentId: string };

async function parcel(): Promise<Subject> {
  const caller = await core.newCaller();
  const registration = oceanRegistration({
    transportMode: 'parcel',
    carrier: 'UPS',
    identifiers: { tracking_number: one },
  });
  const { shipment } = await registerShipment(core.ctx, caller, registration);
  return { caller, shipmentId: shipment.id };
}

const record = ({ caller, shipmentId }: Subject, result: FetchResult) =>
  refresh(core.ctx, { accountId: caller.accountId, shipmentId }, result);
const read = ({ caller, shipmentId }: Subject) => getShipment(core.ctx, caller, shipmentId);

const page = {
  filter: { classifiers: [], codes: [], containers: [] },
  sort: 'time',
  limit: 100,
  cursor: null,
  includeRaw: true,
} as const;
const eventsOf = async ({ caller, shipmentId }: Subject, ctx = core.ctx) =>
  (await listEvents(ctx, caller, { ...page, shipmentId })).events;
const versions = async (subject: Subject) => (await read(subject)).version;

/** Without what the wire doesn't show of events. */
const shown = ({ journey: { events: _events, ...journey } }: Shipment) => journey;

it('records the facts that a carrier states beside its events, and keeps facts that it omits', async () => {
  const subject = await parcel();
  await record(subject, stating(facts, found(...underWay)));
  expect(shown(await read(subject))).toMatchObject({
    status: 'in_transit',
    service: { name: 'Ground' },
    weightKg: 7.5,
    piecesCount: 2,
    pieces: [
      { trackingNumber: one, status: 'in_transit', weightKg: 5, dimensionsCm: { length: 30 } },
      { trackingNumber: two, status: 'in_transit', weightKg: 2.5 },
    ],
    delivery: {
      estimated: { local: '2026-03-03T14:00' },
      window: { from: { local: '2026-03-03T12:00' }, to: { local: '2026-03-03T14:00' } },
      onTime: 'on_time',
    },
  });

  await record(subject, stating({ receivedBy: 'M. Muster' }, found(...underWay, ...handedOver)));
  expect(shown(await read(subject))).toMatchObject({
    status: 'delivered',
    statusDetail: 'left_at_door',
    service: { name: 'Ground' },
    weightKg: 7.5,
    pieces: [
      { trackingNumber: one, status: 'delivered', statusDetail: 'left_at_door' },
      { trackingNumber: two, status: 'delivered', statusDetail: 'delivered_to_neighbour' },
    ],
    delivery: { receivedBy: 'M. Muster', onTime: 'late', actual: { local: '2026-03-03T15:00' }, delayHours: 1 },
  });
});

it('does not announce an event again when only details are added', async () => {
  const subject = await parcel();
  const pickup = scan('picked_up', '2026-03-01T08:00');
  const transit = { ...scan('in_transit', '2026-03-02T08:00'), carrierDescription: 'In transit' };
  await record(subject, found(pickup, transit));
  const fuller = [
    { ...pickup, details: { piecesCount: 2, weightKg: 7.5 } },
    { ...transit, carrierDescription: 'In transit: on schedule', details: { piece: one } },
  ];
  const news = scan('out_for_delivery', '2026-03-03T08:00');
  await record(subject, found(...fuller));
  await record(subject, found(...fuller, news));
  const changes = await storedChanges((text, values) => bySystem(core, text, values), [subject.shipmentId]);
  const added = changes.filter(({ type }) => type === 'shipment.event_added');
  expect(added.map(({ data }) => data.added?.events.map(({ code }) => code))).toEqual([
    ['in_transit', 'picked_up'],
    ['out_for_delivery'],
  ]);
  expect((await read(subject)).journey.events).toHaveLength(5);
  expect(changes.filter(({ type }) => type === 'shipment.updated')).toHaveLength(1);
});

it('is a new version when the carrier adds details to the same events, and none when it repeats itself', async () => {
  const subject = await parcel();
  const events = [...underWay, ...handedOver];
  await record(subject, stating(facts, found(...events)));
  const first = await versions(subject);
  const reordered = {
    pieces: facts.pieces?.toReversed() ?? [],
    weightKg: 7.5,
    service: { name: 'Ground', code: '003' },
  };
  await record(subject, stating(reordered, found(...events.toReversed())));
  await record(subject, found(...events));
  expect(await versions(subject)).toBe(first);

  await record(subject, stating({ proof: [{ kind: 'signature', handle: 'h', piece: null }] }, found(...events)));
  expect(await versions(subject)).toBe(first + 1);
  const changes = await storedChanges((text, values) => bySystem(core, text, values), [subject.shipmentId]);
  const added = changes.flatMap(({ data }) => data.added?.events ?? []);
  expect(added.flatMap(({ details }) => details?.piece ?? []).toSorted()).toEqual([one, one, two, two]);
  expect(changes.at(-1)).toMatchObject({
    type: 'shipment.updated',
    data: {
      shipment: {
        journey: { service: { name: 'Ground' }, weightKg: 7.5, piecesCount: 2, statusDetail: 'left_at_door' },
      },
    },
  });
});

it('keeps the first 200 of 400 pieces with their total, and reads the same again without a change', async () => {
  const subject = await parcel();
  const numbers = Array.from({ length: 400 }, (_, index) => `P${String(index).padStart(3, '0')}`);
  const pieces = numbers.map((trackingNumber) => ({ trackingNumber, weightKg: null, dimensionsCm: null }));
  const events = [scan('picked_up', '2026-03-01T08:00'), scan('lost', '2026-03-02T08:00', { piece: 'P399' })];
  await record(subject, stating({ pieces }, found(...events)));
  const { journey, version } = await read(subject);
  expect([journey.status, journey.eventsCount, journey.piecesCount]).toEqual(['in_transit', 1, 400]);
  expect(journey.pieces.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers.slice(0, 200));
  await record(subject, stating({ pieces }, found(...events)));
  expect(await versions(subject)).toBe(version);
});

it('hides the recipient as of a moment before the delivery', async () => {
  const subject = await parcel();
  await record(subject, stating(facts, found(...underWay)));
  await record(subject, stating({ receivedBy: 'M. Muster' }, found(...underWay, ...handedOver)));
  const moments = [...new Set((await eventsOf(subject)).map(({ receivedAt }) => receivedAt))].sort();
  const asOf = await Promise.all(
    moments.map((at) =>
      getShipmentAsOf(core.ctx, subject.caller, { ...subject, moment: { earliest: at, latest: at } }),
    ),
  );
  expect(asOf.map(({ shipment }) => shown(shipment))).toMatchObject([
    { status: 'in_transit', statusDetail: null, delivery: { actual: null, receivedBy: null } },
    { status: 'delivered', statusDetail: 'left_at_door', delivery: { receivedBy: 'M. Muster' } },
  ]);
});

it('survives settling, unpacking, and a backup', async () => {
  const subject = await parcel();
  await record(subject, stating(facts, found(...underWay, ...handedOver)));
  const before = { journey: shown(await read(subject)), events: await eventsOf(subject) };
  expect(before.events.flatMap(({ details }) => details?.piece ?? [])).toEqual([one, two, two, one]);
  expect(before.events.flatMap(({ details }) => details?.window ?? [])).toHaveLength(1);
  const answers = async () => ({ journey: shown(await read(subject)), events: await eventsOf(subject) });

  await withSystem(core.store, (tx) =>
    tx.query(
      `with paused as (
         update landfall.polling set next_refresh_at = null, lease_until = null, state = 'completed' where shipment_id = $1
       )
       update landfall.shipments set closed_at = now() - interval '40 days', settling_from = null where id = $1`,
      [subject.shipmentId],
    ),
  );
  await settleShipments(core.ctx);
  const rows = () =>
    withSystem(core.store, async (tx) => {
      const text = 'select from landfall.settled_shipments where shipment_id = $1';
      return (await tx.query({ text, values: [subject.shipmentId] })).rowCount;
    });
  expect(await rows()).toBe(1);
  expect(await answers()).toEqual(before);
  await withSystem(core.store, (tx) => lockShipment(tx, subject.caller.accountId, subject.shipmentId));
  expect(await rows()).toBe(0);
  expect(await answers()).toEqual(before);

  const file = new PassThrough();
  const [chunks] = await Promise.all([
    file.toArray(),
    writeBackup(file, { databaseUrl: core.databaseUrl, credentialKeys: null }),
  ]);
  const target = await emptyDatabase();
  await restoreBackup(Readable.from([Buffer.concat(chunks)]), target.databaseUrl);
  const store = await openStore({
    databaseUrl: target.serviceUrl,
    apiPoolSize: 1,
    systemPoolSize: 1,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  try {
    const ctx = { ...core.ctx, store };
    const restored = await getShipment(ctx, subject.caller, subject.shipmentId);
    expect({ journey: shown(restored), events: await eventsOf(subject, ctx) }).toEqual(before);
  } finally {
    await store.close();
    await target.drop();
  }
});
