import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { WireContainer } from '../../../api/wire.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import {
  costWords,
  daysLeftWords,
  freeDaysWords,
  kindWord,
  moneyWords,
  stateWord,
  weekdayWords,
} from '../../../parts/words/free-time-words.ts';
import { whoStates } from '../../../parts/words/source-words.ts';
import { carrierDay } from '../carrier-time.ts';
import { eventName } from '../timeline/event-words.ts';

export type WireClock = WireContainer['clocks'][number];
export type WireHold = WireContainer['holds'][number];

/** `Available since 12 Apr`, `Not available`; null while nobody has said. */
export function availabilityText(
  { known, available, since }: WireContainer['availability'],
  now: number,
): string | null {
  if (!known || available === null) return null;
  const words = available ? 'Available' : 'Not available';
  return since === null ? words : `${words} since ${carrierDay(since, now)}`;
}

/** The clocks that a line shows: those that run or cost. Others have not begun, or ended without a cost. */
export function clocksToShow(clocks: readonly WireClock[]): WireClock[] {
  const rank = ['over', 'expiring', 'unknown_terms', 'running', 'stopped'];
  return clocks
    .filter(({ state, cost }) => state !== 'not_started' && (state !== 'stopped' || (cost !== null && cost.amount > 0)))
    .toSorted((left, right) => rank.indexOf(left.state) - rank.indexOf(right.state));
}

/** `Demurrage`. Where a train took the container on, there are two: the first is that of the port. */
export function clockName({ kind }: WireClock, place: number, clocks: readonly WireClock[]): string {
  const isOfPort = clocks.slice(place + 1).some((later) => later.kind === kind);
  return isOfPort ? `${kindWord(kind)} at the port` : kindWord(kind);
}

/** `Demurrage over since Tue 14 Apr, 2 days over, USD 360`; of unknown terms, that the risk is unknown. */
export function clockText(name: string, clock: WireClock, now: number): string {
  const { state, last_free_day: day, days_left: left, cost } = clock;
  const costs = cost === null ? null : costWords([cost]);
  if (state === 'unknown_terms') return `${name}: last free day unknown`;
  if (state === 'stopped') return [`${name} stopped`, costs].filter((part) => part !== null).join(', ');
  const parts = [
    day === null ? null : `free until ${weekdayWords(day, now)}`,
    left === null ? null : daysLeftWords(left),
    costs ?? (state === 'over' ? 'cost unknown' : null),
  ].filter((part) => part !== null);
  return `${name}: ${parts.length === 0 ? stateWord(state).toLowerCase() : parts.join(', ')}`;
}

/** Words for the source of a last free day: `set by hand`, `stated by the terminal`, `calculated from your terms`. */
export function freeDaySourceWords(clock: WireClock, lastFreeDay: WireContainer['last_free_day']): string | null {
  if (clock.last_free_day === null) return null;
  if (clock.terms_source === 'manual') return 'set by hand';
  if (clock.terms_source === 'account') return 'calculated from your terms';
  const { source } = isDayOfClock(clock, lastFreeDay) ? lastFreeDay : { source: null };
  return source === 'line' || source === 'terminal' ? `stated by the ${source}` : 'stated by the carrier';
}

/**
 * True when the last free days by source belong to this clock: not to the detention, nor to a port that the container
 * left.
 */
export function isDayOfClock(clock: WireClock, { effective }: WireContainer['last_free_day']): boolean {
  return clock.kind !== 'detention' && clock.last_free_day === effective;
}

/** Explains the state of a clock: `Terms of your account: 5 working days. Started with Discharged on 10 Apr.` */
export function whyText(clock: WireClock, events: WireShipment['events'], now: number): string {
  const { state, terms_source: source, free_days: days, counting } = clock;
  const terms =
    days !== null && (source === 'account' || state === 'unknown_terms')
      ? `Terms of your account: ${freeDaysWords(days, counting)}.`
      : source === 'manual'
        ? 'The day was set by hand and overrides every other source.'
        : source === 'carrier'
          ? 'The last free day is stated, not calculated.'
          : state === 'unknown_terms'
            ? 'No row of your terms matches, and no last free day has been reported.'
            : null;
  const holidays =
    clock.calendar === 'provisional' ? 'Some public holidays of this period aren’t published yet.' : null;
  return [terms, startText(clock, events, now), holidays].filter((part) => part !== null).join(' ');
}

function startText(
  { state, started_at: at, start_event_id: id }: WireClock,
  events: WireShipment['events'],
  now: number,
) {
  if (at === null)
    return state === 'unknown_terms'
      ? 'The event that starts it has not been reported.'
      : 'The event that starts it has not happened.';
  const event = events.find(({ event_id: eventId }) => eventId === id);
  const day = carrierDay(at, now);
  if (event === undefined) return `Started on ${day}.`;
  return `Started on ${day} with “${eventName(event.code)}”.`;
}

const milestoneWords: Record<keyof WireContainer['milestones'], string> = {
  empty_out: 'Empty picked up',
  full_in: 'Gated in full',
  loaded: 'Loaded',
  departed: 'Departed',
  arrived: 'Arrived',
  discharged: 'Discharged',
  available: 'Available',
  full_out: 'Picked up full',
  empty_in: 'Empty returned',
};

/** The milestones that have happened, in their order. */
export function milestonesOf(milestones: WireContainer['milestones']) {
  return Object.entries(milestoneWords).flatMap(([key, name]) => {
    const time = milestones[key as keyof WireContainer['milestones']];
    return time === null ? [] : [{ name, time }];
  });
}

/** `Storage: USD 120, by acme-terminal`. */
export function feeText({ type, amount, currency, source }: WireContainer['fees'][number], carrier: string): string {
  return `${wordOf(type)}: ${moneyWords({ amount, currency })}, by ${whoStates(source, carrier)}`;
}

/** The stated and calculated days that were not chosen: `line Mon 13 Apr, calculated Wed 15 Apr`. */
export function otherDaysText(lastFreeDay: WireContainer['last_free_day'], now: number): string | null {
  const { source: chosen, effective: _, ...days } = lastFreeDay;
  const others = Object.entries(days).flatMap(([source, day]) =>
    day === null || source === chosen ? [] : [`${source} ${weekdayWords(day, now)}`],
  );
  return others.length === 0 ? null : others.join(', ');
}
