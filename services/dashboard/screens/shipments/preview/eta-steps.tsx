import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { deltaWords, momentWords } from '../../../parts/time-words.ts';
import { etaSteps } from './eta-path.ts';

type Props = { history: WireShipment['eta_history']; delayHours: number | null };

const [width, height] = [250, 44];

/** Each revision of the expected arrival as a step, against what was first expected. */
export function EtaSteps({ history, delayHours }: Props) {
  const steps = etaSteps(
    history.map(({ eta, seen_at }) => ({ eta: Date.parse(eta.at), seenAt: Date.parse(seen_at) })),
    { width, height },
  );
  const last = steps.points.at(-1);
  if (last === undefined) return null;
  const isLate = (delayHours ?? 0) > 0;
  const words = deltaWords(delayHours ?? 0);
  const told = history.map(({ eta }) => momentWords(eta.at, { zone: eta.timezone })).join(', then ');
  return (
    <div className="flex items-stretch gap-2">
      <svg
        role="img"
        aria-label={`Expected ${told}`}
        viewBox={`-4 -4 ${width + 8} ${height + 8}`}
        width={width + 8}
        height={height + 8}
        className="shrink text-t1"
      >
        <path d={`M0 ${steps.planned}H${width}`} stroke="var(--t3)" strokeDasharray="1.500 3" fill="none" />
        <path d={steps.path} stroke="currentColor" strokeWidth="1.500" fill="none" />
        {steps.points.map(({ x, y }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="2" fill="currentColor" />
        ))}
        <circle cx={width} cy={last.y} r="2.500" className={isLate ? 'fill-amber' : 'fill-green'} />
      </svg>
      <span className="relative w-14 text-axis">
        <span className={`absolute whitespace-nowrap ${isLate ? 'text-amber' : 'text-t2'}`} style={{ top: last.y - 4 }}>
          {words}
        </span>
        {Math.abs(last.y - steps.planned) > 12 && (
          <span className="absolute text-t3" style={{ top: steps.planned - 4 }}>
            planned
          </span>
        )}
      </span>
    </div>
  );
}
