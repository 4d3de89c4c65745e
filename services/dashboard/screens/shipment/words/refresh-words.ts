import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { connectorName } from '#shared/domain/carriers/carrier-label.ts';
import type { WireRefresh } from '../../../api/wire.ts';
import { clockWords, dayWords, momentWords, relativeWords, spanWords } from '../../../parts/time-words.ts';
import { capital } from '../../../parts/words/code-words.ts';
import { pushedBy } from '../../../parts/words/source-words.ts';
import { pushedText, type TrackingText } from './pushed-words.ts';

export type RefreshKind = 'unchanged' | 'changed' | 'limited' | 'failed';

const reasons: Record<string, string> = {
  awaiting_events: 'no event pushed yet',
  carrier_not_found_yet: 'no record yet',
  not_found: 'no record',
  invalid_identifier: 'invalid number',
  wrong_identifier_type: 'wrong kind of number',
  carrier_not_supported: 'carrier not supported',
  carrier_unreachable: 'no response',
  carrier_rate_limited: 'rate limited',
  carrier_auth_failed: 'credentials rejected',
  credentials_missing: 'credentials missing',
  unrecognized_response: 'unrecognized response',
  partial_response: 'incomplete response',
  data_withheld: 'data withheld',
  internal_error: 'internal error',
};

/** The source of the data in words: `dcsa:maersk` reads `Maersk`, `simulator:maersk` reads `Maersk, simulated`. */
export function sourceWords(source: string | null): string {
  if (source === null || source === 'pushed') return source === null ? 'none yet' : 'pushed events';
  const pusher = pushedBy(source);
  if (pusher !== null) return `${pusher}, pushed`;
  const [kind, connector = kind ?? ''] = source.split(':');
  const name = connectorName(connector);
  return kind === 'simulator' ? `${capital(name)}, simulated` : name;
}

export function refreshKind(refresh: Pick<WireRefresh, 'outcome' | 'reason' | 'http_status'>): RefreshKind {
  if (refresh.outcome === 'changed') return 'changed';
  if (refresh.outcome === 'unchanged' || refresh.outcome === 'not_found') return 'unchanged';
  return refresh.reason === 'carrier_rate_limited' || refresh.http_status === 429 ? 'limited' : 'failed';
}

/** The outcome of a refresh, or of a run of equal ones: `no changes, 3 times`. */
export function refreshWords(
  refresh: Pick<WireRefresh, 'outcome' | 'reason' | 'http_status' | 'events_added' | 'count' | 'unreadable'>,
): string {
  const times = refresh.count > 1 ? `${refresh.count} times` : null;
  const unreadable = refresh.unreadable === null ? null : `${refresh.unreadable.count} unreadable`;
  if (refresh.outcome !== 'changed' && refresh.outcome !== 'unchanged')
    return joined(reasonText(refresh.reason ?? refresh.outcome), times);
  const incomplete = refresh.reason === null ? null : reasonText(refresh.reason);
  if (refresh.outcome === 'unchanged') return joined('no changes', times, incomplete, unreadable);
  if (refresh.events_added === 0) return joined('changed', times, incomplete, unreadable);
  const events = refresh.events_added === 1 ? '1 event' : `${refresh.events_added} events`;
  return joined(events, incomplete, unreadable);
}

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(', ');
}

/** `20 refreshes: 3 with changes, 1 rate limited`. */
export function countRefreshes(refreshes: readonly WireRefresh[]): string {
  const total = refreshes.reduce((sum, { count }) => sum + count, 0);
  const of = (kind: RefreshKind) =>
    refreshes.filter((refresh) => refreshKind(refresh) === kind).reduce((sum, { count }) => sum + count, 0);
  const parts = [
    [of('changed'), 'with changes'],
    [of('limited'), 'rate limited'],
    [of('failed'), 'failed'],
  ].filter(([count]) => Number(count) > 0);
  const rest = parts.length === 0 ? 'no changes' : parts.map(([count, words]) => `${count} ${words}`).join(', ');
  return `${total} ${total === 1 ? 'refresh' : 'refreshes'}: ${rest}`;
}

/** One bar per refresh, oldest first. Long runs of equal refreshes are shortened so that at most `maxBars` remain. */
export function refreshBars(refreshes: readonly WireRefresh[], maxBars = 40): RefreshKind[] {
  const barsAt = (maxRun: number) => refreshes.reduce((sum, { count }) => sum + Math.min(count, maxRun), 0);
  let maxRunBars = 1;
  while (maxRunBars < maxBars && barsAt(maxRunBars + 1) <= maxBars) maxRunBars += 1;
  return refreshes
    .toReversed()
    .flatMap((refresh) => Array<RefreshKind>(Math.min(refresh.count, maxRunBars)).fill(refreshKind(refresh)))
    .slice(-maxBars);
}

