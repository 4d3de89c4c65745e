import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deltaWords } from '#services/dashboard/parts/time-words.ts';
import { etaSteps } from '#services/dashboard/screens/shipment/facts/eta-steps.ts';

const size = { width: 368, height: 130, margin: { left: 44, right: 56, top: 18, bottom: 20 } };
const day = 86_400_000;
const start = Date.parse('2026-04-07T00:00:00Z');
const timeOf = (ms: number) => {
  const at = new Date(start + ms).toISOString();
  return { at, local: at.slice(0, 16), precision: 'minute' };
};
const history = (etas: readonly [number, number][]) =>
  etas.map(([eta, seen]) => ({
    eta: timeOf(eta),
    seen_at: new Date(start + seen).toISOString(),
  }));

it('draws a step at the time of each revision, upwards for a later arrival', () => {
  const chart = etaSteps(
    history([
      [17 * day, 0],
      [18.5 * day, 6 * day],
    ]),
    { ...size, untilMs: start + 14 * day, promised: timeOf(17 * day) },
  );
  const [first, second] = chart?.dots ?? [];
  expect(chart?.line).toBe(`M${first?.x} ${first?.y}H${second?.x}V${second?.y}H${chart?.end.x}`);
  expect(second?.y).toBeLessThan(first?.y ?? 0);
  expect(second?.hours).toBe(36);
  expect(chart?.promisedY).toBe(first?.y);
});

it('keeps everything inside the margins, in order of time, without overlapping labels', () => {
  const revision = fc.tuple(fc.integer({ min: 0, max: 60 * day }), fc.integer({ min: 0, max: 40 * day }));
  fc.assert(
    fc.property(
      fc.array(revision, { minLength: 1, maxLength: 30 }),
      fc.option(fc.integer({ min: 0, max: 60 * day })),
      (etas, promised) => {
        const chart = etaSteps(history(etas), {
          ...size,
          untilMs: start + 41 * day,
          promised: promised === null ? null : timeOf(promised),
        });
        if (chart === null) throw new Error('no chart');
        const xs = [...chart.dots.map(({ x }) => x), chart.end.x];
        expect(xs).toEqual(xs.toSorted((left, right) => left - right));
        for (const { x, y } of [...chart.dots, chart.end]) {
          expect(x).toBeGreaterThanOrEqual(size.margin.left);
          expect(x).toBeLessThanOrEqual(size.width - size.margin.right);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(size.height);
        }
        const shown = chart.dots.filter(({ labelled }) => labelled).map(({ x }) => x);
        for (const [index, x] of shown.entries())
          expect(x - (shown[index - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(44);
        expect(chart.xTicks.length).toBeLessThanOrEqual(6);
        expect(chart.yTicks.length).toBeLessThanOrEqual(4);
      },
    ),
  );
});

it('draws revisions in the order in which they were reported', () => {
  const unsorted = history([
    [18 * day, 6 * day],
    [17 * day, 0],
  ]);
  const chart = etaSteps(unsorted, { ...size, untilMs: start + 7 * day, promised: null });
  expect(chart?.dots.map(({ hours }) => hours)).toEqual([0, 24]);
  expect(chart?.promisedY).toBe(chart?.dots[0]?.y);
});

it('draws nothing without a history', () => {
  expect(etaSteps([], { ...size, untilMs: start, promised: null })).toBeNull();
});

it('formats a delay in hours below two days, else in days', () => {
  expect([31, -3, 0, 47, 48, -96].map(deltaWords)).toEqual(['+31 h', '−3 h', 'on time', '+47 h', '+2 d', '−4 d']);
});
