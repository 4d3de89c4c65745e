import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatedFacts, TrackingEvent } from '#shared/domain/events/event.ts';
import { composeHistory, composeJourney } from '#shared/domain/journey/journey.ts';
import { runs } from '#test/support/run-scale.ts';
import { type EventSketch, hourMs, startMs, trackingEvent } from './journey-events.ts';

const nowMs = startMs + 500 * hourMs;

/** A shipment of so many pieces that flies in one part per count, of which each is delivered on its own. */
function flownInParts(counts: readonly number[]): TrackingEvent[] {
  const whole = counts.reduce((sum, count) => sum + count, 0);
  const sketch = (id: string, event: EventSketch) => trackingEvent({ id, mode: 'air', ...event });
  return [
    sketch('received', { code: 'received_from_shipper', hour: 0, port: 'DEFRA', details: { piecesCount: whole } }),
    sketch('plan', { code: 'delivered', classifier: 'planned', hour: 90, port: 'USJFK', legRole: 'pod' }),
    ...counts.flatMap((piecesCount, part) => {
      const details = { piecesCount };
      const vehicle = { name: null, imo: null, voyage: null, flight: `LH${8000 + part}` };
      const after = part * 10;
      return [
        sketch(`departed ${part}`, { code: 'departed', hour: 10 + after, port: 'DEFRA', vehicle, details }),
        sketch(`arrived ${part}`, {
          code: 'arrived',
          hour: 20 + after,
          port: 'USJFK',
          legRole: 'pod',
          vehicle,
          details,
        }),
        sketch(`notified ${part}`, {
          code: 'consignee_notified',
          hour: 22 + after,
          port: 'USJFK',
          legRole: 'pod',
          details,
        }),
        sketch(`delivered ${part}`, {
          code: 'delivered',
          hour: 24 + after,
          port: 'USJFK',
          legRole: 'pod',
          carrierCode: 'DLV',
          details,
        }),
      ];
    }),
  ];
}

const journeyOf = (events: readonly TrackingEvent[], facts?: StatedFacts) =>
  composeJourney({ events, transportMode: 'air', facts }, nowMs);

/** The pieces of up to six parts. */
const parts = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 2, maxLength: 6 });

describe('a shipment that travels in parts', () => {
  it('is delivered with its last part and not before, in any order of events, for any source of the number of pieces', () => {
    fc.assert(
      fc.property(
        parts.chain((counts) => {
          const events = flownInParts(counts);
          return fc.record({
            counts: fc.constant(counts),
            received: fc.shuffledSubarray([...events, ...events]),
            isStated: fc.boolean(),
          });
        }),
        ({ counts, received, isStated }) => {
          const whole = counts.reduce((sum, count) => sum + count, 0);
          const ids = new Set(received.map(({ id }) => id));
          const delivered = counts.reduce((sum, count, part) => (ids.has(`delivered ${part}`) ? sum + count : sum), 0);
          const isKnown = isStated || ids.has('received');
          fc.pre(isKnown && received.length > 0);
          const journey = journeyOf(received, isStated ? { piecesCount: whole } : undefined);
          expect(journey.status === 'delivered').toBe(delivered === whole);
          expect(journey.delivery.actual === null).toBe(delivered < whole);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('has the time of its last part as that of its delivery', () => {
    const journey = journeyOf(flownInParts([3, 2]));
    expect(journey).toMatchObject({ status: 'delivered', statusEvidence: { eventId: 'delivered 1' } });
    expect(journey.delivery.actual?.at).toBe(new Date(startMs + 34 * hourMs).toISOString());
  });

  it('shows the delivery of a part as partial, and keeps the plan open', () => {
    const events = flownInParts([3, 2]).filter(({ id }) => !id.endsWith(' 1'));
    const journey = journeyOf(events);
    expect(journey).toMatchObject({
      status: 'available_for_pickup',
      latestEvent: { id: 'delivered 0', code: 'delivered', details: { piecesCount: 3 } },
    });
    const shipment = { transportMode: 'air', identifiers: {}, journey: {} } as const;
    const history = composeHistory(events, shipment, nowMs);
    for (const shown of [journey.events, history.ahead])
      expect(shown.find(({ id }) => id === 'plan')?.fulfilledBy).toBeNull();
  });

  it('does not resolve an exception by the delivery of a part', () => {
    const missing = trackingEvent({
      id: 'missing',
      code: 'exception',
      hour: 23,
      details: { statusDetail: 'missing_pieces' },
    });
    const events = [...flownInParts([3, 2]).filter(({ id }) => !id.endsWith(' 1')), missing];
    expect(journeyOf(events)).toMatchObject({ hasException: true, statusDetail: 'missing_pieces' });
    const all = journeyOf([...flownInParts([3, 2]), missing]);
    expect(all).toMatchObject({ hasException: false, status: 'delivered' });
  });

  it('adds up the pieces of one code only: another code may report the same pieces', () => {
    const [received, ...others] = flownInParts([3, 2]);
    const doorstep = trackingEvent({
      id: 'door',
      code: 'delivered',
      hour: 30,
      carrierCode: 'DDL',
      details: { piecesCount: 3 },
    });
    const events = [received, ...others.filter(({ id }) => id === 'delivered 0'), doorstep].filter(
      (event) => event !== undefined,
    );
    expect(journeyOf(events).status).not.toBe('delivered');
  });

  it.each([
    ['without a number of pieces', {}],
    ['of all pieces', { piecesCount: 5 }],
    ['of more pieces than are known', { piecesCount: 7 }],
  ])('is delivered by a delivery %s', (_name, details) => {
    const delivery = trackingEvent({ id: 'all', code: 'delivered', hour: 40, details });
    expect(journeyOf([delivery], { piecesCount: 5 }).status).toBe('delivered');
  });
});
