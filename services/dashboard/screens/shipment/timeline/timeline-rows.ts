import type { WireEvent } from '#shared/contract/shipments/shipment-parts.ts';

/** One line of the timeline: the same event of one or several containers. */
export type Row = {
  key: string;
  /** The newest of `events`, which the line shows. */
  event: WireEvent;
  /** The event for each container, newest first; one event when it covers the whole shipment. */
  events: WireEvent[];
  standing: 'happened' | 'ahead' | 'overdue' | 'replaced' | 'retracted' | 'outdated' | 'doubted';
};

/** Hidden by default. */
const quiet: readonly Row['standing'][] = ['replaced', 'retracted', 'outdated'];

/**
 * The lines of a timeline, newest first. The same event of several containers on one day is one line. Outdated plans
 * and replaced or retracted events are included only with `withQuiet`.
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

/** The events of one container, including those of the whole shipment. */
export function eventsOfContainer(events: readonly WireEvent[], container: string | null): readonly WireEvent[] {
  return container === null
    ? events
    : events.filter((event) => event.container === null || event.container === container);
}

/** The position of the line "Now": before the first row that is not in the future. */
export function nowIndex(rows: readonly Row[], now: number): number {
  const index = rows.findIndex(({ event }) => Date.parse(event.time.at) <= now);
  return index === -1 ? rows.length : index;
}

function standingOf(event: WireEvent, expectations: Expectations, now: number): Row['standing'] {
  if (event.flags.includes('voided')) return 'retracted';
  if (event.flags.includes('superseded') || event.superseded_by !== null) return 'replaced';
  if (event.flags.includes('suspect_future')) return 'doubted';
  if (event.classifier === 'actual') return 'happened';
  if (event.fulfilled_by !== null) return 'outdated';
  const key = eventKey(event);
  const general = eventKey({ ...event, container: null });
  if (expectations.happened.has(key) || expectations.happened.has(general)) return 'outdated';
  if (event.classifier === 'planned' && (expectations.estimated.has(key) || expectations.estimated.has(general)))
    return 'outdated';
  return Date.parse(event.time.at) > now ? 'ahead' : 'overdue';
}

type Expectations = { happened: Set<string>; estimated: Set<string> };

function newestExpectations(events: readonly WireEvent[]): Expectations {
  const live = events.filter((event) => event.flags.length === 0);
  return {
    happened: new Set(live.filter(({ classifier }) => classifier === 'actual').map(eventKey)),
    estimated: new Set(live.filter(({ classifier }) => classifier === 'estimated').map(eventKey)),
  };
}

function eventKey(event: WireEvent): string {
  return [event.code, placeOf(event), event.container ?? ''].join('|');
}

function groupKey(event: WireEvent, standing: Row['standing']): string {
  if (event.container === null) return event.event_id;
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
