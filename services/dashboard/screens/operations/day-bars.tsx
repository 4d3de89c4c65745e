import { barSlots } from '#shared/domain/installation/history.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import type { WireOperationsHistory } from './operations-state.ts';

type Slots = WireOperationsHistory['bars'][string];
type Props = { slots: Slots | undefined };

const [slotWidth, gap, height] = [5, 1, 18];

/**
 * The calls of a carrier over 24 hours, a bar for each half hour: grey succeeded, red failed, amber hatched while rate
 * limited. Each carrier has its own scale. A gap: no worker was running.
 */
export function DayBars({ slots = [] }: Props) {
  const max = Math.max(...slots.map((calls) => calls?.[0] ?? 0), 1);
  const total = (index: 0 | 1) => slots.reduce((sum, calls) => sum + (calls?.[index] ?? 0), 0);
  const [requests, succeeded] = [total(0), total(1)];
  const words =
    requests === 0
      ? 'No calls in 24 hours'
      : `${requests.toLocaleString(numberLocale())} calls in 24 hours, ${(requests - succeeded).toLocaleString(numberLocale())} failed`;
  const width = barSlots * (slotWidth + gap) - gap;
  return (
    <svg
      role="img"
      aria-label={words}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="block h-[18px] w-full"
    >
      <title>{words}</title>
      <defs>
        <pattern id="limited-calls" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2" height="4" fill="var(--amber)" />
        </pattern>
      </defs>
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line)" />
      {slots.map((calls, index) => {
        if (calls === null || calls[0] === 0) return null;
        const [all, good, isLimited] = calls;
        // A single failure among thousands of calls stays visible, and so does a rate limit without failures.
        const badHeight = all === good && isLimited === 0 ? 0 : Math.max(((all - good) / max) * height, 2);
        const goodHeight = Math.min((good / max) * height, height - badHeight);
        const x = index * (slotWidth + gap);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place
          <g key={index}>
            <rect x={x} y={height - goodHeight} width={slotWidth} height={goodHeight} className="fill-bar" />
            {badHeight > 0 && (
              <rect
                x={x}
                y={height - goodHeight - badHeight}
                width={slotWidth}
                height={badHeight}
                fill={isLimited === 1 ? 'url(#limited-calls)' : 'var(--red)'}
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
