import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deltaWords } from '#services/dashboard/parts/time-words.ts';
import { baseWordsOf, type ChartText, etaLabels } from '#services/dashboard/screens/shipment/words/eta-labels.ts';
import { type EtaChart, etaSteps } from '#services/dashboard/screens/shipment/words/eta-steps.ts';

const size = { width: 368, height: 130, margin: { left: 50, right: 86, top: 18, bottom: 20 } };
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

it('keeps everything inside the margins, in order of time', () => {
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

const letterWidth = 5.6;

/** Roughly the ink of a text of 11 px. */
function inkOf({ text, x, y, align }: ChartText) {
  const width = text.length * letterWidth;
  const x0 = align === 'start' ? x : align === 'end' ? x - width : x - width / 2;
  return { x0, x1: x0 + width, y0: y - 8, y1: y + 2 };
}

type Ink = ReturnType<typeof inkOf>;

function meet(left: Ink, right: Ink): boolean {
  return left.x0 < right.x1 && right.x0 < left.x1 && left.y0 < right.y1 && right.y0 < left.y1;
}

/** The parts of the step line and the line of the promise as boxes without an area. */
function linesOf({ dots, end, promisedY }: EtaChart): Ink[] {
  const parts = dots.flatMap(({ x, y }, index) => {
    const next = dots[index + 1];
    const level = { x0: x, x1: next?.x ?? end.x, y0: y, y1: y };
    const rise = { x0: next?.x ?? 0, x1: next?.x ?? 0, y0: Math.min(y, next?.y ?? 0), y1: Math.max(y, next?.y ?? 0) };
    return next === undefined ? [level] : [level, rise];
  });
  return promisedY === null ? parts : [...parts, { x0: size.margin.left, x1: end.x, y0: promisedY, y1: promisedY }];
}

/** Texts that leave the chart or cover another text or a line. */
function misplaced(chart: EtaChart): string[] {
  const { revisions, end, base } = etaLabels(chart, size, 'first estimate');
  const texts = [...revisions, end, ...(base === null ? [] : [base])];
  const inks = texts.map(inkOf);
  return texts.flatMap(({ text }, index) => {
    const ink = inks[index] as Ink;
    const isOutside = ink.x0 < 0 || ink.x1 > size.width || ink.y0 < 0 || ink.y1 > size.height - 14;
    const others = [...inks.slice(0, index), ...inks.slice(index + 1), ...linesOf(chart)];
    return isOutside || others.some((other) => meet(ink, other)) ? [text] : [];
  });
}

it('places labels inside the chart, apart from each other and from every line', () => {
  const revision = fc.tuple(fc.integer({ min: 0, max: 12 * day }), fc.integer({ min: 1, max: 9 * day }));
  const near = fc.tuple(fc.integer({ min: 0, max: day / 6 }), fc.integer({ min: 1, max: day / 4 }));
  fc.assert(
    fc.property(
      fc.oneof(
        ...[revision, near].map((one) => fc.array(one, { minLength: 1, maxLength: 20 })),
        fc.constantFrom<[number, number][]>(
          [[day, 1]],
          [
            [day, 1],
            [day, 2],
          ],
          [
            [day, 1],
            [2 * day, 2 * day],
            [day, 3 * day],
          ],
        ),
      ),
      fc.option(fc.integer({ min: 0, max: 12 * day })),
      fc.integer({ min: 0, max: 20 * day }),
      (etas, promised, after) => {
        const chart = etaSteps(history(etas), {
          ...size,
          untilMs: start + after,
          promised: promised === null ? null : timeOf(promised),
        });
        if (chart === null) throw new Error('no chart');
        expect(misplaced(chart)).toEqual([]);
      },
    ),
  );
});

it('keeps the order of the two lines in their labels at the end', () => {
  const steps = (promised: number, last: number) =>
    etaSteps(
      history([
        [promised, 0],
        [last, 3 * day],
      ]),
      { ...size, untilMs: start + 9 * day, promised: timeOf(promised) },
    );
  const hour = day / 24;
  for (const delay of [-72, -2, -1, 1, 2, 72]) {
    const chart = steps(20 * day, 20 * day + delay * hour);
    if (chart === null) throw new Error('no chart');
    const { end, base } = etaLabels(chart, size, 'planned');
    expect(Math.sign((base?.y ?? 0) - end.y)).toBe(Math.sign(delay));
    expect(Math.abs((base?.y ?? 0) - end.y)).toBeGreaterThanOrEqual(13);
  }
});

it('labels the revisions that differ from the promise, each beside its own dot', () => {
  const chart = etaSteps(
    history([
      [20 * day, 0],
      [21 * day, 3 * day],
      [22 * day, 6 * day],
    ]),
    {
      ...size,
      untilMs: start + 9 * day,
      promised: timeOf(20 * day),
    },
  );
  if (chart === null) throw new Error('no chart');
  const { revisions, end } = etaLabels(chart, size, 'planned');
  expect(revisions.map(({ text }) => text)).toEqual(['+24 h']);
  expect(
    Math.hypot((revisions[0]?.x ?? 0) - (chart.dots[1]?.x ?? 0), (revisions[0]?.y ?? 0) - (chart.dots[1]?.y ?? 0)),
  ).toBeLessThan(20);
  expect(end.text).toBe('+2 d');
});

it('names the reference date of the delays', () => {
  expect(baseWordsOf('planned', true)).toBe('planned');
  expect(baseWordsOf('first_estimated', true)).toBe('first estimate');
  expect(baseWordsOf(null, false)).toBe('first estimate');
  // Results of tools do not say which.
  expect(baseWordsOf(null, true)).toBe('promised');
});
