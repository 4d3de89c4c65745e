import { chosen } from '../../../api/call.ts';
import type { Filter, ListPlan } from '../list-plan.ts';
import type { RowPlace, ShipmentRow } from '../shipment-row.ts';

/** Result of comparing a row with a filter; `unknown` when the row does not contain the filtered field. */
export type Match = 'yes' | 'no' | 'unknown';

/** Filters of the API that a row can decide. The API evaluates the others. */
const decided: { [Name in keyof Filter]?: (wanted: NonNullable<Filter[Name]>, row: ShipmentRow) => Match } = {
  sort: () => 'yes',
  status: (wanted, { status }) => among(wanted, status),
  transport_mode: (wanted, { mode }) => among(wanted, mode),
  carrier: (wanted, { carrier }) => among(wanted, carrier),
  tracking_state: (wanted, { state }) => among(wanted, state),
  assignee: (wanted, { assignee }) =>
    among(
      wanted.map((value) => (value === 'me' ? (chosen.memberId ?? value) : value)),
      assignee?.id ?? 'none',
    ),
  has_exception: (wanted, { hasException }) => matchOf(wanted === hasException),
  needs_attention: (wanted, { needsAttention }) => matchOf(wanted === needsAttention),
  stale: (wanted, { freshness }) => matchOf(wanted === (freshness === 'stale')),
  late: (wanted, { isLate }) => matchOf(wanted === isLate),
  delayed_min_hours: (min, { delayHours }) => matchOf(delayHours !== null && delayHours >= min),
  overdue_min_hours: (min, { overdueHours }) => matchOf(overdueHours !== null && overdueHours >= min),
  tag: (wanted, { tags }) => matchOf(wanted.some((tag) => tags.includes(tag))),
  // The bounds of the screen are days where the shipment arrives.
  eta_from: (from, { etaDay }) => matchOf(etaDay !== null && etaDay >= from),
  eta_to: (to, { etaDay }) => matchOf(etaDay !== null && etaDay <= to),
  origin: (wanted, { origin }) => placeMatches(wanted, origin),
  destination: (wanted, { destination }) => placeMatches(wanted, destination),
  free_time: (wanted, { freeTime }) => clockMatches(wanted, freeTime),
  archived: (wanted, { isArchived }) => matchOf(wanted === 'any' || isArchived === (wanted === 'true')),
};

export function rowMatches(filter: Filter, row: ShipmentRow): Match {
  const asked = Object.entries({ ...filter, archived: filter.archived ?? 'false' });
  const matches = asked
    .filter(([, wanted]) => wanted !== undefined)
    .map(([name, wanted]): Match => decided[name as keyof Filter]?.(wanted as never, row) ?? 'unknown');
  if (matches.includes('no')) return 'no';
  return matches.includes('unknown') ? 'unknown' : 'yes';
}

/** Returns whether any list of the plan contains the row. */
export function planMatches({ leads, chain }: ListPlan, row: ShipmentRow): Match {
  const matches = [...leads, ...chain].map((filter) => rowMatches(filter, row));
  if (matches.includes('yes')) return 'yes';
  return matches.includes('unknown') ? 'unknown' : 'no';
}

function matchOf(matches: boolean): Match {
  return matches ? 'yes' : 'no';
}

function among(wanted: readonly string[], value: string): Match {
  return matchOf(wanted.includes(value));
}

/** A row knows the most urgent clock of each container: another one may match too. */
function clockMatches(wanted: readonly string[], freeTime: ShipmentRow['freeTime']): Match {
  const urgent: readonly string[] = ['over', 'expiring', 'unknown_terms', 'running'];
  if (freeTime === null) return wanted.every((state) => urgent.includes(state)) ? 'no' : 'unknown';
  const states = [freeTime.state, ...freeTime.containers.map(({ state }) => state)];
  if (freeTime.unknown > 0) states.push('unknown_terms');
  if (wanted.some((state) => states.includes(state))) return 'yes';
  const mayHaveOthers = freeTime.more > 0 || states.some((state) => urgent.includes(state));
  return mayHaveOthers || !wanted.every((state) => urgent.includes(state)) ? 'unknown' : 'no';
}

/** A text that is neither a code nor in the name may be another name of the place, which only the API knows. */
function placeMatches(wanted: readonly string[], place: RowPlace | null): Match {
  if (place === null) return 'no';
  const codes = [place.unlocode, place.iata, place.country, place.code].map((code) => code?.toLowerCase());
  const isAt = (sought: string) =>
    codes.includes(sought) || (sought.length > 2 && (place.name?.toLowerCase().includes(sought) ?? false));
  if (wanted.some((text) => isAt(text.toLowerCase()))) return 'yes';
  return place.unlocode !== null && wanted.every((text) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(text)) ? 'no' : 'unknown';
}
