import { afterAll, beforeAll, expect, it } from 'vitest';
import { findShipment } from '#shared/core/lists/find-shipment.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { ReadEvent } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { readLiveRaws } from '#shared/store/tracking/raw-events.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { carrierEvent, notFoundReading, shanghai } from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

it('moves the status, stores its evidence and makes the carrier’s container searchable', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  const refresh = found([
    carrierEvent('gate_in_full', '2026-10-01T08:00'),
    carrierEvent('loaded', '2026-10-02T08:00'),
    carrierEvent('departed', '2026-10-02T20:00'),
  ]);

  expect(await recordRefresh(core.ctx, subject, refresh, 'f'.repeat(32))).toEqual({ outcome: 'changed', stale: false });

  const shipment = await getShipment(core.ctx, caller, shipmentId);
  expect(shipment.journey.status).toBe('in_transit');
  expect(shipment.journey.statusEvidence?.code).toBe('loaded');
  expect(shipment.journey.eventsCount).toBe(3);
  expect(shipment.tracking).toMatchObject({
    state: 'active',
    reason: null,
    source: 'simulator:dcsa:maersk',
    traceId: 'f'.repeat(32),
    freshness: 'fresh',
  });
  expect(shipment.version).toBe(2);
  const byContainer = await findShipment(core.ctx, caller, {
    identifier: 'CSQU 305438-3',
    identifierType: 'container',
  });
  expect(byContainer.matches.map((match) => match.id)).toContain(shipmentId);
  expect(await changeTypes(caller, shipmentId)).toEqual([
    'shipment.created',
    'shipment.event_added',
    'shipment.container_added',
    'shipment.status_changed',
    'shipment.tracking_state_changed',
  ]);
});

it('keeps an event with text that jsonb rejects, and similar text unchanged', async () => {
  const { shipmentId, subject } = await claimedShipment();
  const whole = { written: '\\u0000 \\ud800 \\\\u0000', emoji: '😀' };
  const raw = { ...whole, note: 'a\u0000b', half: '\ud83dx', late: 'x\udfff', 'k\u0000': 1 };
  const refresh = found([{ ...carrierEvent('departed', '2026-10-02T20:00'), raw }]);

  expect(await recordRefresh(core.ctx, subject, refresh, null)).toMatchObject({ outcome: 'changed' });

  const { accountId } = subject;
  const raws = await withAccount(core.store, accountId, (tx) => readLiveRaws(tx, accountId, shipmentId));
  expect([...raws.values()]).toEqual([{ ...whole, note: 'a\ufffdb', half: '\ufffdx', late: 'x\ufffd', 'k\ufffd': 1 }]);
});

it('adds nothing visible for an identical response, and counts the refreshes in one row', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  const refresh = found([carrierEvent('departed', '2026-10-02T20:00')]);
  await recordRefresh(core.ctx, subject, refresh, null);
  const before = await getShipment(core.ctx, caller, shipmentId);

  for (let turn = 0; turn < 3; turn++) {
    expect(await recordRefresh(core.ctx, await claimAgain(subject), refresh, null)).toEqual({
      outcome: 'unchanged',
      stale: false,
    });
  }

  const after = await getShipment(core.ctx, caller, shipmentId);
  expect(after.version).toBe(before.version);
  expect(after.journey).toEqual(before.journey);
  expect(await refreshes(shipmentId)).toEqual([
    { outcome: 'changed', count: 1, events_added: 1 },
    { outcome: 'unchanged', count: 3, events_added: 0 },
  ]);
});

