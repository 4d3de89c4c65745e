import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryReaderOf } from '#services/worker/carriers/registry.ts';
import { acceptDelivery } from '#shared/core/carrier-subscriptions/accept-delivery.ts';
import { processDeliveries } from '#shared/core/carrier-subscriptions/process-deliveries.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment } from '#shared/core/shipments/update-shipment.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { readEvents } from '#shared/store/tracking/events.ts';
import { readRefreshes } from '#shared/store/tracking/refreshes.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { addSubscription, signed, type TestSubscription } from '#test/support/api/carrier-subscriptions.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { runs } from '#test/support/run-scale.ts';

let core: TestCore;
beforeAll(async () => {
  core = await openTestCore();
});
afterAll(() => core.close());

const options = { readerOf: deliveryReaderOf, signal: new AbortController().signal };

type Named = { bl?: string; booking?: string; container?: string };
type Sketch = Named & {
  code: string;
  at: string;
  classifier?: string;
  created?: string;
  place?: string;
  empty?: boolean;
};

let numbers = 0;
const newNumbers = () => {
  numbers += 1;
  return {
    bl: String(710_000_000 + numbers),
    booking: String(510_000_000 + numbers),
    container: `MSCU${String(1_000_000 + numbers)}`,
  };
};

/** An event of Track & Trace 2.2. */
function event({
  code,
  at,
  classifier = 'ACT',
  created = at,
  place = 'CNSHA',
  empty = false,
  bl,
  booking,
  container,
}: Sketch): object {
  const isTransport = code === 'ARRI' || code === 'DEPA';
  return {
    eventCreatedDateTime: created,
    eventClassifierCode: classifier,
    eventDateTime: at,
    ...(isTransport
      ? { eventType: 'TRANSPORT', transportEventTypeCode: code }
      : {
          eventType: 'EQUIPMENT',
          equipmentEventTypeCode: code,
          emptyIndicatorCode: empty ? 'EMPTY' : 'LADEN',
          equipmentReference: container,
        }),
    transportCall: {
      transportCallID: place,
      modeOfTransport: 'VESSEL',
      UNLocationCode: place,
      exportVoyageNumber: '1E',
      importVoyageNumber: '1E',
    },
    documentReferences: [
      ...(booking === undefined ? [] : [{ documentReferenceType: 'BKG', documentReferenceValue: booking }]),
      ...(bl === undefined ? [] : [{ documentReferenceType: 'TRD', documentReferenceValue: bl }]),
    ],
  };
}

/** A whole voyage, with an estimate that was revised twice. */
function voyage(named: { bl: string; booking: string; container: string }): object[] {
  const at = (text: string) => `2026-05-${text}:00+00:00`;
  const arrival = { ...named, code: 'ARRI', classifier: 'EST', place: 'NLRTM' };
  return [
    event({ ...named, code: 'GTOT', at: at('01T08:00'), empty: true }),
    event({ ...named, code: 'GTIN', at: at('02T08:00') }),
    event({ ...named, code: 'LOAD', at: at('03T08:00') }),
    event({ ...named, code: 'DEPA', at: at('03T12:00') }),
    event({ ...arrival, at: at('20T08:00'), created: at('03T13:00') }),
    event({ ...arrival, at: at('22T08:00'), created: at('08T13:00') }),
    event({ ...arrival, at: at('21T08:00'), created: at('12T13:00') }),
    event({ ...named, code: 'ARRI', at: at('21T06:00'), place: 'NLRTM' }),
    event({ ...named, code: 'DISC', at: at('21T18:00'), place: 'NLRTM' }),
    event({ ...named, code: 'GTOT', at: at('22T18:00'), place: 'NLRTM' }),
    event({ ...named, code: 'GTIN', at: at('25T18:00'), place: 'NLRTM', empty: true }),
  ];
}

async function receive(subscription: TestSubscription, body: unknown): Promise<boolean> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = new Uint8Array(new TextEncoder().encode(text));
  return acceptDelivery(core.ctx, {
    connector: subscription.connector,
    subscription: subscription.name,
    signature: signed(subscription.secret, text),
    body: bytes,
  });
}

