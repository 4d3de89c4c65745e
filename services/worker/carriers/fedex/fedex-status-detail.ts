import type { EventCode } from '#shared/domain/events/event.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';
import { wordedDetail } from '../reading/worded-detail.ts';

/**
 * The detail of a scan with this meaning, by its words, or else by its delay. FedEx publishes the texts of its
 * exceptions in examples only, and no list of their codes.
 */
export function detailOfScan(code: EventCode, scan: LenientObject, words: readonly string[]): StatusDetail | undefined {
  for (const each of [...words].reverse()) {
    const detail = wordedDetail(code, each);
    if (detail !== undefined && detail !== 'carrier_delay') return detail;
  }
  return detailOfDelay(code, child(scan, 'delayDetail')) ?? wordedDetail(code, words.join(' '));
}

/** After these, a delay is over or has not begun. */
const undelayedCodes: readonly EventCode[] = [
  'information_received',
  'cancelled',
  'out_for_delivery',
  'available_for_pickup',
  'delivered',
  'return_started',
  'returned',
];

/** `ON_TIME` and `EARLY` are no delays, and the scans report customs. */
export function detailOfDelay(code: EventCode, delay: LenientObject | null): StatusDetail | undefined {
  if (undelayedCodes.includes(code) || text(delay, 'status')?.toUpperCase() !== 'DELAYED') return undefined;
  const type = text(delay, 'type')?.toUpperCase();
  if (type === 'CLEARANCE') return undefined;
  return type === 'WEATHER' ? 'weather' : 'carrier_delay';
}

/** Returns the kind of handover of a package, by the description of the place, or else by its type (`MAILROOM`). */
export function detailOfHandover(delivery: LenientObject | null): StatusDetail | undefined {
  const words = ['locationDescription', 'locationType'].map((name) => text(delivery, name) ?? '');
  return words.map((each) => wordedDetail('delivered', each)).find((detail) => detail !== undefined);
}
