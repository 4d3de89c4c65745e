import { describe, expect, it } from 'vitest';
import { findVisibleChanges } from '#shared/core/tracking/publish-journeys.ts';
import type { CarrierTime } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { findEta } from '#shared/domain/record/find-eta.ts';
import type { Journey, ShipmentException, TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';

type Side = { journey?: Partial<Journey>; tracking?: { state: TrackingState; reason: TrackingReason | null } };

const empty = composeJourney({ events: [], transportMode: 'ocean', knownContainers: [] }, 0);
const following = { state: 'active' as const, reason: null };

function changes(before: Side, after: Side) {
  const side = ({ journey, tracking }: Side) => ({
    journey: { ...empty, ...journey, eta: findEta({ ...empty, ...journey }) },
    tracking: tracking ?? following,
  });
  return findVisibleChanges(side(before), side(after));
}

it('finds no change between two equal sides', () => {
  expect(changes({}, {})).toEqual([]);
});

it('reports added events with their counts', () => {
  expect(changes({ journey: { eventsCount: 3 } }, { journey: { eventsCount: 5 } })).toEqual([
    { type: 'shipment.event_added', changes: { eventsCount: [3, 5] }, added: [] },
  ]);
});

it('reports a container that the carrier named, with all numbers', () => {
  expect(
    changes(
      { journey: { containers: [container('A')] } },
      { journey: { containers: [container('A'), container('B')] } },
    ),
  ).toEqual([{ type: 'shipment.container_added', changes: { containers: [['A'], ['A', 'B']] } }]);
});

it('reports delivery once as a status and once as a change type of its own', () => {
  const changed = { status: ['in_transit', 'delivered'] };
  expect(changes({ journey: { status: 'in_transit' } }, { journey: { status: 'delivered' } })).toEqual([
    { type: 'shipment.status_changed', changes: changed },
    { type: 'shipment.delivered', changes: changed },
  ]);
  expect(changes({ journey: { status: 'delivered' } }, { journey: { status: 'delivered' } })).toEqual([]);
  expect(
    changes({ journey: { status: 'delivered' } }, { journey: { status: 'in_transit' } }).map(({ type }) => type),
  ).toEqual(['shipment.status_changed']);
});

it('reports a new reason in the same tracking state', () => {
  const tracking = { state: 'active' as const, reason: 'data_withheld' as const };
  expect(changes({}, { tracking })).toEqual([
    {
      type: 'shipment.tracking_state_changed',
      changes: { trackingState: ['active', 'active'], trackingReason: [null, 'data_withheld'] },
    },
  ]);
});

describe('the expected arrival', () => {
  const six = '2026-05-01T06:00';
  it.each([
    ['5 h 59 min later on the same date', at(six), at('2026-05-01T11:59'), false],
    ['6 h later on the same date', at(six), at('2026-05-01T12:00'), true],
    ['6 h earlier on the same date', at(six), at('2026-05-01T00:00'), true],
    ['a minute later, on the next date', at('2026-05-01T23:59'), at('2026-05-02T00:00'), true],
    [
      'the same moment in a zone where it is another date',
      at('2026-05-01T23:00'),
      { ...at('2026-05-02T07:00', 8) },
      true,
    ],
    ['the same moment in a zone where it is the same date', at('2026-05-01T10:00'), at('2026-05-01T18:00', 8), false],
    ['the same date, now without a clock time', at('2026-05-01T07:00'), date('2026-05-01'), false],
    ['the first estimate', null, at(six), true],
    ['an estimate that was taken back', at(six), null, true],
    ['none before and none now', null, null, false],
  ])('%s', (_name, before, after, isStated) => {
    expect(changes({ journey: arrival(before) }, { journey: arrival(after) })).toEqual(
      isStated ? [{ type: 'shipment.eta_changed', changes: { eta: [before, after] } }] : [],
    );
  });

  it('is the planned one until there is an estimate', () => {
    const planned = { arrival: { ...empty.arrival, planned: at(six) } };
    const estimated = { arrival: { ...empty.arrival, planned: at(six), estimated: at('2026-05-01T07:00') } };
    expect(changes({ journey: planned }, { journey: estimated })).toEqual([]);
  });
});

describe('exceptions', () => {
  const hold = exception('customs_hold', 'e1');
  const released = { ...hold, resolvedAt: '2026-05-02T00:00:00.000Z' };

  it('open, and resolve when they end', () => {
    expect(changes({}, { journey: { exceptions: [hold] } })).toEqual([
      { type: 'shipment.exception_opened', changes: { exception: [null, hold] } },
    ]);
    expect(changes({ journey: { exceptions: [hold] } }, { journey: { exceptions: [released] } })).toEqual([
      { type: 'shipment.exception_resolved', changes: { exception: [hold, released] } },
    ]);
  });

  it('are not reported if they are already over', () => {
    expect(changes({}, { journey: { exceptions: [released] } })).toEqual([]);
  });

  it('resolve without an end if their event was retracted', () => {
    expect(changes({ journey: { exceptions: [hold] } }, {})).toEqual([
      { type: 'shipment.exception_resolved', changes: { exception: [hold, null] } },
    ]);
  });

  it('continue if their event was replaced', () => {
    const again = exception('customs_hold', 'e2');
    expect(changes({ journey: { exceptions: [hold] } }, { journey: { exceptions: [again] } })).toEqual([]);
  });

  it('open beside one of the same kind, and don’t replace one of another kind', () => {
    const second = exception('customs_hold', 'e2');
    const other = exception('delayed', 'e3');
    expect(
      changes({ journey: { exceptions: [hold] } }, { journey: { exceptions: [hold, second] } }).map(({ type }) => type),
    ).toEqual(['shipment.exception_opened']);
    expect(
      changes({ journey: { exceptions: [hold] } }, { journey: { exceptions: [other] } }).map(({ type }) => type),
    ).toEqual(['shipment.exception_opened', 'shipment.exception_resolved']);
  });

  it('are reported as resolved and opened if one ends while another one of its kind begins', () => {
    const second = exception('customs_hold', 'e2');
    expect(
      changes({ journey: { exceptions: [hold] } }, { journey: { exceptions: [released, second] } }).map(
        ({ type }) => type,
      ),
    ).toEqual(['shipment.exception_opened', 'shipment.exception_resolved']);
  });
});

function at(local: string, offsetHours = 0): CarrierTime {
  const instant = new Date(Date.parse(`${local}:00Z`) - offsetHours * 3_600_000).toISOString();
  return { at: instant, local, timezone: 'Etc/UTC', zoneSource: 'location', precision: 'minute' };
}

function date(local: string): CarrierTime {
  return { at: `${local}T12:00:00.000Z`, local, timezone: 'Etc/UTC', zoneSource: 'location', precision: 'date' };
}

function arrival(estimated: CarrierTime | null): Partial<Journey> {
  return { arrival: { ...empty.arrival, estimated } };
}

function container(number: string): Journey['containers'][number] {
  return { number, isoType: null, status: 'in_transit', seals: [], decidingEventId: null };
}

function exception(code: ShipmentException['code'], eventId: string): ShipmentException {
  return {
    code,
    severity: 'warning',
    message: 'held',
    openedAt: '2026-05-01T00:00:00.000Z',
    resolvedAt: null,
    eventId,
    container: null,
    piece: null,
  };
}
