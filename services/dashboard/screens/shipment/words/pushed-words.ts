import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { momentWords, relativeWords, spanWords, zoneWords } from '../../../parts/time-words.ts';

type Tracking = NonNullable<WireShipment['tracking']>;

/** `label` is the state in one word; `text` says since when, why, and what comes next. */
export type TrackingText = { label: string; text: string; tone: 'good' | 'warning' | 'bad' | 'over' };

const hourMs = 3_600_000;

/** True when the shipment's carrier is not polled: its events are pushed. */
export function isPushed({ tracking }: Pick<WireShipment, 'tracking'>): boolean {
  return tracking?.mode === 'pushed';
}

/** The state of tracking by pushed events: the last one, and when silence makes the shipment stale. */
export function pushedText(tracking: Tracking, carrier: string, now: number): TrackingText {
  const { state, reason, freshness, last_succeeded_at: last } = tracking;
  const received = last === null ? 'No event received yet.' : `Last event received ${relativeWords(last, now)}.`;
  const polls = `Landfall doesn't poll ${carrier}: events are pushed.`;
  const stale = staleAt(tracking);
  switch (state) {
    case 'stopped':
      return {
        label: 'Stopped',
        text: reason === 'booking_cancelled' ? 'The booking is cancelled.' : 'Resume tracking to expect events again.',
        tone: 'over',
      };
    case 'completed':
      return { label: 'Completed', text: `${received} Late events are still recorded.`, tone: 'over' };
    case 'failed':
      return { label: 'Ended', text: `${received} Tracking ended after 60 days without a new event.`, tone: 'bad' };
    default:
      if (freshness === 'stale' && last !== null)
        return {
          label: 'Stale',
          text: `No event received since ${moment(last, now)}, for more than ${hoursWords(tracking)}. ${polls}`,
          tone: 'warning',
        };
      if (last === null) return { label: 'Waiting', text: `${received} ${polls}`, tone: 'warning' };
      return {
        label: 'Up to date',
        text: `${received} ${polls}${stale === null ? '' : ` Stale without another one by ${moment(stale, now)}.`}`,
        tone: 'good',
      };
  }
}

/** When silence makes the shipment stale: `48 h after the last event`. */
export function silenceWords(tracking: Tracking): string {
  return `${hoursWords(tracking)} after the last event`;
}

function hoursWords({ stale_after_hours: hours }: Tracking): string {
  return spanWords((hours ?? 48) * hourMs);
}

function staleAt({ last_succeeded_at: last, stale_after_hours: hours }: Tracking): string | null {
  return last === null || hours === null ? null : new Date(Date.parse(last) + hours * hourMs).toISOString();
}

function moment(at: string, now: number): string {
  return `${momentWords(at, { now })} ${zoneWords(at)}`;
}
