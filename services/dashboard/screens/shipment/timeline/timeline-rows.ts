import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import { unitOf } from './event-unit.ts';

/** One line of the timeline: the same event of one or several containers or pieces. */
export type Row = {
  key: string;
  /** The newest of `events`, which the line shows. */
  event: WireEvent;
  /** The event for each container or piece, newest first; one event when it covers the whole shipment. */
  events: WireEvent[];
  standing: 'happened' | 'ahead' | 'overdue' | 'replaced' | 'retracted' | 'outdated' | 'doubted' | 'other_trip';
};

/** Hidden by default. */
const quiet: readonly Row['standing'][] = ['replaced', 'retracted', 'outdated', 'other_trip'];

/**
 * The lines of a timeline, newest first. The same event of several containers or pieces on one day is one line. Outdated plans
 * and replaced or retracted events and those of other trips are included only with `withQuiet`.
 */
export function timelineRows(
  events: readonly WireEvent[],
  { now, withQuiet = false }: { now: number; withQuiet?: boolean },
): Row[] {
  const expectations = newestExpectations(events);
  const groups = new Map<string, Row>();
  for (const event of [...events].sort((left, right) => Date.parse(right.time.at) - Date.parse(left.time.at))) {
    const standing = standingOf(event, expectations, now);
    if (!withQuiet && quiet.includes(standing)) continue;
    const key = groupKey(event, standing);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key: event.event_id, event, events: [event], standing });
    else if (!group.events.some(({ event_id }) => event_id === event.event_id)) group.events.push(event);
  }
  return [...groups.values()];
}

/** The number of events that `timelineRows` hides by default. */
export function countQuiet(events: readonly WireEvent[], now: number): number {
  const expectations = newestExpectations(events);
  return events.filter((event) => quiet.includes(standingOf(event, expectations, now))).length;
}

/** The events of one container or piece, including those of the whole shipment. */
export function eventsOfUnit(events: readonly WireEvent[], unit: string | null): readonly WireEvent[] {
  return unit === null ? events : events.filter((event) => [null, unit].includes(unitOf(event)));
}

/** The position of the line "Now": before the first row that is not in the future. */
export function nowIndex(rows: readonly Row[], now: number): number {
  const index = rows.findIndex(({ event }) => Date.parse(event.time.at) <= now);
  return index === -1 ? rows.length : index;
}

/** Past rows that a phone shows at first: what follows the timeline stays within reach. */
const maxPastOnPhone = 12;

/** The first row that a phone folds away; the number of rows where it folds none. */
export function foldIndex(rows: readonly Row[], now: number): number {
  const index = nowIndex(rows, now) + maxPastOnPhone;
  // A button in place of two rows would save nothing.
  return rows.length > index + 2 ? index : rows.length;
}

function standingOf(event: WireEvent, expectations: Expectations, now: number): Row['standing'] {
  if (event.flags.includes('voided')) return 'retracted';
  if (event.flags.includes('other_trip')) return 'other_trip';
  if (event.flags.includes('superseded') || event.superseded_by !== null) return 'replaced';
  if (event.flags.includes('suspect_future')) return 'doubted';
  if (event.classifier === 'actual') return 'happened';
  if (event.fulfilled_by !== null) return 'outdated';
  const key = eventKey(event);
  const general = eventKey(event, null);
  if (expectations.happened.has(key) || expectations.happened.has(general)) return 'outdated';
  if (event.classifier === 'planned' && (expectations.estimated.has(key) || expectations.estimated.has(general)))
    return 'outdated';
  return Date.parse(event.time.at) > now ? 'ahead' : 'overdue';
}

type Expectations = { happened: Set<string>; estimated: Set<string> };

function newestExpectations(events: readonly WireEvent[]): Expectations {
  const live = events.filter((event) => event.flags.length === 0);
  const keysOf = (wanted: string) =>
    new Set(live.filter(({ classifier }) => classifier === wanted).map((event) => eventKey(event)));
  return { happened: keysOf('actual'), estimated: keysOf('estimated') };
}

function eventKey(event: WireEvent, unit: string | null = unitOf(event)): string {
  return [event.code, placeOf(event), unit ?? ''].join('|');
}

function groupKey(event: WireEvent, standing: Row['standing']): string {
  if (unitOf(event) === null) return event.event_id;
  const vehicle = event.vehicle?.imo ?? event.vehicle?.name ?? event.vehicle?.flight ?? '';
  const description = event.description ?? event.carrier_description ?? '';
  return [
    event.code,
    event.classifier,
    standing,
    placeOf(event),
    event.time.local.slice(0, 10),
    vehicle,
    description,
  ].join('|');
}

function placeOf({ location }: WireEvent): string {
  if (location === null) return '';
  return location.unlocode ?? location.iata ?? location.name ?? `${location.lat ?? ''},${location.lng ?? ''}`;
}
