import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalReading } from '#shared/domain/refresh/reading.ts';
import { readEvent } from '../journey/journey-events.ts';

const reading = fc
  .array(
    fc.record({
      code: fc.constantFrom('arrived' as const, 'loaded' as const),
      hour: fc.integer({ min: 0, max: 5 }),
      seals: fc.array(fc.constantFrom('S1', 'S2')),
    }),
    {
      maxLength: 8,
    },
  )
  .map((sketches) => sketches.map(readEvent));

it('ignores order, duplicates, raw bodies and event ids', () => {
  fc.assert(
    fc.property(reading, (events) => {
      const other = [...events, ...events].reverse().map((event, index) => ({
        ...event,
        raw: { index },
        sourceEventId: `id-${index}`,
        seals: event.seals.toReversed(),
      }));
      expect(canonicalReading({ events: other })).toBe(canonicalReading({ events }));
    }),
  );
});

it('detects a difference in anything that a record shows', () => {
  const event = readEvent({ code: 'arrived', hour: 1, port: 'NLRTM' });
  const base = canonicalReading({ events: [event] });
  const changes = [
    { container: 'AAAU1234567' },
    { classifier: 'estimated' as const },
    { description: 'x' },
    { seals: ['S1'] },
    { location: null },
  ];
  for (const change of changes) expect(canonicalReading({ events: [{ ...event, ...change }] })).not.toBe(base);
  expect(canonicalReading({ events: [] })).not.toBe(base);
});
