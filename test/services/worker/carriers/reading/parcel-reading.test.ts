import { describe, expect, it } from 'vitest';
import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import { expectedDelivery, parcelPlace, parcelReading } from '#services/worker/carriers/reading/parcel-reading.ts';
import type { EventCode, ReadEvent } from '#shared/domain/events/event.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';

const place = (city: string | null, country: string | null = 'DE') => parcelPlace({ city, state: null, country });

function at(hour: number, code: EventCode, city: string | null = 'Leipzig'): ReadEvent {
  const time = carrierTime(`2026-03-02T${String(hour).padStart(2, '0')}:00Z`, { policy: 'offset', place: null });
  if (time === null) throw new Error('no time');
  return bareEvent({ code, classifier: 'actual', time, location: place(city, null), raw: null });
}

const route = { origin: null, destination: null };
const codesOf = (scans: ReadEvent[]) =>
  parcelReading(scans, { expected: [], route }, 'test').events.map(({ code }) => code);

describe('scans at one hub', () => {
  it('count as handling until the parcel leaves, in any order', () => {
    const scans = [
      at(1, 'in_transit'),
      at(2, 'arrived_at_facility'),
      at(3, 'in_transit'),
      at(4, 'departed_facility'),
      at(5, 'in_transit'),
    ];
    const settled = ['in_transit', 'arrived_at_facility', 'arrived_at_facility', 'departed_facility', 'in_transit'];
    expect(codesOf(scans)).toEqual(settled);
    expect(codesOf(scans.toReversed())).toEqual(settled.toReversed());
  });

  it('count as progress at another place or without a place', () => {
    expect(codesOf([at(2, 'arrived_at_facility'), at(3, 'in_transit', 'Berlin'), at(4, 'in_transit')])[2]).toBe(
      'in_transit',
    );
    expect(codesOf([at(2, 'arrived_at_facility'), at(3, 'in_transit', null)])[1]).toBe('in_transit');
    expect(codesOf([at(2, 'arrived_at_facility'), at(3, 'exception', null), at(4, 'in_transit')])[2]).toBe(
      'arrived_at_facility',
    );
  });

  it.each(['out_for_delivery', 'return_started', 'departed_facility'] as const)(
    'count as a new arrival after %s',
    (code) => {
      expect(codesOf([at(2, 'arrived_at_facility'), at(3, code), at(4, 'in_transit')])[2]).toBe('in_transit');
    },
  );
});

it('expects no delivery of a delivered parcel', () => {
  const time = at(9, 'other').time;
  const expected = expectedDelivery(time, { classifier: 'estimated', place: null, carrierCode: 'SDD', raw: null });
  expect(parcelReading([at(1, 'in_transit')], { expected: [expected], route }, 'test').events).toHaveLength(2);
  expect(parcelReading([at(1, 'delivered')], { expected: [expected], route }, 'test').events).toHaveLength(1);
});

describe('parcelPlace', () => {
  it.each([
    [
      { city: 'Salem', state: 'ma', country: 'us' },
      { name: 'Salem, MA', country: 'US', timezone: 'America/New_York' },
    ],
    [
      { city: 'Memphis', state: 'TN', country: 'US' },
      { name: 'Memphis, TN', country: 'US', timezone: 'America/Chicago' },
    ],
    [
      { city: 'Lyon', state: 'ARA', country: 'FR' },
      { name: 'Lyon', country: 'FR', timezone: 'Europe/Paris' },
    ],
    [
      { city: 'Lyon', state: null, country: 'France' },
      { name: 'Lyon', country: null, timezone: null },
    ],
    [
      { city: 'TOKYO - JAPAN', state: null, country: null },
      { name: 'TOKYO - JAPAN', country: 'JP', timezone: 'Asia/Tokyo' },
    ],
    [
      { city: 'PLANO, TX', state: null, country: 'US' },
      { name: 'PLANO, TX', country: 'US', timezone: 'America/Chicago' },
    ],
    [
      { city: 'NOWHERE', state: 'TX', country: 'US', postalCode: '79821' },
      { name: 'NOWHERE, TX', country: 'US', timezone: 'America/Denver' },
    ],
    [
      { city: null, state: null, country: 'DE' },
      { name: null, country: 'DE', timezone: 'Europe/Berlin' },
    ],
  ])('%j', (address, expected) => {
    expect(parcelPlace(address)).toMatchObject(expected);
  });

  it('returns no place for an empty address', () => {
    expect(parcelPlace({ city: null, state: 'MA', country: null })).toBeNull();
  });

  it('states no coordinates, because carriers only name the city', () => {
    const louisville = parcelPlace({ city: 'LOUISVILLE', state: 'KY', country: 'US' });
    expect(louisville).toMatchObject({ lat: null, lng: null, unlocode: null });
    expect(place('Leipzig')).toMatchObject({ lat: null, lng: null });
  });
});