/** The state of tracking: the last response of the carrier and the next refresh. */
export function trackingText(
  { tracking, carrier_name: carrier }: Pick<WireShipment, 'tracking' | 'carrier_name'>,
  now: number,
): TrackingText {
  if (tracking === null) return { label: 'Not available', text: 'Past states contain no tracking data.', tone: 'over' };
  if (tracking.mode === 'pushed') return pushedText(tracking, carrier, now);
  const { state, reason, last_succeeded_at: succeeded, next_refresh_at: next } = tracking;
  const responded =
    succeeded === null ? `No response from ${carrier} yet.` : `${carrier} responded ${relativeWords(succeeded, now)}.`;
  const silent =
    succeeded === null
      ? `No response from ${carrier} yet`
      : `No response from ${carrier} since ${clock(succeeded, now)}`;
  const ahead =
    next === null ? '' : Date.parse(next) <= now ? ' Next refresh due.' : ` Next refresh ${clock(next, now)}.`;
  switch (state) {
    case 'queued':
      return { label: 'Waiting', text: `First refresh queued.${ahead}`, tone: 'warning' };
    case 'active':
      return tracking.freshness === 'stale'
        ? { label: 'Stale', text: `${silent}.${ahead}`, tone: 'warning' }
        : { label: 'Healthy', text: `${responded}${ahead}`, tone: 'good' };
    case 'awaiting_carrier':
      return { label: 'Waiting', text: `${awaiting(reason, carrier)}${ahead}`, tone: 'warning' };
    case 'degraded': {
      if (reason === 'unrecognized_response')
        return { label: 'Degraded', text: `${carrier} responded, but nothing could be read.${ahead}`, tone: 'bad' };
      if (reason === 'partial_response')
        return { label: 'Degraded', text: `${responded} Its response was incomplete.${ahead}`, tone: 'warning' };
      const why = reason === null || reason === 'carrier_unreachable' ? '' : `: ${reasonText(reason)}`;
      return { label: 'Degraded', text: `${silent}${why}.${ahead}`, tone: 'bad' };
    }
    case 'failed':
      return { label: 'Failing', text: failed(reason, carrier), tone: 'bad' };
    case 'stopped':
      return {
        label: 'Stopped',
        text:
          reason === 'booking_cancelled' ? 'The booking is cancelled.' : 'Resume tracking to poll the carrier again.',
        tone: 'over',
      };
    case 'completed':
      return { label: 'Completed', text: responded, tone: 'over' };
    default:
      return { label: state.replaceAll('_', ' '), text: `${responded}${ahead}`, tone: 'over' };
  }
}

/** The same while Landfall itself does not answer. `now` is the time of its last answer. */
export function outageText(shipment: Pick<WireShipment, 'tracking' | 'carrier_name'>, now: number): TrackingText {
  const { label, text } = trackingText(shipment, now);
  return {
    label: 'Unknown',
    text: `Landfall is unreachable. At its last answer: ${label.toLowerCase()}. ${text}`,
    tone: 'over',
  };
}

/** The present interval between refreshes, taken from the last and the next one. */
export function cadenceWords(tracking: NonNullable<WireShipment['tracking']>): string | null {
  const { last_refreshed_at: last, next_refresh_at: next } = tracking;
  if (last === null || next === null) return null;
  return `about every ${spanWords(Math.max(Date.parse(next) - Date.parse(last), 60_000))}`;
}

/** A reason of the tracking state, in the middle of a sentence. */
export function reasonText(reason: string): string {
  return reasons[reason] ?? reason.replaceAll('_', ' ');
}

function awaiting(reason: string | null, carrier: string): string {
  if (reason === 'credentials_missing') return `Credentials for ${carrier} are missing. Add them to start tracking.`;
  if (reason === 'carrier_auth_failed') return `${carrier} rejects the credentials. Set new ones to continue tracking.`;
  if (reason === 'carrier_rate_limited') return `The calls that ${carrier} allows are used up for now.`;
  if (reason === 'data_withheld') return `${carrier} does not show this number to these credentials.`;
  return `${carrier} has no record of this number yet.`;
}

function failed(reason: string | null, carrier: string): string {
  switch (reason) {
    case 'not_found':
      return `${carrier} had no record of this number for 30 days.`;
    case 'no_updates_60d':
      return `${carrier} has reported nothing new for 60 days.`;
    case 'credentials_missing':
      return `Credentials for ${carrier} are missing.`;
    default:
      return `${carrier} tracking failed${reason === null ? '' : `: ${reasonText(reason)}`}. Resume tracking to retry.`;
  }
}

function clock(at: string, now: number): string {
  const isToday = dayWords(at, null, now) === dayWords(new Date(now).toISOString(), null, now);
  return isToday ? clockWords(at) : momentWords(at, { now });
}
