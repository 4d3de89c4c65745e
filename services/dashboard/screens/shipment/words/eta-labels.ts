import { boxOf, placeLabels } from '#shared/route-map/place-labels.ts';
import { deltaWords } from '../../../parts/time-words.ts';
import type { ChartSize, EtaChart } from './eta-steps.ts';

/** A text of the chart with its baseline, in pixels of the chart. */
export type ChartText = { text: string; x: number; y: number; align: 'start' | 'middle' | 'end' };

export type EtaLabels = {
  /** Revisions that differ from the promise, as far as they have room beside their own dot. */
  revisions: ChartText[];
  /** The difference at the end of the line. */
  end: ChartText;
  /** Reference date of the delays; null where that line is not drawn. */
  base: ChartText | null;
};

/** Baselines of two texts are at least this far apart. */
const lineHeightPx = 13;
const middlePx = 4;
const sampleEveryPx = 4;

/**
 * The texts of the chart. None covers another one, a line or a dot, and none leaves the chart. `baseWords` names what
 * the delays are counted from. The texts in the right margin keep the order of their lines.
 */
export function etaLabels(chart: EtaChart, size: ChartSize, baseWords: string): EtaLabels {
  const { end, promisedY } = chart;
  const x = end.x + 6;
  const [endY, baseY] = apart(end.y + middlePx, promisedY === null ? null : promisedY + middlePx, size);
  return {
    revisions: revisionLabels(chart, size),
    end: { text: deltaWords(end.hours), x, y: endY, align: 'start' },
    base: baseY === null ? null : { text: baseWords, x, y: baseY, align: 'start' },
  };
}

/**
 * Words for the reference date of the delays, by `delay_basis`. Without a promise, it is the first estimate of the
 * history.
 */
export function baseWordsOf(basis: string | null, hasPromise: boolean): string {
  if (basis === 'planned') return 'planned';
  return basis === 'first_estimated' || !hasPromise ? 'first estimate' : 'promised';
}

function apart(endY: number, baseY: number | null, { height, margin }: ChartSize): [number, number | null] {
  if (baseY === null) return [endY, null];
  const [upper, lower] = baseY < endY ? [baseY, endY] : [endY, baseY];
  const missing = Math.max(0, lineHeightPx - (lower - upper));
  const top = Math.min(Math.max(upper - missing / 2, 10), height - margin.bottom - lineHeightPx);
  const bottom = Math.max(lower + missing / 2, top + lineHeightPx);
  const low = Math.min(bottom, height - margin.bottom);
  return baseY < endY ? [low, top] : [top, low];
}

function revisionLabels({ dots, end, promisedY }: EtaChart, { width, height, margin }: ChartSize): ChartText[] {
  const plot = { width: width - margin.left - margin.right, height: height - margin.bottom };
  const shift = ({ x, y }: { x: number; y: number }) => ({ x: x - margin.left, y });
  const lines = [
    ...stepSamples(dots, end.x),
    ...(promisedY === null ? [] : levelSamples(margin.left, end.x, promisedY)),
  ];
  const route = lines.map(shift);
  const last = dots.length - 1;
  const anchors = dots.flatMap((dot, index) =>
    dot.hours === 0 || index === last
      ? []
      : [{ ...shift(dot), id: String(index), title: deltaWords(dot.hours), detail: '', weight: index }],
  );
  return placeLabels(anchors, route, plot).flatMap((label) => {
    const { x0, y0, x1, y1 } = boxOf(label);
    if (route.some(({ x, y }) => x > x0 && x < x1 && y > y0 && y < y1)) return [];
    return [{ text: label.title, x: label.textX + margin.left, y: label.titleY, align: label.align }];
  });
}

/** Points along the step line. */
function stepSamples(dots: EtaChart['dots'], endX: number): { x: number; y: number }[] {
  return dots.flatMap(({ x, y }, index) => {
    const next = dots[index + 1];
    const level = levelSamples(x, next?.x ?? endX, y);
    if (next === undefined) return level;
    const [top, bottom] = [Math.min(y, next.y), Math.max(y, next.y)];
    return [...level, ...steps(top, bottom).map((at) => ({ x: next.x, y: at }))];
  });
}

function levelSamples(fromX: number, toX: number, y: number): { x: number; y: number }[] {
  return steps(fromX, toX).map((x) => ({ x, y }));
}

function steps(from: number, to: number): number[] {
  const count = Math.max(1, Math.ceil((to - from) / sampleEveryPx));
  return Array.from({ length: count + 1 }, (_, step) => from + ((to - from) * step) / count);
}
