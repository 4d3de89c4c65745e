import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRows, chooseRows } from '#infra/tools/bench/all-rows.ts';
import { compareRounds, interleave, median, medians } from '#infra/tools/bench/interleave.ts';
import { type Measurement, meetsGoal } from '#infra/tools/bench/row.ts';

const cost = (cpuPerOperationUs: number): Measurement => ({
  operationsPerS: 1,
  cpuPerOperationUs,
  p50Ms: 2,
  p99Ms: 3,
  rssMb: 4,
});

it('measures in turn and keeps every round but the first', async () => {
  const order: string[] = [];
  const side = (name: string) => async () => cost(order.push(name));
  const rounds = await interleave(2, { baseline: side('baseline'), product: side('product') });
  expect(order).toEqual(['baseline', 'product', 'baseline', 'product', 'baseline', 'product']);
  expect(rounds).toEqual({ baseline: [cost(3), cost(5)], product: [cost(4), cost(6)] });
});

describe('the median', () => {
  it('has as many values below as above', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = median(values);
        const below = values.filter((value) => value < middle).length;
        const above = values.filter((value) => value > middle).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
      }),
    );
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(() => median([])).toThrow();
  });

  it('is computed for each number separately', () => {
    expect(medians([cost(1), cost(9), cost(5)])).toEqual(cost(5));
  });

  it('divides round by round and returns the median ratio with its extremes', () => {
    const divide = (product: Measurement, baseline: Measurement) =>
      baseline.cpuPerOperationUs / product.cpuPerOperationUs;
    expect(compareRounds([cost(1), cost(2), cost(1)], [cost(3), cost(4), cost(10)], divide)).toEqual({
      ratio: 3,
      spread: [2, 10],
    });
    expect(() => compareRounds([cost(1)], [], divide)).toThrow();
  });
});

it('accepts a goal as a floor or a ceiling', () => {
  expect([4.9, 5, 6].map((ratio) => meetsGoal({ ratio, goal: { atLeast: 5 } }))).toEqual([false, true, true]);
  expect([1.4, 1.5, 1.6].map((ratio) => meetsGoal({ ratio, goal: { atMost: 1.5 } }))).toEqual([true, true, false]);
});

it('runs the named rows, or all', () => {
  expect(chooseRows([])).toBe(allRows);
  expect(chooseRows(['mcp']).map(({ name }) => name)).toEqual(['mcp']);
  expect(() => chooseRows(['mpc'])).toThrow('Unknown row: mpc. Choose from mcp');
  expect(new Set(allRows.map(({ name }) => name)).size).toBe(allRows.length);
});