describe('a summary of the carrier', () => {
  const local = (written: string, city: string | null, country: string | null) => {
    const location = city === null ? null : place(city, country);
    const time = carrierTime(written, { policy: 'localNoOffset', place: location });
    if (time === null) throw new Error('no time');
    return { time, location };
  };
  const scan = (written: string, code: EventCode, [city, country]: [string, string]) =>
    bareEvent({ code, classifier: 'actual', ...local(written, city, country), raw: null });
  const read = (scans: ReadEvent[], code: EventCode, written: string) => {
    const summary = { code, ...local(written, null, null), carrierCode: null, raw: null };
    return parcelReading(scans, { expected: [], route, summary }, 'test').events;
  };
  const berlin = scan('2026-11-20T10:00:00', 'out_for_delivery', ['Berlin', 'DE']);
  const tokyo = scan('2026-11-20T10:00:00', 'delivery_attempted', ['Tokyo', 'JP']);

  it('adds nothing at the local minute of a scan', () => {
    expect(read([berlin], 'in_transit', '2026-11-20T10:00:00')).toEqual([berlin]);
    expect(read([tokyo], 'in_transit', '2026-11-20T10:00:30')).toEqual([tokyo]);
  });

  it('without a zone is newer only where no zone could make it older', () => {
    expect(read([tokyo], 'in_transit', '2026-11-20T20:00:00')).toEqual([tokyo]);
    const [, added] = read([tokyo], 'in_transit', '2026-11-21T10:00:00');
    expect(added).toMatchObject({
      code: 'in_transit',
      location: { name: 'Tokyo' },
      time: { at: '2026-11-21T01:00:00.000Z', timezone: 'Asia/Tokyo', zoneSource: 'scans' },
    });
  });

  it('states an end that no scan states', () => {
    const codes = read([berlin], 'delivered', '2026-11-20T10:00:00').map(({ code, time }) => [code, time.at]);
    expect(codes).toEqual([
      ['out_for_delivery', '2026-11-20T09:00:00.000Z'],
      ['delivered', '2026-11-20T09:00:00.000Z'],
    ]);
  });
});

describe('a number that carriers give out again', () => {
  const on = (day: number, code: EventCode, carrierCode: string | null): ReadEvent => {
    const event = at(9, code);
    const time = carrierTime(`2026-03-${String(day).padStart(2, '0')}T09:00Z`, { policy: 'offset', place: null });
    return { ...event, carrierCode, time: time ?? event.time };
  };
  const isCodedEnd = ({ carrierCode }: ReadEvent) => carrierCode === 'D';
  const used = (scans: ReadEvent[]) =>
    parcelReading(scans, { expected: [], route, isCodedEnd }, 'test').events.map(({ code }) => code);

  it.each([
    ['delivered', 'D', ['in_transit']],
    ['delivered', 'X', ['picked_up', 'delivered', 'in_transit']],
    ['lost', 'D', ['picked_up', 'lost', 'in_transit']],
    ['cancelled', 'D', ['picked_up', 'cancelled', 'in_transit']],
  ] as const)('after %s with the code %s', (code, carrierCode, codes) => {
    expect(used([on(1, 'picked_up', null), on(2, code, carrierCode), on(20, 'in_transit', null)])).toEqual(codes);
  });
});
