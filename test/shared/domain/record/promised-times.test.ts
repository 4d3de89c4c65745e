import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarrierTime, TrackingEvent } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { delayHoursOf } from '#shared/domain/record/promised-times.ts';
import { planRevisions } from '#shared/domain/refresh/revisions.ts';
import { runs } from '#test/support/run-scale.ts';
import { hourMs, readEvent, startMs, trackingEvent } from '../journey/journey-events.ts';

const receivedAfter = (hours: number) => new Date(startMs + hours * hourMs).toISOString();
const toMode = { arrived: 'ocean', delivered: 'parcel' } as const;

function journeyOf(events: readonly TrackingEvent[], transportMode: TransportMode = 'ocean') {
  return composeJourney({ events, transportMode }, startMs + 5000 * hourMs);
}

/** The stored events after the carrier stated these times one after the other, a day apart. */
function stated(code: 'arrived' | 'delivered', hours: readonly number[]): TrackingEvent[] {
  const stored: TrackingEvent[] = [];
  for (const [turn, hour] of hours.entries()) {
    const read = readEvent({ code, hour, port: 'NLRTM', classifier: 'estimated' });
    const plan = planRevisions(stored, [read], { connectorFamily: 'test' });
    const idOf = (text: string) => `${turn} ${text}`;
    for (const {
      event: { raw: _raw, ...event },
      dedupeText,
    } of plan.inserts)
      stored.push({
        ...event,
        id: idOf(dedupeText),
        dedupeKey: dedupeText,
        receivedAt: receivedAfter(turn * 24),
        supersededBy: null,
        voidedAt: null,
      });
    for (const { id, by } of plan.superseded) {
      const row = stored.find((event) => event.id === id);
      if (row) row.supersededBy = 'id' in by ? by.id : idOf(by.dedupeText);
    }
  }
  return stored;
}

