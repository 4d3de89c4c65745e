import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDimensionsCm } from '#services/worker/carriers/reading/dimensions-cm.ts';
import { readWindow } from '#services/worker/carriers/reading/read-window.ts';
import { pieceNumber, readCount, statedFacts, statedPiece } from '#services/worker/carriers/reading/stated-facts.ts';
import { readWeightKg } from '#services/worker/carriers/reading/weight-kg.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { runs } from '#test/support/run-scale.ts';

const reasonOf = ({ unreadable }: { unreadable: { reason: string }[] }) => unreadable[0]?.reason ?? null;

describe('readWeightKg', () => {
  it.each([
    ['12.5', 'KG', 12.5],
    [12.5, 'kgs', 12.5],
    ['12,5 KGM', null, 12.5],
    ['12,5 KGM', 'LBS', 12.5],
    ['1,234.5', 'KGM', 1234.5],
    ['1.234,5 kg', null, 1234.5],
    ['1,234,567 kg', null, 1_234_567],
    ['0,250', 'KG', 0.25],
    ['2', 'LB', 0.907],
    ['2', 'LBS', 0.907],
    ['2', 'LBR', 0.907],
    ['16', 'OZ', 0.454],
    ['16', 'ONZ', 0.454],
    ['850', 'G', 0.85],
    ['850', 'GRM', 0.85],
    [' 3 ', 'K', 3],
    ['3', 'L', 1.361],
    ['.5', 'KG', 0.5],
  ])('reads %j in %j as %d kg', (written, unit, kg) => {
    expect(readWeightKg(written, unit)).toEqual({ value: kg, unreadable: [] });
  });

  it.each([null, undefined, '', 0, '0', '0.00', '0,0 KG'])('counts %j as not stated', (written) => {
    expect(readWeightKg(written, 'KG')).toEqual({ value: null, unreadable: [] });
  });

  it.each([
    [-1, 'KG', 'the weight is negative'],
    ['-1', 'LB', 'the weight is negative'],
    ['1,234', 'KG', 'the weight is ambiguous'],
    ['1.2.3', 'KG', 'the weight is not a number'],
    ['1,2,3', 'KG', 'the weight is not a number'],
    ['heavy', 'KG', 'the weight is not a number'],
    ['1e9', 'KG', 'the weight is not a number'],
    [{}, 'KG', 'the weight is not a number'],
    ['5', null, 'the weight has no unit'],
    ['5', 'STONE', 'the weight unit is unknown'],
    ['5', 'constructor', 'the weight unit is unknown'],
    ['0.0001', 'KG', 'the weight is out of range'],
    ['999999999999', 'KG', 'the weight is out of range'],
    ['9'.repeat(100_000), 'KG', 'the weight is not a number'],
  ])('sets %j in %j aside: %s', (written, unit, reason) => {
    const read = readWeightKg(written, unit);
    expect(read.value).toBeNull();
    expect(reasonOf(read)).toBe(reason);
  });

  it('reads a decimal comma like a decimal point, and never returns a weight that is not positive', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 99 }), (whole, part) => {
        const fraction = String(part).padStart(2, '0');
        expect(readWeightKg(`${whole},${fraction}`, 'KG')).toEqual(readWeightKg(`${whole}.${fraction}`, 'KG'));
      }),
      { numRuns: runs(500) },
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.option(fc.string()), (written, unit) => {
        const { value } = readWeightKg(written, unit);
        expect(value === null || (value > 0 && Number.isFinite(value))).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('readDimensionsCm', () => {
  const box = { length: '10', width: 20, height: '30.5' };

  it.each([
    [box, 'CM', { length: 10, width: 20, height: 30.5 }],
    [box, 'in', { length: 25.4, width: 50.8, height: 77.47 }],
    [box, 'INH', { length: 25.4, width: 50.8, height: 77.47 }],
    [box, 'MM', { length: 1, width: 2, height: 3.05 }],
    [box, 'FT', { length: 304.8, width: 609.6, height: 929.64 }],
    [{ length: '1,2 m', width: '0,8 M', height: '90 CM' }, null, { length: 120, width: 80, height: 90 }],
  ])('reads %j in %j', (sides, unit, cm) => {
    expect(readDimensionsCm(sides, unit)).toEqual({ value: cm, unreadable: [] });
  });

  it.each([
    { ...box, width: null },
    { ...box, height: 0 },
    { length: undefined, width: undefined, height: undefined },
  ])('counts %j as not stated', (sides) => {
    expect(readDimensionsCm(sides, 'CM')).toEqual({ value: null, unreadable: [] });
  });

  it.each([
    [{ ...box, width: -1 }, 'CM', 'a side is out of range'],
    [{ ...box, width: 'wide' }, 'CM', 'a side is not a number'],
    [{ ...box, width: [1] }, 'CM', 'a side is not a number'],
    [{ ...box, width: '1,234' }, 'CM', 'a side is ambiguous'],
    [{ ...box, width: 1_000_000 }, 'M', 'a side is out of range'],
    [box, null, 'the dimensions have no unit'],
    [box, 'ELL', 'the unit of the dimensions is unknown'],
  ])('sets %j in %j aside: %s', (sides, unit, reason) => {
    const read = readDimensionsCm(sides, unit);
    expect(read.value).toBeNull();
    expect(reasonOf(read)).toBe(reason);
  });
});

describe('readWindow', () => {
  const time = (written: string | null) =>
    written === null ? null : carrierTime(written, { policy: 'offset', place: null });

  it.each([
    ['2026-03-05T10:00:00Z', '2026-03-05T14:00:00Z'],
    ['2026-03-05T10:00:00Z', '2026-03-05T10:00:00Z'],
    ['2026-03-05T23:00:00+02:00', '2026-03-05T22:00:00Z'],
    ['2026-03-05T20:00:00', '2026-03-05'],
    ['2026-03-05', '2026-03-05T08:00:00'],
    ['2026-03-05', '2026-03-07'],
    ['2026-03-05T10:00:00Z', null],
    [null, '2026-03-05T10:00:00Z'],
  ])('keeps %s to %s', (from, to) => {
    expect(readWindow(time(from), time(to), 'raw')).toEqual({
      value: { from: time(from), to: time(to) },
      unreadable: [],
    });
  });

  it.each([
    ['2026-03-05T14:00:00Z', '2026-03-05T10:00:00Z'],
    ['2026-03-06', '2026-03-05T23:00:00'],
  ])('sets the window from %s to %s aside', (from, to) => {
    expect(readWindow(time(from), time(to), 'raw')).toEqual({
      value: null,
      unreadable: [{ raw: 'raw', reason: 'the window ends before it begins' }],
    });
  });

  it('returns no window without times', () => {
    expect(readWindow(null, null, 'raw')).toEqual({ value: null, unreadable: [] });
  });
});

describe('statedFacts', () => {
  it('leaves out facts that are not stated', () => {
    expect(statedFacts({})).toBeUndefined();
    const empty = { service: { code: null, name: null }, weightKg: null, piecesCount: null, pieces: [], proof: [] };
    expect(
      statedFacts({ ...empty, receivedBy: null, leftAt: null, pickupPoint: null, returned: null }),
    ).toBeUndefined();
    expect(statedFacts({ ...empty, leftAt: 'Front door' })).toEqual({ leftAt: 'Front door' });
  });

  it('keeps the first 200 of 400 pieces and says how many there are', () => {
    const pieces = Array.from({ length: 400 }, (_, index) => statedPiece(`P${index}`));
    expect(statedFacts({ pieces })).toMatchObject({ piecesCount: 400, pieces: { length: 200 } });
    expect(statedFacts({ pieces, piecesCount: 401 })).toMatchObject({ piecesCount: 401 });
  });

  it('lists a piece that is named twice once, with the facts of both entries', () => {
    const dimensionsCm = { length: 1, width: 2, height: 3 };
    const pieces = [statedPiece('A', { weightKg: 2 }), statedPiece('A', { weightKg: 3, dimensionsCm })];
    expect(statedFacts({ pieces })).toEqual({ pieces: [{ trackingNumber: 'A', weightKg: 2, dimensionsCm }] });
  });

  it('writes a piece number in upper case without spaces', () => {
    expect([pieceNumber(' jd01 46 '), pieceNumber('  '), pieceNumber(null)]).toEqual(['JD0146', null, null]);
  });
});

it('reads a count as a whole number', () => {
  expect(['3', 3, '400', '1,000,000'].map((written) => readCount(written, 'pieces').value)).toEqual([
    3, 3, 400, 1_000_000,
  ]);
  expect(['0', 0, null, undefined, ''].map((written) => readCount(written, 'pieces'))).toEqual(
    Array(5).fill({ value: null, unreadable: [] }),
  );
  expect([-1, '1.5', '2 boxes', {}, 1e9].map((written) => reasonOf(readCount(written, 'pieces')))).toEqual([
    'pieces is out of range',
    'pieces is out of range',
    'pieces is not a number',
    'pieces is not a number',
    'pieces is out of range',
  ]);
});
