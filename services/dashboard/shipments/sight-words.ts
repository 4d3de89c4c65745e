import type { Tracking } from '../api/landfall-client.ts';
import { wordOf } from '../parts/status-words.ts';
import { momentWords, spanWords } from '../parts/time-words.ts';

/** Whether the carrier can be asked about it, since when not, and when it will be asked next: in one or two sentences. */
export function sightWords(
  tracking: Pick<Tracking, 'state' | 'reason' | 'last_succeeded_at' | 'next_check_at'>,
  { carrier, now }: { carrier: string; now: number },
): string {
  const { state, reason, last_succeeded_at: seenAt, next_check_at: nextAt } = tracking;
  const next = nextAt === null ? '' : ` Next look ${Date.parse(nextAt) <= now ? 'now' : `at ${clock(nextAt, now)}`}.`;
  switch (state) {
    case 'failed':
      return `No. It is not followed any more: ${wordOf(reason ?? 'unknown').toLowerCase()}.`;
    case 'stopped':
      return 'No. Somebody stopped following it.';
    case 'completed':
      return 'It is over: nothing more is asked.';
    case 'queued':
      return `Not yet. ${carrier} is asked now.`;
    case 'awaiting_carrier':
      return `Not yet. ${carrier} has no record of it.${next}`;
    case 'degraded':
      return `No. ${carrier} has not answered${seenAt === null ? '' : ` since ${clock(seenAt, now)}`}.${next}`;
    default:
      return seenAt === null
        ? `Not yet.${next}`
        : `Yes. ${carrier} answered ${spanWords(Math.max(0, now - Date.parse(seenAt)))} ago.${next}`;
  }
}

/** The clock alone where it is today. */
function clock(at: string, now: number): string {
  const [day, ...others] = momentWords(at, { now }).split(/ (?=\d\d:)/);
  const [today] = momentWords(new Date(now).toISOString(), { now }).split(/ (?=\d\d:)/);
  return day === today ? others.join(' ') : `${day} ${others.join(' ')}`;
}
