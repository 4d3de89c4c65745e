import { type DatedTime, delayHoursOf } from '#shared/domain/record/promised-times.ts';

type Revision = { eta: DatedTime; etaMs: number; seenMs: number };
export type ChartSize = {
  width: number;
  height: number;
  margin: { left: number; right: number; top: number; bottom: number };
};

export type EtaChart = {
  /** SVG path of the step line. */
  line: string;
  dots: { x: number; y: number; hours: number }[];
  /** Null without a promise. */
  promisedY: number | null;
  yTicks: { y: number; atMs: number }[];
  xTicks: { x: number; atMs: number }[];
  /** The end of the line: now, or the arrival. */
  end: { x: number; y: number; hours: number };
};

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * The history of an ETA as a step line: each revision holds until the next, the last one until `untilMs`. Delays are
 * relative to the first promise, or to the first estimate without it.
 */
export function etaSteps(
  history: readonly { eta: DatedTime; seen_at: string }[],
  { width, height, margin, untilMs, promised }: ChartSize & { untilMs: number; promised: DatedTime | null },
): EtaChart | null {
  const revisions = history
    .map(({ eta, seen_at }) => ({ eta, etaMs: Date.parse(eta.at), seenMs: Date.parse(seen_at) }))
    .sort(bySeen);
  const [first] = revisions;
  const last = revisions.at(-1);
  if (first === undefined || last === undefined) return null;
  const endMs = Math.max(untilMs, last.seenMs + hourMs);
  const base = promised ?? first.eta;
  const baseMs = Date.parse(base.at);
  const values = [...revisions.map(({ etaMs }) => etaMs), baseMs];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const slack = Math.max((high - low) * 0.12, 2 * hourMs);
  const x = scale(first.seenMs, endMs, margin.left, width - margin.right);
  const y = scale(low - slack, high + slack, height - margin.bottom, margin.top);
  const dots = revisions.map(({ seenMs, eta, etaMs }) => ({
    x: x(seenMs),
    y: y(etaMs),
    hours: delayHoursOf(base, eta) ?? 0,
  }));
  const end = { x: x(endMs), y: y(last.etaMs), hours: delayHoursOf(base, last.eta) ?? 0 };
  return {
    line: stepPath(dots, end.x),
    dots,
    promisedY: promised === null && revisions.length === 1 ? null : y(baseMs),
    yTicks: spread(low - slack, high + slack, 3).map((atMs) => ({ atMs, y: y(atMs) })),
    xTicks: spread(first.seenMs, endMs, 5).map((atMs) => ({ atMs, x: x(atMs) })),
    end,
  };
}

function bySeen(left: Revision, right: Revision): number {
  return left.seenMs - right.seenMs;
}

function scale(fromMs: number, toMs: number, from: number, to: number): (atMs: number) => number {
  const factor = toMs === fromMs ? 0 : (to - from) / (toMs - fromMs);
  return (atMs) => Math.round((from + (atMs - fromMs) * factor) * 10) / 10;
}

function stepPath(dots: readonly { x: number; y: number }[], endX: number): string {
  const [first, ...others] = dots;
  if (first === undefined) return '';
  return `M${first.x} ${first.y}${others.map(({ x, y }) => `H${x}V${y}`).join('')}H${endX}`;
}

/** At most `max` ticks between two times, at full days, or at quarters of a day in short ranges. */
function spread(fromMs: number, toMs: number, max: number): number[] {
  const unit = (toMs - fromMs) / max <= dayMs / 4 ? 6 * hourMs : dayMs;
  const step = Math.max(1, Math.ceil((toMs - fromMs) / unit / max)) * unit;
  const ticks: number[] = [];
  for (let atMs = Math.ceil(fromMs / unit) * unit; atMs <= toMs; atMs += step) ticks.push(atMs);
  return ticks;
}