async function processAll(): Promise<void> {
  while ((await processDeliveries(core.ctx, options)) > 0);
}

async function push(subscription: TestSubscription, ...bodies: unknown[]): Promise<void> {
  for (const body of bodies) await receive(subscription, body);
  await processAll();
}

type Fixture = { caller: Caller; subscription: TestSubscription; shipment: Shipment };

async function fixture(
  identifiers: Record<string, string>,
  changes: Parameters<typeof addSubscription>[2] = {},
): Promise<Fixture> {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration({ carrier: 'PCIU', identifiers }));
  return { caller, shipment, subscription: await addSubscription(core.ctx, caller.accountId, changes) };
}

const now = ({ caller, shipment }: Pick<Fixture, 'caller' | 'shipment'>) => getShipment(core.ctx, caller, shipment.id);
const eventsOf = ({ caller, shipment }: Pick<Fixture, 'caller' | 'shipment'>) =>
  withAccount(core.store, caller.accountId, (tx) => readEvents(tx, caller.accountId, shipment.id));
const deliveryStates = async ({ subscription }: Fixture) => {
  const { rows } = await core.store.system.query(
    'select state, events, shipments, reason from landfall.carrier_deliveries where subscription_id = $1 order by id',
    [subscription.id],
  );
  return rows;
};

