import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import type { WireRefresh } from '../../../api/wire.ts';
import { momentWords, relativeWords, spanWords } from '../../../parts/time-words.ts';

export type RefreshKind = 'quiet' | 'news' | 'slowed' | 'failed';

const reasons: Record<string, string> = {
  carrier_not_found_yet: 'does not know it yet',
  not_found: 'does not know it',
  invalid_identifier: 'says the number is not valid',
  wrong_identifier_type: 'says it is another kind of number',
  carrier_not_supported: 'cannot be asked',
  carrier_unreachable: 'gave no answer',
  carrier_rate_limited: 'asked to slow down',
  carrier_auth_failed: 'refused the credentials',
  credentials_missing: 'needs credentials',
  unrecognized_response: 'gave an answer that was not understood',
  data_withheld: 'keeps its data back',
  internal_error: 'could not be read by us',
};

export function refreshKind(refresh: Pick<WireRefresh, 'outcome' | 'reason' | 'http_status'>): RefreshKind {
  if (refresh.outcome === 'changed') return 'news';
  if (refresh.outcome === 'unchanged' || refresh.outcome === 'not_found') return 'quiet';
  return refresh.reason === 'carrier_rate_limited' || refresh.http_status === 429 ? 'slowed' : 'failed';
}

/** What came of a refresh, or of a run of refreshes: `nothing new, 3 times`. */
export function refreshWords(
  refresh: Pick<WireRefresh, 'outcome' | 'reason' | 'http_status' | 'events_added' | 'count'>,
): string {
  const times = refresh.count > 1 ? `, ${refresh.count} times` : '';
  if (refresh.outcome === 'changed') {
    if (refresh.events_added === 0) return `changed${times}`;
    return refresh.events_added === 1 ? '1 event' : `${refresh.events_added} events`;
  }
  if (refresh.outcome === 'unchanged') return `nothing new${times}`;
  return `${reasons[refresh.reason ?? ''] ?? (refresh.reason ?? refresh.outcome).replaceAll('_', ' ')}${times}`;
}

/** `20 refreshes: 3 with news, 1 refused`. */
export function countRefreshes(refreshes: readonly WireRefresh[]): string {
  const total = refreshes.reduce((sum, { count }) => sum + count, 0);
  const of = (kind: RefreshKind) =>
    refreshes.filter((refresh) => refreshKind(refresh) === kind).reduce((sum, { count }) => sum + count, 0);
  const parts = [
    [of('news'), 'with news'],
    [of('slowed'), 'slowed down'],
    [of('failed'), 'failed'],
  ].filter(([count]) => Number(count) > 0);
  const rest = parts.length === 0 ? 'nothing new' : parts.map(([count, words]) => `${count} ${words}`).join(', ');
  return `${total} ${total === 1 ? 'refresh' : 'refreshes'}: ${rest}`;
}

/** One bar a refresh, oldest first; long runs of refreshes without news are cut so that the others stay in sight. */
export function refreshBars(refreshes: readonly WireRefresh[], most = 40): RefreshKind[] {
  const barsAt = (longest: number) => refreshes.reduce((sum, { count }) => sum + Math.min(count, longest), 0);
  let mostOfRun = 1;
  while (mostOfRun < most && barsAt(mostOfRun + 1) <= most) mostOfRun += 1;
  return refreshes
    .toReversed()
    .flatMap((refresh) => Array<RefreshKind>(Math.min(refresh.count, mostOfRun)).fill(refreshKind(refresh)))
    .slice(-most);
}

export type Seen = { lead: string; rest: string; tone: 'good' | 'warning' | 'bad' | 'over' };

/** Whether we can still see the cargo, as a sentence: who answered when, and what comes next. */
export function seenWords(
  { tracking, carrier_name: carrier }: Pick<WireShipment, 'tracking' | 'carrier_name'>,
  now: number,
): Seen {
  if (tracking === null) return { lead: 'Not asked.', rest: 'The past has no tracking.', tone: 'over' };
  const { state, reason, last_succeeded_at: succeeded, next_refresh_at: next } = tracking;
  const answered =
    succeeded === null ? `${carrier} has never answered` : `${carrier} answered ${relativeWords(succeeded, now)}`;
  const silent =
    succeeded === null ? `${carrier} has never answered` : `${carrier} has not answered since ${clock(succeeded, now)}`;
  const ahead =
    next === null
      ? ''
      : Date.parse(next) <= now
        ? ' The next refresh is due now.'
        : ` Next refresh of ${clock(next, now)}.`;
  switch (state) {
    case 'queued':
      return { lead: 'Not yet.', rest: `${carrier} is about to be asked.`, tone: 'warning' };
    case 'active':
      return tracking.freshness === 'stale'
        ? { lead: 'Not lately.', rest: `${silent}.${ahead}`, tone: 'warning' }
        : { lead: 'Yes.', rest: `${answered}.${ahead}`, tone: 'good' };
    case 'awaiting_carrier':
      return { lead: 'Not yet.', rest: `${awaiting(reason, carrier)}${ahead}`, tone: 'warning' };
    case 'degraded':
      return {
        lead: 'Not now.',
        rest: `${silent}${reason === 'carrier_unreachable' ? '' : `: it ${reasons[reason ?? ''] ?? 'fails'}`}.${ahead}`,
        tone: 'bad',
      };
    case 'failed':
      return { lead: 'No.', rest: failed(reason, carrier), tone: 'bad' };
    case 'stopped':
      return {
        lead: 'Stopped.',
        rest:
          reason === 'booking_cancelled'
            ? 'The booking is cancelled; nobody is asked any more.'
            : 'Nobody is asked any more, until you resume it.',
        tone: 'over',
      };
    case 'completed':
      return { lead: 'Done.', rest: `The journey is over. ${answered}.`, tone: 'over' };
    default:
      return { lead: `${state.replaceAll('_', ' ')}.`, rest: `${answered}.${ahead}`, tone: 'over' };
  }
}

/** How often it is asked now, read off the last refresh and the next one. */
export function cadenceWords(tracking: NonNullable<WireShipment['tracking']>): string | null {
  const { last_refreshed_at: last, next_refresh_at: next } = tracking;
  if (last === null || next === null) return null;
  return `about every ${spanWords(Math.max(Date.parse(next) - Date.parse(last), 60_000))}`;
}

function awaiting(reason: string | null, carrier: string): string {
  if (reason === 'credentials_missing') return `${carrier} can be asked once its credentials are there.`;
  return `${carrier} does not know the number yet.`;
}

function failed(reason: string | null, carrier: string): string {
  switch (reason) {
    case 'not_found':
      return `${carrier} did not know the number for 30 days.`;
    case 'no_updates_60d':
      return `${carrier} has told nothing new for 60 days.`;
    case 'credentials_missing':
      return `The credentials for ${carrier} are missing.`;
    default:
      return `${carrier} ${reasons[reason ?? ''] ?? 'cannot be asked'}. Nobody is asked any more, until you resume it.`;
  }
}

function clock(at: string, now: number): string {
  const words = momentWords(at, { now });
  const isToday = words.slice(0, -6) === momentWords(new Date(now).toISOString(), { now }).slice(0, -6);
  return isToday ? words.slice(-5) : words;
}
