import type { EventCode, TrackingEvent } from '../events/event.ts';
import type { ExceptionCode } from './shipment.ts';

type WordedEvent = Pick<TrackingEvent, 'code' | 'description' | 'carrierDescription' | 'delayReason'>;

/** Only these events' carrier text is parsed. The text of other events describes normal progress. */
const wordyCodes: readonly EventCode[] = [
  'exception',
  'delayed',
  'not_available',
  'delivery_attempted',
  'undeliverable',
  'other',
];

/** The first match counts. */
const wordings: readonly (readonly [ExceptionCode, RegExp])[] = [
  [
    'last_free_day_passed',
    /\blast free day\b|\bfree (time|days?) (has |have )?(expired|passed|ended|exceeded)|\bdemurrage (has )?(started|begun|accru)/,
  ],
  ['customs_hold', /\bcustoms? (hold|exam|detention)|\b(held|hold|detained|stopped) (by|at|in|for) customs?\b/],
  [
    'freight_hold',
    /\bfreight (charges? )?hold|\b(freight|charges?) (unpaid|not paid|outstanding)|\bunpaid (freight|charges?)|\bhold for (freight|payment)/,
  ],
  [
    'carrier_hold',
    /\b(carrier|line|shipping line|steamship line) hold|\b(held|hold) by (the )?(carrier|shipping line|line)\b/,
  ],
  ['terminal_hold', /\b(terminal|yard|port) hold|\b(held|hold) by (the )?(terminal|port)\b/],
  ['misrouted', /\bmis-?(rout|sort|direct|ship|load)|\bwrong (facility|destination|terminal|depot|hub)\b/],
  ['address_problem', /\b(address|postal code|postcode|zip code)\b/],
  ['damaged', /\bdamag/],
  ['rolled', /\broll(ed|ing)?( |-)?over\b|\brolled\b|\bshut[ -]?out\b|\bbumped\b|\bleft behind\b/],
  ['weather', /\bweather\b|\b(snow|ice|wind|thunder|tropical )?storms?\b|\btyphoon|\bhurricane|\bcyclone|\bflood/],
];
const takenBack = /\b(released?|lifted|cleared|resolved|removed|corrected|no longer|not damaged|undamaged|updated)\b/;
/** SMDG's delay reason code for weather. */
const weatherReason = 'WEA';

/** The exception that an event's text reports or takes back. Null: it reports none. */
export function wordedCode(event: WordedEvent): ExceptionCode | null {
  if (!wordyCodes.includes(event.code)) return null;
  if (event.code === 'delayed' && event.delayReason === weatherReason) return 'weather';
  const words = wordsOf(event);
  return wordings.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

/** True when the text states that the event is over. */
export function isTakenBack(event: WordedEvent): boolean {
  return takenBack.test(wordsOf(event));
}

function wordsOf(event: WordedEvent): string {
  return `${event.description ?? ''} ${event.carrierDescription ?? ''}`.toLowerCase();
}