describe('a push', () => {
  it('moves the shipment, with a change for each visible change and a refresh row of its own', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: `PCIU${named.bl}` });
    const [released, gatedIn, loaded, departed] = voyage(named);
    await push(its.subscription, [released, gatedIn], [loaded, departed]);

    const shipment = await now(its);
    expect(shipment).toMatchObject({
      journey: { status: 'in_transit' },
      tracking: { state: 'active', reason: null, source: 'simulator:dcsa' },
    });
    expect(shipment.journey.containers.map(({ number }) => number)).toEqual([named.container]);
    const { rows } = await core.store.system.query<{ type: string }>(
      'select type from landfall.changes where shipment_id = $1 order by write_order',
      [shipment.id],
    );
    const types = rows.map((row) => row.type);
    expect(types).toEqual(
      expect.arrayContaining([
        'shipment.event_added',
        'shipment.container_added',
        'shipment.status_changed',
        'shipment.tracking_state_changed',
      ]),
    );
    const refreshes = await withAccount(core.store, its.caller.accountId, (tx) =>
      readRefreshes(tx, its.caller.accountId, shipment.id),
    );
    expect(refreshes.map(({ source, outcome, eventsAdded }) => ({ source, outcome, eventsAdded }))).toEqual([
      { source: 'push:dcsa', outcome: 'changed', eventsAdded: 2 },
      { source: 'push:dcsa', outcome: 'changed', eventsAdded: 2 },
    ]);
    expect(await deliveryStates(its)).toEqual([
      { state: 'processed', events: 2, shipments: 1, reason: null },
      { state: 'processed', events: 2, shipments: 1, reason: null },
    ]);
  });

  it('changes nothing when it is repeated in other bundles', async () => {
    const named = newNumbers();
    const its = await fixture({ booking: named.booking });
    const all = voyage(named);
    await push(its.subscription, all);
    const [before, eventsBefore] = [await now(its), await eventsOf(its)];
    await push(its.subscription, all.toReversed(), [...all, ...all], ...all.map((each) => [each]));
    expect(await eventsOf(its)).toEqual(eventsBefore);
    expect((await now(its)).version).toBe(before.version);
    expect((await now(its)).journey).toEqual(before.journey);
  });

  it('leads to one final state in any order, bundling and repetition', async () => {
    const caller = await core.newCaller();
    const subscription = await addSubscription(core.ctx, caller.accountId);
    const arrange = fc.tuple(
      fc.shuffledSubarray([...Array(11).keys()], { minLength: 11 }),
      fc.array(fc.nat(10), { maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
    );
    const prospect = async (order: number[], size: number) => {
      const named = newNumbers();
      const { shipment } = await registerShipment(
        core.ctx,
        caller,
        oceanRegistration({ carrier: 'PCIU', identifiers: { mbl: named.bl } }),
      );
      const all = voyage(named);
      for (let first = 0; first < order.length; first += size) {
        await receive(
          subscription,
          order.slice(first, first + size).map((index) => all[index]),
        );
        await processAll();
      }
      const { journey } = await now({ caller, shipment });
      const { planned, estimated, actual } = journey.arrival;
      const current = (await eventsOf({ caller, shipment })).filter((each) => each.supersededBy === null);
      return {
        status: journey.status,
        // The order of receipt decides the first promise.
        arrival: { planned, estimated, actual },
        departure: journey.departure,
        events: current
          .map(({ code, classifier, time, location }) => `${code} ${classifier} ${time.local} ${location?.unlocode}`)
          .toSorted(),
      };
    };
    const expected = await prospect([...Array(11).keys()], 11);
    expect(expected.status).toBe('delivered');
    await fc.assert(
      fc.asyncProperty(arrange, async ([order, again, size]) => {
        expect(await prospect([...order, ...again], size)).toEqual(expected);
      }),
      { numRuns: runs(12) },
    );
  });

  it('shares one history with polling', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    const all = voyage(named);
    const reader = deliveryReaderOf('dcsa', { simulated: true });
    const found = (raws: object[]) => {
      const events = (reader?.readEvents(raws) ?? []).flatMap((outcome) => ('reason' in outcome ? [] : [outcome]));
      return {
        outcome: 'found' as const,
        reading: { events, unreadable: [], source: 'simulator:dcsa' },
        httpStatus: 200,
        durationMs: 5,
      };
    };
    const subject = { accountId: its.caller.accountId, shipmentId: its.shipment.id };
    await refresh(core.ctx, subject, found(all.slice(0, 6)));
    await push(its.subscription, all.slice(2, 9));
    const pushed = await now(its);
    expect(pushed.journey.arrival.actual?.at).toBe('2026-05-21T06:00:00.000Z');
    await refresh(core.ctx, subject, found(all.slice(0, 9)));
    expect((await now(its)).journey).toEqual(pushed.journey);
    expect(await eventsOf(its)).toHaveLength(9);
  });

  it('retracts nothing, and does not restore replaced events', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    const departed = (at: string, created?: string) =>
      event({ ...named, code: 'DEPA', at, ...(created === undefined ? {} : { created }) });
    const [first, corrected] = [departed('2026-05-03T12:00:00Z'), departed('2026-05-03T15:00:00Z')];
    await push(its.subscription, [first]);
    const reader = deliveryReaderOf('dcsa', { simulated: true });
    const outcomes = reader?.readEvents([corrected]) ?? [];
    const reading = {
      events: outcomes.flatMap((one) => ('reason' in one ? [] : [one])),
      unreadable: [],
      source: 'simulator:dcsa',
    };
    const subject = { accountId: its.caller.accountId, shipmentId: its.shipment.id };
    await refresh(core.ctx, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 1 });
    await push(its.subscription, `${JSON.stringify([first])} `, [
      event({ ...named, code: 'LOAD', at: '2026-05-03T08:00:00Z' }),
    ]);
    expect((await now(its)).journey.departure.actual?.at).toBe('2026-05-03T15:00:00.000Z');
    expect((await now(its)).journey.eventsCount).toBe(3);
    // Stated anew, later than the correction: then it holds.
    await push(its.subscription, [departed('2026-05-03T12:00:00Z', '2026-05-04T00:00:00Z')]);
    const live = (await eventsOf(its)).filter((each) => each.code === 'departed' && each.supersededBy === null);
    expect(live.map(({ time }) => time.at).toSorted()).toEqual([
      '2026-05-03T12:00:00.000Z',
      '2026-05-03T15:00:00.000Z',
    ]);
  });
});

