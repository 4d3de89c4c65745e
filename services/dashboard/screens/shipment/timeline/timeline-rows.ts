import type { WireEvent } from '#shared/contract/wire-parts.ts';

/** One line of the timeline: one happening, told of one or many containers. */
export type Row = {
  key: string;
  /** The newest of `events`: what the line shows. */
  event: WireEvent;
  /** The same happening container by container, newest first; one event when it is about the whole shipment. */
  events: WireEvent[];
  standing: 'happened' | 'ahead' | 'overdue' | 'replaced' | 'retracted' | 'outdated' | 'doubted';
};

/** What is shown only when asked for. */
const quiet: readonly Row['standing'][] = ['replaced', 'retracted', 'outdated'];

/**
 * The lines of a timeline, newest first. The same happening on the same day is one line whatever its containers; plans that happened, or
 * that an estimate took over, and whatever was replaced or retracted only with `withQuiet`.
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

/** How many events `timelineRows` leaves out until asked for. */
export function countQuiet(events: readonly WireEvent[], now: number): number {
  const expectations = newestExpectations(events);
  return events.filter((event) => quiet.includes(standingOf(event, expectations, now))).length;
}

/** The events of one container: its own, and those about the whole shipment. */
export function eventsOfContainer(events: readonly WireEvent[], container: string | null): readonly WireEvent[] {
  return container === null
    ? events
    : events.filter((event) => event.container === null || event.container === container);
}

/** Where the line "Now" stands: before the first row that is not ahead. */
export function nowIndex(rows: readonly Row[], now: number): number {
  const index = rows.findIndex(({ event }) => Date.parse(event.time.at) <= now);
  return index === -1 ? rows.length : index;
}

function standingOf(event: WireEvent, expectations: Expectations, now: number): Row['standing'] {
  if (event.flags.includes('voided')) return 'retracted';
  if (event.flags.includes('superseded') || event.superseded_by !== null) return 'replaced';
  if (event.flags.includes('suspect_future')) return 'doubted';
  if (event.classifier === 'actual') return 'happened';
  const key = happeningKey(event);
  const general = happeningKey({ ...event, container: null });
  if (expectations.happened.has(key) || expectations.happened.has(general)) return 'outdated';
  if (event.classifier === 'planned' && (expectations.estimated.has(key) || expectations.estimated.has(general)))
    return 'outdated';
  return Date.parse(event.time.at) > now ? 'ahead' : 'overdue';
}

type Expectations = { happened: Set<string>; estimated: Set<string> };

function newestExpectations(events: readonly WireEvent[]): Expectations {
  const live = events.filter((event) => event.flags.length === 0);
  return {
    happened: new Set(live.filter(({ classifier }) => classifier === 'actual').map(happeningKey)),
    estimated: new Set(live.filter(({ classifier }) => classifier === 'estimated').map(happeningKey)),
  };
}

function happeningKey(event: WireEvent): string {
  return [event.code, placeOf(event), event.container ?? ''].join('|');
}

function groupKey(event: WireEvent, standing: Row['standing']): string {
  if (event.container === null) return event.event_id;
  const vehicle = event.vehicle?.imo ?? event.vehicle?.name ?? event.vehicle?.flight ?? '';
  const told = event.description ?? event.carrier_description ?? '';
  return [event.code, event.classifier, standing, placeOf(event), event.time.local.slice(0, 10), vehicle, told].join(
    '|',
  );
}

function placeOf({ location }: WireEvent): string {
  if (location === null) return '';
  return location.unlocode ?? location.iata ?? location.name ?? `${location.lat ?? ''},${location.lng ?? ''}`;
}
