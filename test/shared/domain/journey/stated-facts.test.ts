import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxStatedPieces, type Reading, type StatedFacts, type StatedPiece } from '#shared/domain/events/event.ts';
import { boundPieces, isSameFacts, mergeFacts } from '#shared/domain/journey/stated-facts.ts';
import { canonicalReading } from '#shared/domain/refresh/reading.ts';
import { readEvent } from './journey-events.ts';

const piece = (trackingNumber: string, weightKg: number | null = null): StatedPiece => {
  return { trackingNumber, weightKg, dimensionsCm: null };
};
const whole = { partial: false };

const anyFacts: fc.Arbitrary<StatedFacts> = fc.record(
  {
    service: fc.record({ code: fc.constantFrom('1', null), name: fc.constantFrom('Ground', 'Air') }),
    weightKg: fc.integer({ min: 1, max: 3 }),
    piecesCount: fc.integer({ min: 1, max: 3 }),
    receivedBy: fc.constantFrom('A', 'B'),
    pieces: fc
      .uniqueArray(fc.constantFrom('P1', 'P2', 'P3'), { minLength: 1 })
      .map((numbers) => numbers.map((number) => piece(number, 1))),
    proof: fc.array(
      fc.record({
        kind: fc.constantFrom('signature' as const, 'photo' as const),
        handle: fc.constantFrom('h', null),
        piece: fc.constant(null),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

describe('merging', () => {
  it('keeps facts that a statement omits, and replaces those that it states', () => {
    fc.assert(
      fc.property(anyFacts, anyFacts, (before, stated) => {
        const merged = mergeFacts(before, stated, whole) ?? {};
        expect(isSameFacts(merged, { ...before, ...stated })).toBe(true);
        expect(isSameFacts(mergeFacts(merged, stated, whole), merged)).toBe(true);
        expect(Object.values(merged)).not.toContain(undefined);
      }),
    );
    const before = { weightKg: 2 };
    expect(mergeFacts(before, undefined, whole)).toBe(before);
    expect(mergeFacts(undefined, undefined, whole)).toBeUndefined();
    expect(mergeFacts(before, { weightKg: undefined } as unknown as StatedFacts, whole)).toEqual(before);
  });

  it('replaces the list of pieces, and keeps the known facts of each', () => {
    const before = { pieces: [{ ...piece('A', 1), dimensionsCm: { length: 1, width: 2, height: 3 } }, piece('B', 2)] };
    const stated = { pieces: [piece('C', 3), piece('A')] };
    expect(mergeFacts(before, stated, whole)?.pieces).toEqual([before.pieces[0], piece('C', 3)]);
    expect(mergeFacts(before, stated, { partial: true })?.pieces).toEqual([
      before.pieces[0],
      piece('B', 2),
      piece('C', 3),
    ]);
  });
});

describe('the reading’s hash', () => {
  const events = [readEvent({ code: 'delivered', hour: 1 })];

  it('changes with the facts, and not with the order of their keys and lists', () => {
    fc.assert(
      fc.property(anyFacts, anyFacts, (facts, other) => {
        const reordered = Object.fromEntries(
          Object.entries(facts)
            .map(([name, value]) => [name, Array.isArray(value) ? value.toReversed() : value])
            .toReversed(),
        ) as StatedFacts;
        const canonical = canonicalReading({ events, facts });
        expect(canonicalReading({ events, facts: reordered })).toBe(canonical);
        expect(canonicalReading({ events, facts: other }) === canonical).toBe(isSameFacts(facts, other));
        expect(canonicalReading({ events })).not.toBe(canonical);
      }),
    );
  });
});

describe('a shipment of 400 pieces', () => {
  const numbers = Array.from({ length: 400 }, (_, index) => `P${String(index).padStart(3, '0')}`);
  const events = [
    readEvent({ code: 'picked_up', hour: 1 }),
    ...numbers.map((number) => readEvent({ code: 'delivered', hour: 2, details: { piece: number } })),
  ];

  it('keeps the first 200, whether listed or only named by events, with their total', () => {
    const listed = boundPieces({ events, facts: { pieces: numbers.toReversed().map((number) => piece(number)) } });
    expect(listed.facts).toMatchObject({ piecesCount: 400, pieces: { length: maxStatedPieces } });
    expect(listed.facts?.pieces?.[0]?.trackingNumber).toBe('P399');
    expect(listed.events).toHaveLength(1 + maxStatedPieces);
    const named = boundPieces<Pick<Reading, 'events' | 'facts'>>({ events: events.toReversed() });
    expect(named.facts).toEqual({ piecesCount: 400 });
    expect(named.events.map(({ details }) => details?.piece ?? '').sort()).toEqual(['', ...numbers.slice(0, 200)]);
    expect(boundPieces({ events, facts: { piecesCount: 500 } }).facts?.piecesCount).toBe(500);
  });

  it('keeps other shipments unchanged', () => {
    const reading = { events: events.slice(0, 201), facts: {} };
    expect(boundPieces(reading)).toBe(reading);
  });
});
