import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import {
  bySystem,
  carrierEvent,
  changesOf,
  foundReading,
  newShipment,
  refresh,
  startRefresh,
} from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { getShipment, openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
const departed = foundReading([carrierEvent('departed', '2026-10-02T20:00')]);

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

it('records the client’s own event, closes the shipment and stops tracking; repeating it changes nothing', async () => {
  const { caller, id } = await newShipment(core);
  await refresh(core, { caller, id }, departed);
  const reported = (await changesOf(core, id)).length;

  const cancelled = await cancelShipment(core.ctx, caller, id);

  expect(cancelled.journey).toMatchObject({
    status: 'cancelled',
    statusEvidence: { code: 'cancelled', source: 'client' },
    eventsCount: 2,
  });
  expect(cancelled.tracking).toMatchObject({ state: 'stopped', reason: 'booking_cancelled', nextRefreshAt: null });
  expect(Math.abs(Date.parse(cancelled.statusChangedAt ?? '') - Date.now())).toBeLessThan(60_000);
  expect((await changesOf(core, id)).slice(reported).map(({ type }) => type)).toEqual([
    'shipment.event_added',
    'shipment.status_changed',
    'shipment.tracking_state_changed',
  ]);
  expect(await transitions(id)).toEqual([
    { from_status: 'pending', to_status: 'in_transit', reason: 'event' },
    { from_status: 'in_transit', to_status: 'cancelled', reason: 'client_cancelled' },
  ]);
  expect(await cancelShipment(core.ctx, caller, id)).toEqual(cancelled);
});

it('is reverted by resuming: voids the event and returns to the status from the carrier', async () => {
  const { caller, id } = await newShipment(core);
  await refresh(core, { caller, id }, departed);
  await cancelShipment(core.ctx, caller, id);

  const resumed = await resumeShipment(core.ctx, caller, id);

  expect(resumed).toMatchObject({
    journey: { status: 'in_transit', eventsCount: 2 },
    tracking: { state: 'queued', reason: null },
  });
  expect(resumed.journey.events[0]).toMatchObject({ code: 'cancelled', source: 'client', flags: ['voided'] });
  expect((await transitions(id)).at(-1)).toEqual({
    from_status: 'cancelled',
    to_status: 'in_transit',
    reason: 'client_resumed',
  });
  const [row] = await bySystem<{ closed_at: Date | null }>(
    core,
    'select closed_at from landfall.shipments where id = $1',
    [id],
  );
  expect(row?.closed_at).toBeNull();

  const later = foundReading([
    carrierEvent('departed', '2026-10-02T20:00'),
    carrierEvent('discharged', '2026-11-01T20:00'),
  ]);
  await recordRefresh(core.ctx, await startRefresh(core, caller, id), later, null);
  expect((await getShipment(core.ctx, caller, id)).journey).toMatchObject({ status: 'in_transit', eventsCount: 3 });

  const again = await cancelShipment(core.ctx, caller, id);
  expect(again.journey).toMatchObject({ status: 'cancelled', eventsCount: 4 });
});

it('is refused after a delivery whose time is some hours ahead', async () => {
  const { caller, id } = await newShipment(core);
  const ahead = new Date(Date.now() + 5 * 3600 * 1000).toISOString().slice(0, 16);
  await refresh(
    core,
    { caller, id },
    foundReading([carrierEvent('departed', '2026-10-02T20:00'), carrierEvent('delivered', ahead)]),
  );

  await expect(cancelShipment(core.ctx, caller, id)).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await getShipment(core.ctx, caller, id)).toMatchObject({ journey: { status: 'delivered', eventsCount: 2 } });
});

it('keeps both the carrier’s own cancellation and the client’s', async () => {
  const { caller, id } = await newShipment(core);
  await cancelShipment(core.ctx, caller, id);
  await resumeShipment(core.ctx, caller, id);
  const now = new Date().toISOString().slice(0, 16);
  const own = { ...carrierEvent('cancelled', now, null), location: null, vehicle: null, isoType: null };
  await recordRefresh(core.ctx, await startRefresh(core, caller, id), foundReading([own]), null);

  const shipment = await getShipment(core.ctx, caller, id);
  expect(shipment).toMatchObject({
    journey: { status: 'cancelled', statusEvidence: { source: 'carrier' }, eventsCount: 2 },
    tracking: { state: 'stopped', reason: 'booking_cancelled' },
  });
  expect((await resumeShipment(core.ctx, caller, id)).journey.status).toBe('cancelled');
});

it('refuses a shipment that has been delivered, even partly, and records nothing', async () => {
  const whole = await newShipment(core);
  await refresh(core, whole, foundReading([carrierEvent('delivered', '2026-11-02T20:00')]));
  await expect(cancelShipment(core.ctx, whole.caller, whole.id)).rejects.toMatchObject({ code: 'invalid_state' });

  const part = await newShipment(core);
  const events = [
    carrierEvent('departed', '2026-10-02T20:00'),
    carrierEvent('departed', '2026-10-02T20:00', 'MSKU0000007'),
  ];
  await refresh(core, part, foundReading([...events, carrierEvent('delivered', '2026-11-02T20:00')]));
  const before = await getShipment(core.ctx, part.caller, part.id);
  await expect(cancelShipment(core.ctx, part.caller, part.id)).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await getShipment(core.ctx, part.caller, part.id)).toEqual(before);
});

it('records one event for racing cancellations', async () => {
  const { caller, id } = await newShipment(core);
  const answers = await Promise.all(Array.from({ length: 8 }, () => cancelShipment(core.ctx, caller, id)));
  for (const answer of answers)
    expect(answer).toMatchObject({ version: 2, journey: { eventsCount: 1, status: 'cancelled' } });
});

it('refuses the refresh that was under way', async () => {
  const { caller, id } = await newShipment(core);
  const running = await startRefresh(core, caller, id);
  await cancelShipment(core.ctx, caller, id);
  expect((await recordRefresh(core.ctx, running, departed, null)).stale).toBe(true);
  expect((await getShipment(core.ctx, caller, id)).journey).toMatchObject({ status: 'cancelled', eventsCount: 1 });
});

function transitions(id: string): Promise<object[]> {
  return bySystem(
    core,
    'select from_status, to_status, reason from landfall.status_changes where shipment_id = $1 order by id',
    [id],
  );
}
