import { useNow } from './hooks/use-now.ts';
import { delayWords, momentWords, relativeWords, zoneWords } from './time-words.ts';
import { capital } from './words/code-words.ts';

/** A time, relative in lists and exact in records. The tooltip has the other form and both time zones. */
export function Timestamp({
  at,
  zone,
  exact = false,
  className,
}: {
  at: string;
  zone?: string | null;
  exact?: boolean;
  className?: string;
}) {
  const now = useNow();
  const local = `${momentWords(at, { zone: zone ?? null, now })} ${zoneWords(at, zone)}`;
  const here = `${momentWords(at, { now })} ${zoneWords(at)}`;
  const relative = relativeWords(at, now);
  const title = [exact ? relative : local, ...(local === here ? [] : [`${here} your time`])].join(' · ');
  return (
    <time dateTime={at} title={title} className={className}>
      {exact ? local : relative}
    </time>
  );
}

type DeltaProps = {
  hours: number | null | undefined;
  /** Hours since an unconfirmed ETA, which are shown instead. */
  overdueHours?: number | null;
  /** Wording for a promised delivery that is early, on time or late, where hours alone do not show it. */
  onTime?: string | null;
  className?: string;
};

/**
 * The difference to the promise: `+31 h` amber, `−3 h` green, `on time`, or `+8 d, not confirmed`. Hours below 48, else
 * days.
 */
export function Delta({ hours = null, overdueHours = null, onTime = null, className = '' }: DeltaProps) {
  const words = delayWords(hours, overdueHours, onTime);
  if (words === null) return null;
  if (words === 'on time') return <span className={`text-label text-t3 ${className}`}>{words}</span>;
  const isLate = overdueHours !== null || words === 'late' || words.startsWith('+');
  const size = words === 'late' || words === 'early' ? '' : `${words.slice(1)} `;
  const title =
    overdueHours === null
      ? capital(`${size}${isLate ? 'later' : 'earlier'} than first promised`)
      : 'The ETA has passed. The carrier has not confirmed it.';
  return (
    <span
      className={`whitespace-nowrap text-label font-medium tabular-nums ${isLate ? 'text-amber' : 'text-green'} ${className}`}
      title={title}
    >
      {words}
    </span>
  );
}