describe('the shipments of a push', () => {
  it('belong to the subscription’s account', async () => {
    const named = newNumbers();
    const [mine, theirs] = [await fixture({ mbl: named.bl }), await fixture({ mbl: named.bl })];
    await push(mine.subscription, voyage(named));
    expect((await now(mine)).journey.status).toBe('delivered');
    expect(await eventsOf(theirs)).toEqual([]);
    expect((await now(theirs)).version).toBe(theirs.shipment.version);
  });

  it('belong to the carrier of the credential and are still tracked', async () => {
    const named = newNumbers();
    const own = await fixture({ mbl: named.bl }, { carrier: 'PCIU', allCarriers: false });
    const register = (carrier: string) =>
      registerShipment(core.ctx, own.caller, oceanRegistration({ carrier, identifiers: { mbl: named.bl } }));
    const others = [(await register('CMDU')).shipment, (await register('MAEU')).shipment];
    await push(own.subscription, voyage(named));
    expect((await now(own)).journey.status).toBe('delivered');
    for (const shipment of others) expect(await eventsOf({ caller: own.caller, shipment })).toEqual([]);

    for (const end of [stopShipment, archiveShipment]) {
      const numbersOfEnded = newNumbers();
      const its = await fixture({ mbl: numbersOfEnded.bl });
      await (end as (ctx: typeof core.ctx, caller: Caller, id: string) => Promise<unknown>)(
        core.ctx,
        its.caller,
        its.shipment.id,
      );
      await push(its.subscription, voyage(numbersOfEnded));
      expect(await eventsOf(its)).toEqual([]);
      expect(await deliveryStates(its)).toMatchObject([{ state: 'processed', shipments: 0 }]);
    }
  });

  it('exclude unknown numbers and other voyages of a container', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl, container: named.container });
    await push(its.subscription, voyage(newNumbers()), voyage({ ...newNumbers(), container: named.container }));
    expect(await eventsOf(its)).toEqual([]);
    await push(its.subscription, [event({ code: 'GTIN', at: '2026-05-02T08:00:00Z', container: named.container })]);
    expect(await eventsOf(its)).toHaveLength(1);
  });

  it('include one that has only its container, whatever documents the event names', async () => {
    const named = newNumbers();
    const its = await fixture({ container: named.container });
    await push(its.subscription, voyage(named));
    expect((await now(its)).journey.containers.map(({ number }) => number)).toEqual([named.container]);
    expect((await eventsOf(its)).length).toBeGreaterThan(5);
  });
});