it('states the ends of the journey that the carrier states, until it states others', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  const place = (name: string) => ({ ...shanghai, unlocode: null, name });
  const events = [carrierEvent('departed', '2026-10-02T20:00')];
  const stating = (origin: string, destination: string): FetchResult => {
    const result = found(events);
    if (result.outcome !== 'found') throw new Error('the result is a reading');
    const route = { origin: place(origin), destination: place(destination) };
    return { ...result, reading: { ...result.reading, route } };
  };
  await recordRefresh(core.ctx, subject, stating('Camden, NJ', 'Reno, NV'), null);
  const read = async () => (await getShipment(core.ctx, caller, shipmentId)).journey;
  expect(await read()).toMatchObject({ origin: { name: 'Camden, NJ' }, destination: { name: 'Reno, NV' } });

  const moved = stating('Camden, NJ', 'Elko, NV');
  expect(await recordRefresh(core.ctx, await claimAgain(subject), moved, null)).toMatchObject({ outcome: 'changed' });
  expect(await read()).toMatchObject({ destination: { name: 'Elko, NV' } });
  await recordRefresh(
    core.ctx,
    await claimAgain(subject),
    found([...events, carrierEvent('arrived', '2026-10-09T20:00')]),
    null,
  );
  expect(await read()).toMatchObject({ origin: { name: 'Camden, NJ' }, destination: { name: 'Elko, NV' } });
});

it('keeps the record fresh and the last reading known when the carrier reports no change', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  await recordRefresh(core.ctx, subject, found([carrierEvent('departed', '2026-10-02T20:00')]), null);
  const before = await getShipment(core.ctx, caller, shipmentId);
  const again = await claimAgain(subject);
  const refresh: FetchResult = { outcome: 'unchanged', httpStatus: 200, durationMs: 3, source: 'simulator:one-record' };
  expect(await recordRefresh(core.ctx, again, refresh, null)).toEqual({ outcome: 'unchanged', stale: false });

  const after = await getShipment(core.ctx, caller, shipmentId);
  expect(after).toMatchObject({
    version: before.version,
    journey: before.journey,
    tracking: { state: 'active', reason: null },
  });
  expect(after.tracking.lastSucceededAt).not.toBe(before.tracking.lastSucceededAt);
  expect((await claimAgain(subject)).polling.readingHash).toBe(again.polling.readingHash);
  expect(await refreshes(shipmentId)).toEqual([
    { outcome: 'changed', count: 1, events_added: 1 },
    { outcome: 'unchanged', count: 1, events_added: 0 },
  ]);
});

it('changes nothing for a worker whose lease has expired or whose epoch has moved on', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  await claimAgain(subject);
  expect(
    await recordRefresh(core.ctx, subject, found([carrierEvent('departed', '2026-10-02T20:00')]), null),
  ).toMatchObject({ stale: true });

  const current = await claimAgain(subject);
  await system(`update landfall.polling set lease_until = now() - interval '1 s' where shipment_id = $1`, [shipmentId]);
  expect(
    await recordRefresh(core.ctx, current, found([carrierEvent('departed', '2026-10-02T20:00')]), null),
  ).toMatchObject({ stale: true });

  const shipment = await getShipment(core.ctx, caller, shipmentId);
  expect(shipment).toMatchObject({ version: 1, journey: { status: 'pending', eventsCount: 0 } });
  expect(await refreshes(shipmentId)).toEqual([]);
});

it('stores an unreadable event once, with its raw body', async () => {
  const { subject, shipmentId } = await claimedShipment();
  const unreadable = [{ raw: { eventType: 'NONSENSE', note: 'a\u0000b' }, reason: 'unknown event type' }];
  await recordRefresh(core.ctx, subject, found([carrierEvent('departed', '2026-10-02T20:00')], unreadable), null);
  const again = await recordRefresh(
    core.ctx,
    await claimAgain(subject),
    found([carrierEvent('departed', '2026-10-02T20:00')], unreadable),
    null,
  );
  expect(again).toEqual({ outcome: 'unchanged', stale: false });
  const kept = await system(
    `select raw ->> 'eventType' as type, reason from landfall.unreadable_events where shipment_id = $1`,
    [shipmentId],
  );
  expect(kept).toEqual([{ type: 'NONSENSE', reason: 'unknown event type' }]);
});

