import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { clockWords, dayWords, deltaWords, momentWords } from '../../../parts/time-words.ts';
import { etaSteps } from './eta-steps.ts';

const size = { width: 368, height: 130, margin: { left: 44, right: 56, top: 18, bottom: 20 } };

/** The estimate over time, compared with the first promise. `times` are those that `history` is about. */
export function EtaChart({
  history,
  times: { promised, actual },
  now,
}: {
  history: WireShipment['eta_history'];
  times: Pick<WireShipment['delivery'], 'promised' | 'actual'>;
  now: number;
}) {
  const untilMs = actual === null ? now : Date.parse(actual.at);
  const zone = promised?.timezone ?? null;
  const revisions = actual === null ? history : [...history, { eta: actual, seen_at: actual.at }];
  const chart = etaSteps(revisions, { ...size, untilMs, promised });
  if (chart === null) return null;
  const isByHours = chart.yTicks.length > 1 && (chart.yTicks[1]?.atMs ?? 0) - (chart.yTicks[0]?.atMs ?? 0) < 86_400_000;
  return (
    <svg
      role="img"
      aria-label={`The estimate changed ${history.length - 1} times: ${history.map(({ eta, seen_at }) => `${momentWords(eta.at, { zone: eta.timezone, now })} (reported ${dayWords(seen_at, null, now)})`).join('; ')}.`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      className="mt-1 block h-auto w-full max-w-[420px] text-axis"
    >
      {chart.yTicks.map(({ y, atMs }) => (
        <g key={atMs}>
          <line x1={size.margin.left} x2={size.width - size.margin.right} y1={y} y2={y} className="stroke-line" />
          <text x={0} y={y + 4} className="fill-t3">
            {isByHours
              ? clockWords(new Date(atMs).toISOString(), { zone })
              : dayWords(new Date(atMs).toISOString(), zone, now)}
          </text>
        </g>
      ))}
      {chart.xTicks.map(({ x, atMs }, index) => (
        <text key={atMs} x={x} y={size.height - 4} textAnchor="middle" className="fill-t3">
          {dayOf(atMs, now) === dayOf(chart.xTicks[index - 1]?.atMs ?? 0, now) ? '' : dayOf(atMs, now)}
        </text>
      ))}
      {chart.promisedY !== null && (
        <>
          <line
            x1={size.margin.left}
            x2={size.width - size.margin.right}
            y1={chart.promisedY}
            y2={chart.promisedY}
            strokeDasharray="1.5 3"
            className="stroke-t3"
          />
          {Math.abs(chart.promisedY - chart.end.y) > 12 && (
            <text x={size.width - 50} y={chart.promisedY + 4} className="fill-t3">
              promised
            </text>
          )}
        </>
      )}
      <path d={chart.line} fill="none" strokeWidth={1.5} className="stroke-t1" />
      {chart.dots.map((dot) => (
        <g key={dot.x}>
          <circle cx={dot.x} cy={dot.y} r={2} className="fill-t1" />
          {dot.labelled && (
            <text x={dot.x + 4} y={dot.y - 6} className="fill-t3">
              {deltaWords(dot.hours)}
            </text>
          )}
        </g>
      ))}
      <circle cx={chart.end.x} cy={chart.end.y} r={2.5} className={chart.end.hours > 0 ? 'fill-amber' : 'fill-green'} />
      <text
        x={chart.end.x + 6}
        y={chart.end.y + 4}
        className={`font-medium ${chart.end.hours > 0 ? 'fill-amber' : 'fill-green'}`}
      >
        {deltaWords(chart.end.hours)}
      </text>
    </svg>
  );
}

function dayOf(atMs: number, now: number): string {
  return dayWords(new Date(atMs).toISOString(), null, now);
}
