import { afterAll, beforeAll, expect, it } from 'vitest';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { countShipments } from '#shared/core/lists/count-shipments.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { readOverview } from '#shared/core/lists/read-overview.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { markOverdueShipments } from '#shared/core/tracking/mark-overdue.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Classifier, ReadEvent } from '#shared/domain/events/event.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { readEvent, startMs } from '../../domain/journey/journey-events.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

/** Hours of the tests' events for a time this many hours from now. */
const fromNow = (hours: number) => (Date.now() - startMs) / 3_600_000 + hours;

it('publishes a passed ETA once for each promised time, also when an estimate comes back', async () => {
  const shipment = await underway(-1);
  expect(await overdueReported(shipment)).toHaveLength(0);
  const { version } = await getShipment(core.ctx, shipment.caller, shipment.id);
  await Promise.all([markOverdueShipments(core.ctx), markOverdueShipments(core.ctx)]);
  await markOverdueShipments(core.ctx);
  const [overdue, ...more] = await overdueReported(shipment);
  expect(more).toEqual([]);
  expect(overdue?.data).toMatchObject({
    changes: { overdueHours: [null, 1] },
    shipment: { version: version + 1, overdueHours: 1, late: false },
  });

  const first = shipment.eta;
  await expected(shipment, 40);
  await markOverdueShipments(core.ctx);
  expect(await getShipment(core.ctx, shipment.caller, shipment.id)).toMatchObject({ overdueHours: null });
  await expected(shipment, -30);
  await markOverdueShipments(core.ctx);
  expect(await overdueReported(shipment)).toHaveLength(2);
  shipment.eta = first;
  await stated(shipment, 'estimated', first);
  await markOverdueShipments(core.ctx);
  expect(await overdueReported(shipment)).toHaveLength(2);
});

it('publishes nothing for a shipment that has arrived', async () => {
  const shipment = await underway(-5);
  await stated(shipment, 'actual', fromNow(-4));
  await markOverdueShipments(core.ctx);
  expect(await overdueReported(shipment)).toEqual([]);
});

it('counts an unconfirmed ETA of a day ago as late in list, counts, overview and record, and no sooner', async () => {
  const caller = await core.newCaller();
  const [late, overdue, delayed] = [
    await underway(-25, caller),
    await underway(-23, caller),
    await underway(10, caller),
  ];
  await expected(delayed, 40);
  await underway(30, caller);
  const found = async (filter: ShipmentFilter) => {
    const page = { sort: '-created_at', limit: 10, cursor: null, withCounts: false } as const;
    const { shipments } = await listShipments(core.ctx, caller, { filter, ...page });
    expect((await countShipments(core.ctx, caller, { filter })).total).toBe(shipments.length);
    return shipments.map(({ id }) => id);
  };
  expect(await found({ late: true })).toEqual([delayed.id, late.id]);
  expect(await found({ overdueMinHours: 0 })).toEqual([overdue.id, late.id]);
  expect(await found({ overdueMinHours: 25 })).toEqual([late.id]);
  expect(await found({ overdueMinHours: 26 })).toEqual([]);
  expect(await found({ late: false })).toHaveLength(2);
  const { statuses } = await readOverview(core.ctx, caller, null);
  expect(statuses.find(({ status }) => status === 'in_transit')?.late).toBe(2);
  expect(await getShipment(core.ctx, caller, late.id)).toMatchObject({ late: true, overdueHours: 25 });
  expect(await getShipment(core.ctx, caller, overdue.id)).toMatchObject({ late: false, overdueHours: 23 });
});

it('sorts by delay in both directions, page by page, with unknown delays last', async () => {
  const caller = await core.newCaller();
  const ids: string[] = [];
  for (const delay of [5, -7, 90, 5, 0]) {
    const shipment = await underway(100, caller);
    await expected(shipment, 100 + delay);
    ids.push(shipment.id);
  }
  const unknown = await registerShipment(core.ctx, caller, oceanRegistration());
  const read = async (sort: 'delay_hours' | '-delay_hours') => {
    const delays: (number | null)[] = [];
    const seen: string[] = [];
    for (let cursor: string | null = null, more = true; more; ) {
      const page = { filter: {}, sort, limit: 2, cursor, withCounts: false };
      const { shipments, nextCursor } = await listShipments(core.ctx, caller, page);
      delays.push(...shipments.map(({ journey }) => journey.delayHours));
      seen.push(...shipments.map(({ id }) => id));
      cursor = nextCursor;
      more = nextCursor !== null;
    }
    expect([...seen].sort()).toEqual([...ids, unknown.shipment.id].sort());
    return delays;
  };
  expect(await read('-delay_hours')).toEqual([90, 5, 5, 0, -7, null]);
  expect(await read('delay_hours')).toEqual([-7, 0, 5, 5, 90, null]);
});

type Underway = { id: string; caller: Caller; eta: number };

/** A shipment at sea with its first estimate. */
async function underway(etaHours: number, of?: Caller): Promise<Underway> {
  const caller = of ?? (await core.newCaller());
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  const one = { id: shipment.id, caller, eta: fromNow(etaHours) };
  const departed = readEvent({ code: 'departed', hour: fromNow(-400), port: 'CNSHA' });
  const loaded = readEvent({ code: 'loaded', hour: fromNow(-401), port: 'CNSHA' });
  await reported(one, [loaded, departed, arrival('estimated', one.eta)]);
  return one;
}

function expected(shipment: Underway, hours: number): Promise<void> {
  // From the same moment as the first estimate, so that the difference is whole hours.
  shipment.eta = Math.round(hours - (shipment.eta - fromNow(0))) + shipment.eta;
  return stated(shipment, 'estimated', shipment.eta);
}

function stated(shipment: Underway, classifier: Classifier, hour: number): Promise<void> {
  return reported(shipment, [arrival(classifier, hour)]);
}

function reported({ id, caller }: Underway, events: ReadEvent[]): Promise<void> {
  const reading = { events, unreadable: [], source: 'simulator:dcsa:maersk' };
  const subject = { accountId: caller.accountId, shipmentId: id };
  return refresh(core.ctx, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 5 });
}

function arrival(classifier: Classifier, hour: number) {
  return readEvent({ code: 'arrived', hour, port: 'NLRTM', classifier });
}

async function overdueReported({ id, caller }: Underway) {
  await sequenceChanges(core.ctx);
  const { changes } = await listChanges(core.ctx, caller, {
    after: null,
    types: ['shipment.overdue'],
    shipmentId: id,
    narrowedBy: { codes: [], legRoles: [], classifiers: [] },
    limit: 100,
  });
  return changes;
}