it('replaces an estimate with a later one and keeps it as history', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  const departed = carrierEvent('departed', '2026-10-02T20:00');
  const first = estimate('2026-11-01T06:00', '2026-10-03T00:00:00Z');
  const second = estimate('2026-11-03T06:00', '2026-10-05T00:00:00Z');
  await recordRefresh(core.ctx, subject, found([departed, first]), null);
  await recordRefresh(core.ctx, await claimAgain(subject), found([departed, second]), null);

  const { journey } = await getShipment(core.ctx, caller, shipmentId);
  expect(journey.arrival.estimated?.local).toBe('2026-11-03T06:00');
  expect(journey.etaHistory.map((entry) => entry.eta.local)).toEqual(['2026-11-01T06:00', '2026-11-03T06:00']);
  expect(await changeTypes(caller, shipmentId)).toContain('shipment.eta_changed');
});

it('publishes a new version if no specific change type applies, as for an event that becomes eligible', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  const soon = new Date(Date.now() + 30 * 3600 * 1000).toISOString().slice(0, 16);
  const refresh = found([carrierEvent('departed', '2026-10-02T20:00'), carrierEvent('in_transit', soon)]);
  await recordRefresh(core.ctx, subject, refresh, null);
  const before = await getShipment(core.ctx, caller, shipmentId);

  const later = { ...core.ctx, now: () => new Date(Date.now() + 8 * 3600 * 1000) };
  await recordRefresh(later, await claimAgain(subject), refresh, null);

  const after = await getShipment(core.ctx, caller, shipmentId);
  expect(after.journey.latestEvent?.code).toBe('in_transit');
  expect(after.version).toBe(before.version + 1);
  const reported = (await storedChanges(system, [shipmentId])).at(-1);
  expect([reported?.type, reported?.data.changes, reported?.data.shipment.version]).toEqual([
    'shipment.updated',
    {},
    after.version,
  ]);
});

it('waits for the carrier on an unknown number, degrades after three errors and recovers with a success', async () => {
  const { caller, shipmentId, subject } = await claimedShipment();
  const error: FetchResult = {
    outcome: 'error',
    httpStatus: 500,
    durationMs: 5,
    reason: 'carrier_unreachable',
    permanent: false,
    retryAfterMs: null,
    detail: '500',
    source: 'simulator:dcsa:maersk',
  };
  const state = async () => (await getShipment(core.ctx, caller, shipmentId)).tracking;

  await recordRefresh(core.ctx, subject, notFoundReading, null);
  expect(await state()).toMatchObject({ state: 'awaiting_carrier', reason: 'carrier_not_found_yet' });
  for (let turn = 0; turn < 3; turn++) await recordRefresh(core.ctx, await claimAgain(subject), error, null);
  expect(await state()).toMatchObject({ state: 'degraded', reason: 'carrier_unreachable', consecutiveFailures: 3 });
  await recordRefresh(core.ctx, await claimAgain(subject), found([carrierEvent('departed', '2026-10-02T20:00')]), null);
  expect(await state()).toMatchObject({ state: 'active', reason: null, consecutiveFailures: 0 });
});

it('sweeps the accounts in turn, so that many due shipments of one do not delay another’s first', async () => {
  const many = await core.newCaller();
  for (let turn = 0; turn < 30; turn++) await registerShipment(core.ctx, many, oceanRegistration());
  const few = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, few, oceanRegistration());
  // Only these two accounts are due: the sweep takes 10 shipments, and the other tests of this file have accounts too.
  await system(
    `update landfall.polling set lease_until = null,
       next_refresh_at = now() + case when account_id = any($1) then interval '0' else interval '1 day' end`,
    [[many.accountId, few.accountId]],
  );
  core.enqueued.length = 0;

  await sweepConnector(core.ctx, 'maersk', 10);

  expect(core.enqueued.map(({ item }) => item.shipmentId)).toContain(shipment.id);
});

