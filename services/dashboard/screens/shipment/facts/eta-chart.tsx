import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { clockWords, dayWords, momentWords } from '../../../parts/time-words.ts';
import { capital } from '../../../parts/words/code-words.ts';
import { baseWordsOf, type ChartText, etaLabels } from '../words/eta-labels.ts';
import { etaSteps } from '../words/eta-steps.ts';

const size = { width: 368, height: 130, margin: { left: 50, right: 86, top: 18, bottom: 20 } };

/**
 * The estimate over time, compared with the first promise: the plan, or the first estimate. `times` are those that
 * `history` is about.
 */
export function EtaChart({
  history,
  times: { promised, actual, delay_basis: basis },
  now,
}: {
  history: WireShipment['eta_history'];
  times: Pick<WireShipment['delivery'], 'promised' | 'actual' | 'delay_basis'>;
  now: number;
}) {
  const untilMs = actual === null ? now : Date.parse(actual.at);
  const zone = promised?.timezone ?? null;
  const revisions = actual === null ? history : [...history, { eta: actual, seen_at: actual.at }];
  const chart = etaSteps(revisions, { ...size, untilMs, promised });
  if (chart === null) return null;
  const baseWords = baseWordsOf(basis, promised !== null);
  const labels = etaLabels(chart, size, baseWords);
  const late = chart.end.hours > 0 ? 'fill-amber' : 'fill-green';
  const base = promised ?? history[0]?.eta ?? null;
  const isByHours = chart.yTicks.length > 1 && (chart.yTicks[1]?.atMs ?? 0) - (chart.yTicks[0]?.atMs ?? 0) < 86_400_000;
  return (
    <svg
      role="img"
      aria-label={`The estimate changed ${history.length - 1} times: ${history.map(({ eta, seen_at }) => `${momentWords(eta.at, { zone: eta.timezone, now })} (reported ${dayWords(seen_at, null, now)})`).join('; ')}.${base === null ? '' : ` ${capital(baseWords)}: ${momentWords(base.at, { zone: base.timezone, now })}.`}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      className="mt-1 block h-auto w-full max-w-[420px] text-axis"
    >
      {chart.yTicks.map(({ y, atMs }) => (
        <g key={atMs}>
          <line x1={size.margin.left} x2={size.width - size.margin.right} y1={y} y2={y} className="stroke-line" />
          <text x={0} y={y + 4} className="fill-t3">
            {isByHours ? clockWords(new Date(atMs).toISOString(), { zone }) : dayOf(atMs, zone)}
          </text>
        </g>
      ))}
      {chart.xTicks.map(({ x, atMs }, index) => (
        <text key={atMs} x={x} y={size.height - 4} textAnchor="middle" className="fill-t3">
          {dayOf(atMs) === dayOf(chart.xTicks[index - 1]?.atMs ?? 0) ? '' : dayOf(atMs)}
        </text>
      ))}
      {chart.promisedY !== null && (
        <line
          x1={size.margin.left}
          x2={size.width - size.margin.right}
          y1={chart.promisedY}
          y2={chart.promisedY}
          strokeDasharray="1.5 3"
          className="stroke-t3"
        />
      )}
      <path d={chart.line} fill="none" strokeWidth={1.5} className="stroke-t1" />
      {chart.dots.map(({ x, y }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several revisions can have the same place
        <circle key={index} cx={x} cy={y} r={2} className="fill-t1" />
      ))}
      <circle cx={chart.end.x} cy={chart.end.y} r={2.5} className={late} />
      {labels.revisions.map((label) => (
        <Label key={`${label.x} ${label.y}`} {...label} className="fill-t3" />
      ))}
      {labels.base !== null && <Label {...labels.base} className="fill-t3" />}
      <Label {...labels.end} className={`font-medium ${late}`} />
    </svg>
  );
}

function Label({ text, x, y, align, className }: ChartText & { className: string }) {
  return (
    <text x={x} y={y} textAnchor={align} className={className}>
      {text}
    </text>
  );
}

/** Without a year: the headline has it. */
function dayOf(atMs: number, zone: string | null = null): string {
  return dayWords(new Date(atMs).toISOString(), zone, atMs);
}
