import { describe, expect, it } from 'vitest';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { composeFrom, composeHistory } from '#shared/domain/journey/journey.ts';
import type { Identifiers } from '#shared/domain/record/shipment.ts';
import { hourMs, startMs, trackingEvent } from './journey-events.ts';

type Step = [
  day: number,
  code: TrackingEvent['code'],
  port: string,
  changes?: Partial<Parameters<typeof trackingEvent>[0]>,
];

const number = 'TESU1234565';
const july: Step[] = [
  [0, 'gate_out_empty', 'CNSHA'],
  [2, 'gate_in_full', 'CNSHA'],
  [3, 'loaded', 'CNSHA'],
  [30, 'discharged', 'NLRTM'],
  [32, 'gate_out_full', 'NLRTM'],
  [35, 'gate_in_empty', 'NLRTM'],
];
const november: Step[] = [
  [150, 'gate_out_empty', 'INNSA'],
  [153, 'gate_in_full', 'INNSA'],
  [155, 'loaded', 'INNSA'],
  [180, 'arrived', 'USNYC', { classifier: 'estimated', container: null }],
];

function eventsOf(steps: readonly Step[]): TrackingEvent[] {
  return steps.map(([day, code, port, changes]) =>
    trackingEvent({ id: `${day} ${code}`, hour: day * 24, code, port, container: number, ...changes }),
  );
}

function composed(
  steps: readonly Step[],
  {
    registered,
    now = 160,
    identifiers = { container: number },
  }: { registered: number; now?: number; identifiers?: Identifiers },
) {
  const shipment = {
    transportMode: 'ocean' as const,
    identifiers,
    createdAt: new Date(startMs + registered * 24 * hourMs).toISOString(),
    journey: {},
  };
  const nowMs = startMs + now * 24 * hourMs;
  const events = eventsOf(steps);
  const forwards = composeFrom(events, shipment, { nowMs }).journey;
  expect(composeFrom(events.toReversed(), shipment, { nowMs }).journey).toEqual(forwards);
  return { journey: forwards, history: composeHistory(events, shipment, nowMs) };
}

describe('the trip of a container that was registered alone', () => {
  it('is the present one, and its history names the events of the earlier one', () => {
    const { journey, history } = composed([...july, ...november], { registered: 152 });
    expect(journey).toMatchObject({ status: 'in_transit', origin: { unlocode: 'INNSA' }, eventsCount: 10 });
    expect(journey.containers).toMatchObject([{ number, status: 'in_transit' }]);
    expect(journey.events.map(({ code }) => code)).not.toContain('gate_in_empty');
    expect(history.replaced.map(({ code, flags }) => [code, flags])).toEqual(
      july.map(([, code]) => [code, ['other_trip']]).toReversed(),
    );
  });

  it('is the followed one where it had not ended at the registration', () => {
    expect(composed([...july, ...november], { registered: 33 }).journey).toMatchObject({
      status: 'delivered',
      destination: { unlocode: 'NLRTM' },
    });
  });

  it.each<[string, Step[]]>([
    ['without a word of the return', [...july.slice(0, 5), ...november]],
    ['without a release', [...july, ...november.slice(1)]],
    ['by a plan to load it', [...july, [156, 'loaded', 'INNSA', { classifier: 'planned' }]]],
    ['at the port where the earlier one ended', [...july, [150, 'gate_out_empty', 'NLRTM'], [155, 'loaded', 'NLRTM']]],
    ['long after a delivery', [...july.slice(0, 5), [34, 'delivered', 'NLRTM'], [155, 'loaded', 'INNSA']]],
    ['by train', [...july, [150, 'gate_out_empty', 'DEDUI'], [152, 'rail_loaded', 'DEDUI', { mode: 'rail' }]]],
  ])('begins %s', (_, steps) => {
    const { journey } = composed(steps, { registered: 149 });
    expect(['pending', 'booked', 'in_transit']).toContain(journey.status);
    expect(journey.arrival.actual).toBeNull();
  });

  it('has not begun where the only one ended long before the registration', () => {
    expect(composed(july, { registered: 149 }).journey).toMatchObject({
      status: 'pending',
      origin: null,
      eventsCount: 6,
    });
    expect(composed(july, { registered: 45 }).journey.status).toBe('delivered');
    const pushed = july.map(([day, code, port]): Step => [day, code, port, { source: 'client' }]);
    expect(composed(pushed, { registered: 90 }).journey.status).toBe('delivered');
    expect(composed(pushed, { registered: 149 }).journey.status).toBe('pending');
    // A delivery ends a trip too.
    expect(composed([...july.slice(0, 5), [34, 'delivered', 'NLRTM']], { registered: 149 }).journey.status).toBe(
      'pending',
    );
    // It never ended.
    expect(composed(july.slice(0, 5), { registered: 149 }).journey.status).toBe('out_for_delivery');
  });

  it('takes neither a transshipment nor a container that came back unused for an end', () => {
    const transshipped: Step[] = [...july.slice(0, 4), [40, 'loaded', 'NLRTM'], [50, 'discharged', 'GBFXT']];
    expect(composed(transshipped, { registered: 36 }).journey.origin?.unlocode).toBe('CNSHA');
    const unused: Step[] = [
      [0, 'gate_out_empty', 'CNSHA'],
      [1, 'gate_in_empty', 'CNSHA'],
      [8, 'gate_out_empty', 'CNSHA'],
      [9, 'loaded', 'CNSHA'],
    ];
    expect(composed(unused, { registered: 20 }).history.replaced).toEqual([]);
    // A late note on the trip that has ended.
    expect(composed([...july, [36, 'gate_out_full', 'NLRTM']], { registered: 20 }).journey.status).toBe('delivered');
  });

  it('is whole under a booking or a B/L, whenever it was registered', () => {
    for (const identifiers of [
      { container: number, booking: 'B1' },
      { container: number, mbl: 'MAEU1' },
    ])
      expect(composed(july, { registered: 149, identifiers }).journey.status).toBe('delivered');
  });
});