it('moves neither due times nor times of receipt for a worker clock that is two hours ahead', async () => {
  const { subject, shipmentId } = await claimedShipment();
  const ahead = { ...core.ctx, now: () => new Date(Date.now() + 2 * 3600 * 1000) };
  const [read] = await beginRefreshes(ahead, [{ accountId: subject.accountId, shipmentId, epoch: 1 }]);
  if (read === undefined) throw new Error('the claim is not live');
  await recordRefresh(ahead, read, notFoundReading, null);
  const [row] = await system<{ minutes: number }>(
    `select extract(epoch from next_refresh_at - now())::float8 / 60 as minutes from landfall.polling where shipment_id = $1`,
    [shipmentId],
  );
  // The first step of the ladder is 15 minutes, give or take a tenth; by the wrong clock it would be the third.
  expect(row?.minutes).toBeGreaterThan(13);
  expect(row?.minutes).toBeLessThan(17);
});

it('releases claims at once if the queue is unavailable', async () => {
  const { subject } = await claimedShipment();
  await system('update landfall.polling set lease_until = null, next_refresh_at = null', []);
  await system('update landfall.polling set next_refresh_at = now() where shipment_id = $1', [subject.shipmentId]);
  const broken = {
    ...core.ctx,
    producer: { enqueue: () => Promise.reject(new Error('the queue is unavailable')), close: async () => {} },
  };
  await expect(sweepConnector(broken, 'maersk', 10)).rejects.toThrow('the queue is unavailable');
  core.enqueued.length = 0;
  expect(await sweepConnector(core.ctx, 'maersk', 10)).toBe(1);
  expect(core.enqueued[0]?.item.shipmentId).toBe(subject.shipmentId);
});

async function claimedShipment(): Promise<{ caller: Caller; shipmentId: string; subject: RefreshSubject }> {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  const [subject] = await beginRefreshes(core.ctx, [
    { accountId: caller.accountId, shipmentId: shipment.id, epoch: 1 },
  ]);
  if (subject === undefined) throw new Error('the first claim is not live');
  return { caller, shipmentId: shipment.id, subject };
}

/** Claims one shipment as the sweep does: the next epoch under a fresh lease. */
async function claimAgain(subject: RefreshSubject): Promise<RefreshSubject> {
  const [row] = await system<{ epoch: number }>(
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1 returning epoch`,
    [subject.shipmentId],
  );
  const [again] = await beginRefreshes(core.ctx, [
    { accountId: subject.accountId, shipmentId: subject.shipmentId, epoch: row?.epoch ?? -1 },
  ]);
  if (again === undefined) throw new Error('the claim is not live');
  return again;
}

function system<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  return withSystem(core.store, async (tx) => (await tx.query(text, values)).rows);
}

async function refreshes(shipmentId: string): Promise<object[]> {
  return system(
    'select outcome, count, events_added from landfall.refreshes where shipment_id = $1 order by first_at, id',
    [shipmentId],
  );
}

async function changeTypes(caller: Caller, shipmentId: string): Promise<string[]> {
  const rows = await system<{ type: string }>(
    'select type from landfall.changes where account_id = $1 and shipment_id = $2 order by write_order',
    [caller.accountId, shipmentId],
  );
  return rows.map((row) => row.type);
}

function found(events: ReadEvent[], unreadable: { raw: unknown; reason: string }[] = []): FetchResult {
  return {
    outcome: 'found',
    reading: { events, unreadable, source: 'simulator:dcsa:maersk' },
    httpStatus: 200,
    durationMs: 12,
  };
}

function estimate(local: string, createdAt: string): ReadEvent {
  return {
    ...carrierEvent('arrived', local),
    classifier: 'estimated',
    sourceCreatedAt: createdAt,
    location: { ...shanghai, name: 'Rotterdam', unlocode: 'NLRTM', country: 'NL' },
  };
}