describe('the delay', () => {
  it.each(['arrived', 'delivered'] as const)(
    'is the present estimate minus the first promise, for any moves of the estimate of %s, in any order',
    (code) => {
      const hours = fc.array(fc.constantFrom(500, 519, 529, 540, 610), { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(hours, fc.infiniteStream(fc.nat()), (moved, order) => {
          const events = stated(code, moved);
          const shuffled = events
            .map((event) => ({ event, place: order.next().value ?? 0 }))
            .sort((left, right) => left.place - right.place)
            .map(({ event }) => event);
          const journey = journeyOf(shuffled, toMode[code]);
          const expected = (moved.at(-1) ?? 0) - (moved[0] ?? 0);
          expect(journey.delayHours).toBe(expected);
          expect(journey.delayBasis).toBe('first_estimated');
          expect(journey.eta?.kind).toBe(code === 'arrived' ? 'arrival' : 'delivery');
          expect(journey).toEqual(journeyOf(events, toMode[code]));
          const reported = moved.filter((hour, index) => hour !== moved[index - 1]);
          expect(journey.etaHistory.map(({ eta }) => (Date.parse(eta.at) - startMs) / hourMs)).toEqual(reported);
        }),
        { numRuns: runs(200) },
      );
    },
  );

  const at = { port: 'NLRTM', code: 'arrived' } as const;
  const plan = { ...at, id: 'plan', hour: 490, classifier: 'planned' } as const;
  const estimate = { ...at, id: 'estimate', hour: 500, classifier: 'estimated' } as const;

  it('counts from the plan or the estimate that was received first', () => {
    const first = { receivedAt: receivedAfter(0) };
    const later = { receivedAt: receivedAfter(10) };
    const planFirst = journeyOf([trackingEvent({ ...estimate, ...later }), trackingEvent({ ...plan, ...first })]);
    expect([planFirst.delayHours, planFirst.delayBasis]).toEqual([10, 'planned']);
    const estimateFirst = journeyOf([trackingEvent({ ...estimate, ...first }), trackingEvent({ ...plan, ...later })]);
    expect([estimateFirst.delayHours, estimateFirst.delayBasis]).toEqual([0, 'first_estimated']);
    const together = journeyOf([trackingEvent({ ...estimate, ...first }), trackingEvent({ ...plan, ...first })]);
    expect([together.delayHours, together.delayBasis]).toEqual([10, 'planned']);
  });

  it('is that of the actual arrival once it has come, the same on the last leg', () => {
    const events = [
      trackingEvent({ id: 'dep', code: 'departed', hour: 1, port: 'CNSHA' }),
      trackingEvent(plan),
      trackingEvent(estimate),
      trackingEvent({ ...at, id: 'arr', hour: 519 }),
    ];
    const journey = journeyOf(events);
    expect([journey.delayHours, journey.arrival.delayHours, journey.legs.at(-1)?.delayHours]).toEqual([29, 29, 29]);
    expect(journey.eta?.time.at).toBe(receivedAfter(500));
  });

  it('forgets a promise that was voided', () => {
    const events = [trackingEvent({ ...plan, voidedAt: receivedAfter(20) }), trackingEvent(estimate)];
    expect(journeyOf(events).delayHours).toBe(0);
  });

  it('counts full days if a side is only a date', () => {
    const day = (local: string): CarrierTime => {
      return { at: `${local}T12:00:00.000Z`, local, timezone: null, zoneSource: 'assumed_utc', precision: 'date' };
    };
    const evening = {
      ...day('2026-04-15'),
      at: '2026-04-16T01:30:00.000Z',
      local: '2026-04-15T21:30',
      precision: 'minute',
    };
    expect(delayHoursOf(day('2026-04-15'), evening)).toBe(0);
    expect(delayHoursOf(day('2026-04-15'), day('2026-04-17'))).toBe(48);
    expect(delayHoursOf(null, evening)).toBeNull();
  });
});

describe('plans', () => {
  const leg = { code: 'arrived', port: 'NLRTM' } as const;

  it('end with their own actual event, and with the journey', () => {
    const events = [
      trackingEvent({ id: 'dep-plan', code: 'departed', hour: 1, port: 'CNSHA', classifier: 'planned' }),
      trackingEvent({ id: 'dep', code: 'departed', hour: 2, port: 'CNSHA' }),
      trackingEvent({ id: 'ts-plan', code: 'arrived', hour: 100, port: 'SGSIN', classifier: 'planned' }),
      trackingEvent({ ...leg, id: 'arr-plan', hour: 500, classifier: 'planned' }),
      trackingEvent({ ...leg, id: 'arr-eta', hour: 510, classifier: 'estimated' }),
    ];
    const endOf = (all: readonly TrackingEvent[]) =>
      Object.fromEntries(
        journeyOf(all).events.flatMap((event) =>
          event.classifier === 'actual' ? [] : [[event.id, event.fulfilledBy]],
        ),
      );
    expect(endOf(events)).toEqual({ 'dep-plan': 'dep', 'ts-plan': null, 'arr-plan': null, 'arr-eta': null });
    const arrived = [...events, trackingEvent({ ...leg, id: 'arr', hour: 520 })];
    expect(endOf(arrived)).toEqual({ 'dep-plan': 'dep', 'ts-plan': null, 'arr-plan': 'arr', 'arr-eta': 'arr' });
    const over = [...arrived, trackingEvent({ id: 'end', code: 'delivered', hour: 600, port: 'NLRTM' })];
    expect(endOf(over)).toEqual({ 'dep-plan': 'dep', 'ts-plan': 'end', 'arr-plan': 'arr', 'arr-eta': 'arr' });
  });

  it('of all containers end with the last of them', () => {
    const plan = trackingEvent({ id: 'plan', code: 'discharged', hour: 500, port: 'NLRTM', classifier: 'planned' });
    const box = (container: string, hour: number) =>
      trackingEvent({ id: container, code: 'discharged', hour, port: 'NLRTM', container });
    const both = ['MSKU1234565', 'CSQU3054383'];
    const end = (events: TrackingEvent[]) =>
      composeJourney({ events, transportMode: 'ocean', knownContainers: both }, startMs + 900 * hourMs).events.find(
        ({ id }) => id === 'plan',
      )?.fulfilledBy;
    expect(end([plan, box('MSKU1234565', 501)])).toBeNull();
    expect(end([plan, box('MSKU1234565', 501), box('CSQU3054383', 505)])).toBe('CSQU3054383');
  });

  it('stand apart from what happened, which keeps its order', () => {
    const events = [
      trackingEvent({ id: 'dep', code: 'departed', hour: 2, port: 'CNSHA' }),
      trackingEvent({ id: 'dep-plan', code: 'departed', hour: 4, port: 'CNSHA', classifier: 'planned' }),
      trackingEvent({ id: 'gate', code: 'gate_in_full', hour: 1, port: 'CNSHA' }),
      trackingEvent({ ...leg, id: 'eta', hour: 10, classifier: 'estimated' }),
      trackingEvent({ id: 'out', code: 'gate_out_full', hour: 20, port: 'NLRTM', classifier: 'planned' }),
    ];
    expect(journeyOf(events).events.map(({ id }) => id)).toEqual(['dep', 'dep-plan', 'gate', 'eta', 'out']);
  });
});
