import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeText, windowText } from '#services/api/mcp/results/tool-result.ts';
import { costOf, placeOf, timeOf, windowOf } from '#services/dashboard/mcp-views/result-texts.ts';
import type { CarrierTime } from '#shared/domain/events/event.ts';

const minuteMs = 60_000;
/** A carrier's time to the minute, in any zone from −11 to +14. */
const carrierTime = fc
  .record({
    minutes: fc.integer({ min: Date.UTC(2020, 0, 1) / minuteMs, max: Date.UTC(2040, 0, 1) / minuteMs }),
    quarters: fc.integer({ min: -44, max: 56 }),
    kind: fc.constantFrom('zoned', 'assumed', 'date'),
  })
  .map(({ minutes, quarters, kind }): CarrierTime => {
    const offset = kind === 'zoned' ? quarters * 15 : 0;
    const local = new Date((minutes + offset) * minuteMs).toISOString().slice(0, 16);
    if (kind === 'date') {
      const day = local.slice(0, 10);
      return { at: `${day}T12:00:00.000Z`, local: day, timezone: null, zoneSource: 'location', precision: 'date' };
    }
    return {
      at: new Date(minutes * minuteMs).toISOString(),
      local,
      timezone: kind === 'zoned' ? 'Etc/Any' : null,
      zoneSource: kind === 'zoned' ? 'carrier' : 'assumed_utc',
      precision: 'minute',
    };
  });

describe('a time of a result', () => {
  it('reads as the carrier’s time that was written', () => {
    fc.assert(
      fc.property(carrierTime, (time) => {
        const read = timeOf(timeText(time));
        expect(read).toMatchObject({ at: time.at, local: time.local, precision: time.precision });
        expect(read?.zone_source === 'assumed_utc').toBe(time.zoneSource === 'assumed_utc');
      }),
    );
  });

  it('is nothing where the text is none', () => {
    for (const text of [undefined, '', 'soon', '2026-13-45', '2026-04-15T99:00Z', '2026-04-15 08:00', '<b>2026-04-15'])
      expect(timeOf(text)).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => void timeOf(text)));
  });
});

it('a window reads as the one that was written, with open ends', () => {
  fc.assert(
    fc.property(fc.option(carrierTime), fc.option(carrierTime), (from, to) => {
      const text = windowText({ from, to });
      const read = windowOf(text);
      expect([read?.from?.at ?? null, read?.to?.at ?? null]).toEqual([from?.at ?? null, to?.at ?? null]);
    }),
  );
});

describe('a place of a result', () => {
  const points = { 'Shanghai (CNSHA)': [31.35, 121.6] as const, 'Köln (DE)': [50.9, 6.9] as const };

  it.each([
    ['Shanghai (CNSHA)', { name: 'Shanghai', unlocode: 'CNSHA', lat: 31.35, lng: 121.6 }],
    ['CNSHA', { name: 'Shanghai', unlocode: 'CNSHA', lat: 31.35, lng: 121.6 }],
    ['NLRTM', { name: null, unlocode: 'NLRTM', country: 'NL', lat: null }],
    ['Frankfurt (FRA)', { name: 'Frankfurt', iata: 'FRA', lat: null }],
    ['Köln (DE)', { name: 'Köln', country: 'DE', lat: 50.9 }],
    ['上海国际航运中心', { name: '上海国际航运中心', unlocode: null }],
    ['Depot (north)', { name: 'Depot (north)' }],
    ['constructor', { name: 'constructor', lat: null }],
  ])('%s', (text, place) => {
    expect(placeOf(text, points)).toMatchObject(place);
  });
});

it('a cost reads with its currency, and whether it may be more', () => {
  expect(costOf('at least 360 USD')).toEqual({ amount: 360, currency: 'USD', is_floor: true });
  expect(costOf('99.5 EUR')).toEqual({ amount: 99.5, currency: 'EUR', is_floor: false });
  expect(costOf('80 USD+')).toEqual({ amount: 80, currency: 'USD', is_floor: true });
  expect(costOf('free')).toBeNull();
});
