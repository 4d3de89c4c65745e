import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventCode, eventCodes } from '#shared/domain/events/event.ts';
import { foldStatus, statusOf } from '#shared/domain/journey/status.ts';
import { transitionRule } from '#shared/domain/journey/status-transitions.ts';
import { type Status, statuses } from '#shared/domain/record/shipment.ts';
import { runs } from '#test/support/run-scale.ts';
import { anyEvents, eventsOf, hourOf, laterMs } from './event-sets.ts';
import { trackingEvent } from './journey-events.ts';
import { publishedCell } from './transition-table.ts';

const ruleOf = { y: 'always', n: 'newer', v: 'void', c: 'cancellation', x: 'never', '-': 'same' } as const;
const codeFor: Record<Exclude<Status, 'pending'>, EventCode> = {
  booked: 'booking_confirmed',
  in_transit: 'in_transit',
  arrived: 'not_available',
  available_for_pickup: 'available_for_pickup',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  returned: 'returned',
  failed: 'lost',
  cancelled: 'cancelled',
};
const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

it('has every cell of the published table', () => {
  for (const [from, to] of pairs)
    expect([from, to, transitionRule(from, to)]).toEqual([from, to, ruleOf[publishedCell(from, to)]]);
});

describe('a newer event changes the status exactly as the published table allows', () => {
  it.each(pairs.filter(([from, to]) => from !== to && to !== 'pending'))('%s → %s', (from, to) => {
    if (to === 'pending') return;
    const before = from === 'pending' ? [] : [trackingEvent({ id: 'a', code: codeFor[from], hour: 1 })];
    expect(foldStatus(before, laterMs).status).toBe(from);
    const after = foldStatus([...before, trackingEvent({ id: 'b', code: codeFor[to], hour: 2 })], laterMs);
    const isPossible = ['y', 'n', 'c'].includes(publishedCell(from, to));
    expect(after.status).toBe(isPossible ? to : from);
    expect(after.decidedBy?.id ?? null).toBe(isPossible ? 'b' : from === 'pending' ? null : 'a');
  });
});

it('never lets a simultaneous event take a step that only a newer one may take', () => {
  for (const [from, to] of pairs.filter(([from, to]) => publishedCell(from, to) === 'n')) {
    // At the same time the lower rank comes first. A loss reported together with a delivery or a return doesn't undo
    // it.
    if (from === 'pending' || to === 'pending' || publishedCell(to, from) === 'v') continue;
    const events = [
      trackingEvent({ id: 'a', code: codeFor[from], hour: 1 }),
      trackingEvent({ id: 'b', code: codeFor[to], hour: 1 }),
    ];
    expect([from, to, foldStatus(events, laterMs).status]).toEqual([from, to, from]);
  }
});

it('reverts a void-only step only by voiding or replacing the deciding event', () => {
  for (const [from, to] of pairs.filter(([from, to]) => publishedCell(from, to) === 'v')) {
    if (from === 'pending' || publishedCell(to, from) !== 'y') continue;
    const before = to === 'pending' ? [] : [trackingEvent({ id: 'a', code: codeFor[to], hour: 1 })];
    const decider = trackingEvent({ id: 'b', code: codeFor[from], hour: 2 });
    const again = to === 'pending' ? [] : [trackingEvent({ id: 'c', code: codeFor[to], hour: 3 })];
    expect(foldStatus([...before, decider, ...again], laterMs).status).toBe(from);
    expect(foldStatus([...before, { ...decider, voidedAt: decider.receivedAt }], laterMs).status).toBe(to);
    expect(foldStatus([...before, { ...decider, supersededBy: 'z' }], laterMs).status).toBe(to);
  }
});

/** Distinct hours, so that a prefix of the sorted events is a prefix of the fold. */
const oneAfterTheOther = eventsOf(eventCodes, [null]).map((events) => {
  const byHour = new Map(events.map((event) => [event.time.at, event]));
  return [...byHour.values()].sort((left, right) => hourOf(left) - hourOf(right));
});

it('takes the step of the published table for each next event', () => {
  fc.assert(
    fc.property(oneAfterTheOther, (events) => {
      for (let length = 1; length <= events.length; length++) {
        const next = events[length - 1];
        if (next === undefined) continue;
        const { status: before, decidedBy } = foldStatus(events.slice(0, length - 1), laterMs);
        const after = foldStatus(events.slice(0, length), laterMs).status;
        const counts = next.classifier === 'actual' && next.voidedAt === null && next.supersededBy === null;
        const to = counts ? statusOf(next.code, next.legRole) : null;
        // A return that only began may still end in a delivery.
        const endsReturn =
          decidedBy?.code === 'return_started' && next.code === 'delivered' && next.legRole !== 'origin';
        const isPossible = to !== null && (endsReturn || ['y', 'n', 'c'].includes(publishedCell(before, to)));
        expect([before, next.code, next.legRole, after]).toEqual([
          before,
          next.code,
          next.legRole,
          isPossible ? to : before,
        ]);
      }
    }),
    { numRuns: runs(2_000) },
  );
});

it('stays pending with planned and estimated events only', () => {
  fc.assert(
    fc.property(anyEvents, fc.constantFrom('planned' as const, 'estimated' as const), (events, classifier) => {
      const fold = foldStatus(
        events.map((event) => ({ ...event, classifier })),
        laterMs,
      );
      expect([fold.status, fold.decidedBy, fold.nextEligibleAt]).toEqual(['pending', null, null]);
      for (const container of fold.containers) expect(container.status).toBe('pending');
    }),
    { numRuns: runs(500) },
  );
});

describe('the client’s cancellation', () => {
  const cancelled = trackingEvent({ id: 'c', code: 'cancelled', hour: 5, source: 'client' });
  const open = fc.constantFrom(
    ...statuses.filter((status) => status !== 'pending' && status !== 'delivered' && status !== 'returned'),
  );

  it('closes a shipment from any status except delivered and returned', () => {
    for (const status of statuses) {
      const before = status === 'pending' ? [] : [trackingEvent({ id: 'a', code: codeFor[status], hour: 1 })];
      const stays = status === 'delivered' || status === 'returned';
      expect(foldStatus([...before, cancelled], laterMs).status).toBe(stays ? status : 'cancelled');
    }
  });

  it('stays after later statements of the carrier, and its voiding restores the status with later events', () => {
    fc.assert(
      fc.property(open, eventsOf(eventCodes, [null], 6), (status, later) => {
        const before = trackingEvent({ id: 'a', code: codeFor[status as Exclude<Status, 'pending'>], hour: 1 });
        const since = later.filter((event) => hourOf(event) > 5);
        expect(foldStatus([before, cancelled, ...since], laterMs).status).toBe('cancelled');
        const resumed = foldStatus([before, { ...cancelled, voidedAt: cancelled.receivedAt }, ...since], laterMs);
        expect(resumed).toEqual(foldStatus([before, ...since], laterMs));
      }),
      { numRuns: runs(500) },
    );
  });
});
