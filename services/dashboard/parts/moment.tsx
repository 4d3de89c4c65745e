import { momentWords, relativeWords, zoneWords } from './time-words.ts';
import { useNow } from './use-now.ts';

/** A time: relative in lists, exact in the record; the other one, with both zones, on hover. */
export function Moment({
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
  const title = [exact ? relative : local, ...(local === here ? [] : [`${here} here`])].join(' · ');
  return (
    <time dateTime={at} title={title} className={className}>
      {exact ? local : relative}
    </time>
  );
}