describe('a failure', () => {
  it('rejects only the invalid event', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    const [, , loaded, departed] = voyage(named);
    const bad = { ...event({ ...named, code: 'DEPA', at: 'yesterday' }), note: 'NUL \u0000' };
    await push(its.subscription, [loaded, bad, null, 'text', [], 7, departed]);
    expect((await now(its)).journey.status).toBe('in_transit');
    const { rows } = await core.store.system.query(
      'select reason from landfall.unreadable_events where shipment_id = $1',
      [its.shipment.id],
    );
    expect(rows).toEqual([{ reason: 'eventDateTime is not a time' }]);
  });

  it.each(['', '{', '"text"', '7', '<html></html>', '{"message": "hello"}', '\u0000'])(
    'keeps a body that is no list of events as failed: %j',
    async (body) => {
      const its = await fixture({ mbl: newNumbers().bl });
      await push(its.subscription, body);
      expect(await deliveryStates(its)).toEqual([
        { state: 'failed', events: 0, shipments: 0, reason: 'The body is not a list of events.' },
      ]);
    },
  );

  it('retries the delivery of a dead worker when its lease is over, and not before', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    await receive(its.subscription, voyage(named));
    // Killed between the claim and the end: recorded or not, the row is as this leaves it.
    const dying = new AbortController();
    dying.abort();
    expect(await processDeliveries(core.ctx, { ...options, signal: dying.signal })).toBe(1);
    expect(await eventsOf(its)).toEqual([]);
    expect(await processDeliveries(core.ctx, options)).toBe(0);
    await core.store.system.query(
      `update landfall.carrier_deliveries set retry_at = now() where subscription_id = $1`,
      [its.subscription.id],
    );
    await processAll();
    expect((await now(its)).journey.status).toBe('delivered');
    expect(await deliveryStates(its)).toMatchObject([{ state: 'processed' }]);
  });

  it('does not delay other shipments, and retries the delivery', async () => {
    const [good, bad] = [newNumbers(), newNumbers()];
    const its = await fixture({ mbl: good.bl });
    const broken = (
      await registerShipment(core.ctx, its.caller, oceanRegistration({ carrier: 'PCIU', identifiers: { mbl: bad.bl } }))
    ).shipment;
    await core.store.system.query(`update landfall.shipments set record = '{}' where id = $1`, [broken.id]);
    await push(its.subscription, [...voyage(bad), ...voyage(good)]);
    expect((await now(its)).journey.status).toBe('delivered');
    expect(await deliveryStates(its)).toMatchObject([{ state: 'received' }]);

    await core.store.system.query(
      `update landfall.carrier_deliveries set retry_at = now(), attempts = 11 where subscription_id = $1`,
      [its.subscription.id],
    );
    await processAll();
    expect(await deliveryStates(its)).toMatchObject([{ state: 'failed', reason: 'Recording failed 12 times.' }]);
  });

  it('refuses a refresh in progress when a push starts tracking, without delaying the next one', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    const claim = core.enqueued.find(({ item }) => item.shipmentId === its.shipment.id)?.item;
    if (claim === undefined) throw new Error('the registration claimed no refresh');
    const [subject] = await beginRefreshes(core.ctx, [claim]);
    if (subject === undefined) throw new Error('the claim is not live');
    await push(its.subscription, voyage(named).slice(0, 4));
    const silent = {
      outcome: 'not_found' as const,
      httpStatus: 404,
      durationMs: 1,
      reason: 'carrier_not_found_yet' as const,
      source: 'dcsa',
    };
    expect(await recordRefresh(core.ctx, subject, silent, null)).toMatchObject({ stale: true });
    const { tracking } = await now(its);
    expect(tracking.state).toBe('active');
    expect(Date.parse(tracking.nextRefreshAt ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it('does not put off the next refresh, however many pushes arrive', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    await push(its.subscription, [voyage(named)[0]]);
    await core.store.system.query(
      `update landfall.polling set next_refresh_at = now() + interval '5 minutes' where shipment_id = $1`,
      [its.shipment.id],
    );
    const due = (await now(its)).tracking.nextRefreshAt;
    for (const each of voyage(named).slice(1, 6)) await push(its.subscription, [each]);
    expect((await now(its)).tracking.nextRefreshAt).toBe(due);
  });

  it('polls a carrier that has pushed less often, but only while it is subscribed', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    const hoursToNext = async () => {
      const events = (
        deliveryReaderOf('dcsa', { simulated: true })?.readEvents(voyage(named).slice(0, 5)) ?? []
      ).flatMap((one) => ('reason' in one ? [] : [one]));
      const reading = { events, unreadable: [], source: 'simulator:dcsa' };
      const subject = { accountId: its.caller.accountId, shipmentId: its.shipment.id };
      await refresh(core.ctx, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 1 });
      return (Date.parse((await now(its)).tracking.nextRefreshAt ?? '') - Date.now()) / 3_600_000;
    };
    const state = (text: string) =>
      core.store.system.query('update landfall.carrier_subscriptions set state = $2 where id = $1', [
        its.subscription.id,
        text,
      ]);
    const usual = await hoursToNext();
    await state('active');
    // The carrier may have taken the subscription and still not reach us.
    expect(await hoursToNext()).toBeLessThan(usual * 1.3);
    await push(its.subscription, [voyage(named)[0]]);
    expect(await hoursToNext()).toBeGreaterThan(usual * 1.3);
    await state('failed');
    expect(await hoursToNext()).toBeLessThan(usual * 1.3);
  });

  it('polls the carrier once more when the journey is over, and leaves the end to that refresh', async () => {
    const named = newNumbers();
    const its = await fixture({ mbl: named.bl });
    const all = voyage(named);
    await push(its.subscription, all.slice(0, 9));
    await core.store.system.query(
      `update landfall.polling set next_refresh_at = now() + interval '1 day' where shipment_id = $1`,
      [its.shipment.id],
    );
    await push(its.subscription, all.slice(9));
    const { state, nextRefreshAt } = (await now(its)).tracking;
    expect(state).toBe('active');
    const waitMs = Date.parse(nextRefreshAt ?? '') - Date.now();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThan(61_000);
  });
});
