import { chosen } from '../../../api/call.ts';
import type { Filter, ListPlan } from '../list-plan.ts';
import type { RowPlace, ShipmentRow } from '../shipment-row.ts';

/** Whether a filter matches a row; `unknown` when the row does not contain the filtered field. */
export type Match = 'yes' | 'no' | 'unknown';

export function rowMatches(filter: Filter, row: ShipmentRow): Match {
  const places = [
    placeMatches(filter.origin, row.origin),
    placeMatches(filter.destination, row.destination),
    clockMatches(filter.free_time, row.freeTime),
  ];
  const certain =
    !places.includes('no') &&
    (filter.archived === 'any' || row.isArchived === (filter.archived === 'true')) &&
    isAmong(filter.status, row.status) &&
    isAmong(filter.transport_mode, row.mode) &&
    isAmong(filter.carrier, row.carrier) &&
    isAmong(filter.tracking_state, row.state) &&
    isAssigned(filter.assignee, row.assignee?.id ?? null) &&
    isEqual(filter.has_exception, row.hasException) &&
    isEqual(filter.needs_attention, row.needsAttention) &&
    isEqual(filter.stale, row.freshness === 'stale') &&
    isEqual(filter.late, row.isLate) &&
    isAtLeast(filter.delayed_min_hours, row.delayHours) &&
    isAtLeast(filter.overdue_min_hours, row.overdueHours) &&
    (filter.tag === undefined || filter.tag.some((tag) => row.tags.includes(tag))) &&
    isWithin(row.etaDay, filter);
  if (!certain) return 'no';
  const isUndecidable =
    filter.q !== undefined ||
    filter.identifier !== undefined ||
    unread.some((name) => filter[name] !== undefined) ||
    places.includes('unknown');
  return isUndecidable ? 'unknown' : 'yes';
}

/** What only the API can decide. */
const unread = [
  'arrived_from',
  'arrived_to',
  'created_from',
  'created_to',
  'on_time',
  'transit_known',
  'transit_min_hours',
  'delay_cause',
  'free_time_outcome',
  'lane',
  'country_lane',
  'has_events',
  'freshness',
  'tracking_reason',
] as const satisfies readonly (keyof Filter)[];

/** Whether any list of the plan contains the row. */
export function planMatches({ leads, chain }: ListPlan, row: ShipmentRow): Match {
  const matches = [...leads, ...chain].map((filter) => rowMatches(filter, row));
  if (matches.includes('yes')) return 'yes';
  return matches.includes('unknown') ? 'unknown' : 'no';
}

function isAmong(wanted: readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || wanted.includes(value);
}

function isAssigned(wanted: readonly string[] | undefined, memberId: string | null): boolean {
  return isAmong(
    wanted?.map((value) => (value === 'me' ? (chosen.memberId ?? value) : value)),
    memberId ?? 'none',
  );
}

function isEqual(wanted: boolean | undefined, value: boolean): boolean {
  return wanted === undefined || wanted === value;
}

function isAtLeast(min: number | undefined, hours: number | null): boolean {
  return min === undefined || (hours !== null && hours >= min);
}

/** The bounds of the screen are days where the shipment arrives. */
function isWithin(day: string | null, { eta_from: etaFrom, eta_to: etaTo }: Filter): boolean {
  if (day === null) return etaFrom === undefined && etaTo === undefined;
  return (etaFrom === undefined || day >= etaFrom) && (etaTo === undefined || day <= etaTo);
}

/** A row knows the most urgent clock of each container: another one may match too. */
function clockMatches(wanted: readonly string[] | undefined, freeTime: ShipmentRow['freeTime']): Match {
  if (wanted === undefined) return 'yes';
  const urgent: readonly string[] = ['over', 'expiring', 'unknown_terms', 'running'];
  if (freeTime === null) return wanted.every((state) => urgent.includes(state)) ? 'no' : 'unknown';
  const states = [freeTime.state, ...freeTime.containers.map(({ state }) => state)];
  if (freeTime.unknown > 0) states.push('unknown_terms');
  if (wanted.some((state) => states.includes(state))) return 'yes';
  const mayHaveOthers = freeTime.more > 0 || states.some((state) => urgent.includes(state));
  return mayHaveOthers || !wanted.every((state) => urgent.includes(state)) ? 'unknown' : 'no';
}

/** A text that is neither a code nor in the name may be another name of the place, which only the API knows. */
function placeMatches(wanted: readonly string[] | undefined, place: RowPlace | null): Match {
  if (wanted === undefined) return 'yes';
  if (place === null) return 'no';
  const codes = [place.unlocode, place.iata, place.country, place.code].map((code) => code?.toLowerCase());
  const isAt = (sought: string) =>
    codes.includes(sought) || (sought.length > 2 && (place.name?.toLowerCase().includes(sought) ?? false));
  if (wanted.some((text) => isAt(text.toLowerCase()))) return 'yes';
  return place.unlocode !== null && wanted.every((text) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(text)) ? 'no' : 'unknown';
}
