import { describe, expect, it } from 'vitest';
import { arrivalOf } from '#shared/domain/analytics/arrival.ts';
import { delayCausesOf } from '#shared/domain/analytics/delay-causes.ts';
import { periodsOf, weekOf } from '#shared/domain/analytics/figures.ts';
import { readLane } from '#shared/domain/analytics/lane.ts';
import type { EventCode, TrackingEvent } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { ShipmentException } from '#shared/domain/record/shipment.ts';

const rotterdam = { name: null, iata: null, lat: null, lng: null, timezone: 'Europe/Amsterdam', facility: null };
let keys = 0;

/** An event in Rotterdam (UTC+2), by its local time; of ten characters, only a date. */
function event(code: EventCode, local: string, changes: Partial<TrackingEvent> = {}): TrackingEvent {
  keys += 1;
  const at = local.length === 10 ? `${local}T12:00:00.000Z` : new Date(`${local}:00+02:00`).toISOString();
  return {
    ...{ id: `01890000-0000-7000-8000-${String(keys).padStart(12, '0')}`, dedupeKey: String(keys), code },
    ...{ classifier: 'actual', legRole: 'unknown', container: null, isoType: null, mode: null, vehicle: null },
    ...{ empty: null, seals: [], delayReason: null, document: null, description: null, carrierCode: null },
    ...{ carrierDescription: null, sourceEventId: null, sourceCreatedAt: null, source: 'carrier', family: null },
    ...{ receivedAt: '2026-04-01T00:00:00.000Z', supersededBy: null, voidedAt: null },
    location: {
      ...rotterdam,
      unlocode: code === 'departed' || code === 'picked_up' ? 'CNSHA' : 'NLRTM',
      country: null,
    },
    time: {
      ...{ at, local, timezone: 'Europe/Amsterdam', zoneSource: 'carrier' as const },
      precision: local.length === 10 ? 'date' : 'minute',
    },
    ...changes,
  } as TrackingEvent;
}

const planned = { classifier: 'planned' } as const;

function arrival(mode: TransportMode, ...events: TrackingEvent[]) {
  const journey = composeJourney({ events, transportMode: mode }, Date.parse('2026-07-01T00:00:00Z'));
  const found = arrivalOf(journey, mode);
  return found && [found.time.local, found.onTime, found.transitHours];
}

describe('the arrival that counts', () => {
  it.each<[string, TransportMode, TrackingEvent[], unknown]>([
    ['is unknown before it happens', 'ocean', [event('departed', '2026-04-01T08:00')], null],
    [
      'is on time up to a day after the promise',
      'ocean',
      [
        event('departed', '2026-04-01T08:00'),
        event('arrived', '2026-05-01T08:00', planned),
        event('arrived', '2026-05-02T07:00'),
      ],
      ['2026-05-02T07:00', 'on_time', 743],
    ],
    [
      'is late from a day on, and has no transit time without a departure',
      'ocean',
      [event('arrived', '2026-05-01T08:00', planned), event('arrived', '2026-05-02T08:00')],
      ['2026-05-02T08:00', 'late', null],
    ],
    [
      'is early from a day on',
      'air',
      [
        event('departed', '2026-04-29T20:00'),
        event('arrived', '2026-05-02T08:00', planned),
        event('arrived', '2026-05-01T08:00'),
      ],
      ['2026-05-01T08:00', 'early', 36],
    ],
    [
      'compares whole days where only a date is known',
      'ocean',
      [event('departed', '2026-04-01'), event('arrived', '2026-05-01', planned), event('arrived', '2026-05-01T23:00')],
      ['2026-05-01T23:00', 'on_time', 720],
    ],
    [
      'is the delivery of a parcel, late past its promised day',
      'parcel',
      [
        event('picked_up', '2026-04-29T20:00'),
        event('delivered', '2026-05-01', planned),
        event('delivered', '2026-05-02T09:00'),
      ],
      ['2026-05-02T09:00', 'late', 61],
    ],
    [
      'is the delivery where the arrival was never reported, which then is no evidence about the promise',
      'ocean',
      [event('arrived', '2026-05-01T08:00', planned), event('delivered', '2026-05-04T08:00')],
      ['2026-05-04T08:00', 'unknown', null],
    ],
    [
      'has no transit time if the departure is after it',
      'ocean',
      [event('departed', '2026-05-03T08:00'), event('arrived', '2026-05-02T08:00')],
      ['2026-05-02T08:00', 'unknown', null],
    ],
  ])('%s', (_, mode, events, expected) => {
    expect(arrival(mode, ...events)).toEqual(expected);
    expect(arrival(mode, ...events.toReversed(), ...events)).toEqual(expected);
  });
});

it('names the causes that are stated up to the arrival, and guesses none', () => {
  const opened = (code: ShipmentException['code'], openedAt: string, cause?: string): ShipmentException => ({
    ...{
      code,
      openedAt,
      severity: 'warning',
      message: '',
      resolvedAt: null,
      eventId: null,
      container: null,
      piece: null,
    },
    ...(cause === undefined ? {} : { cause }),
  });
  const at = '2026-05-02T08:00:00.000Z';
  const before = '2026-05-01T08:00:00.000Z';
  const after = '2026-05-03T08:00:00.000Z';
  expect(delayCausesOf([opened('delayed', before), opened('customs_hold', after)], at)).toEqual(['unknown']);
  expect(
    delayCausesOf(
      [opened('delayed', after, 'WEA'), opened('rolled', before), opened('last_free_day_passed', before)],
      at,
    ),
  ).toEqual(['WEA', 'rolled']);
});

it('cuts weeks and months at the bounds, by ISO 8601', () => {
  // From the table of ISO 8601:2004, 4.1.4, and the calendar of 2026.
  expect(['2026-01-01', '2027-01-03', '2027-01-04', '2026-04-13', '2020-12-31'].map(weekOf)).toEqual([
    '2026-W01',
    '2026-W53',
    '2027-W01',
    '2026-W16',
    '2020-W53',
  ]);
  expect(periodsOf({ from: '2026-02-25', to: '2026-03-04' }, 'week')).toEqual([
    { period: '2026-W09', from: '2026-02-25', to: '2026-03-01' },
    { period: '2026-W10', from: '2026-03-02', to: '2026-03-04' },
  ]);
  expect(periodsOf({ from: '2028-02-25', to: '2028-03-04' }, 'month').map(({ to }) => to)).toEqual([
    '2028-02-29',
    '2028-03-04',
  ]);
});

it('reads lanes of codes and of countries, and refuses others', () => {
  expect(readLane(' cnsha - nlrtm', 'codes')).toBe('CNSHA-NLRTM');
  expect(readLane('FRA-Unknown', 'codes')).toBe('FRA-unknown');
  expect(readLane('cn-nl', 'countries')).toBe('CN-NL');
  for (const text of ['CN-NL', 'CNSHA', 'CNSHA-NLRTM-X', '', 'CNSHA-'])
    expect(readLane(text, 'codes'), text).toBeNull();
  expect(readLane('CNSHA-NL', 'countries')).toBeNull();
});
