import { useNow } from '../../parts/use-now.ts';
import { type CarrierTime, carrierMoment, viewerWords } from './carrier-time.ts';

/** A carrier's time by the clock where it happened; by the viewer's on hover. */
export function LocalTime({ time, className }: { time: CarrierTime; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={time.at} title={viewerWords(time, now)} className={className}>
      {carrierMoment(time, now)}
    </time>
  );
}
