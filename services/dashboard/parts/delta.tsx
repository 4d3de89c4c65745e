import { deltaWords } from './time-words.ts';

/** How much later or earlier than planned: `+31 h` amber, `−3 h` green, `on time`; hours under 48, else days. */
export function Delta({ hours, className = '' }: { hours: number | null | undefined; className?: string }) {
  if (hours === null || hours === undefined) return null;
  const rounded = Math.round(hours);
  if (rounded === 0) return <span className={`text-label text-t3 ${className}`}>on time</span>;
  const words = deltaWords(rounded);
  const late = rounded > 0;
  return (
    <span
      className={`whitespace-nowrap text-label font-medium tabular-nums ${late ? 'text-amber' : 'text-green'} ${className}`}
      title={`${words.slice(1)} ${late ? 'later' : 'earlier'} than planned`}
    >
      {words}
    </span>
  );
}
