import type { ResultRow } from '#shared/contract/mcp/list-result.ts';
import type { RowPlace, RowTime, ShipmentRow } from '../../screens/shipments/shipment-row.ts';
import { costOf, placeOf, timeOf } from '../result-texts.ts';

/** A row of a result as the list of the dashboard draws it. What the result does not say is null. */
export function shipmentRowOf(row: ResultRow): ShipmentRow {
  const eventAt = timeOf(row.last_event_at);
  const mode = row.transport_mode ?? '';
  return {
    id: row.shipment_id,
    mode,
    carrier: row.carrier ?? '',
    number: { kind: kindOf(row.identifier ?? ''), value: row.identifier ?? row.reference ?? row.shipment_id },
    reference: row.reference ?? null,
    tags: [],
    status: row.status,
    detail: row.status_detail ?? null,
    origin: rowPlace(row.origin, mode),
    destination: rowPlace(row.destination, mode),
    departure: rowTime(row.departed_at, true),
    arrival: rowTime(row.delivered_at, true) ?? rowTime(row.eta, false),
    etaDay: row.eta?.slice(0, 10) ?? null,
    window: null,
    onTime: null,
    pieces: null,
    delayHours: row.delay_hours ?? null,
    overdueHours: row.overdue_hours ?? null,
    isLate: false,
    hasException: row.exception !== undefined,
    needsAttention: row.needs_attention ?? false,
    freeTime: freeTimeOf(row),
    exceptions: row.exception?.split(', ').map((code) => ({ code, severity: 'warning' })) ?? [],
    // A row that leaves out the time of its event for its budget has it in the details.
    event:
      row.last_event === undefined || eventAt === null
        ? null
        : { code: row.last_event, place: null, description: null, at: eventAt.at, isPartial: false },
    state: row.tracking ?? 'active',
    reason: null,
    freshness: row.stale === true ? 'stale' : 'fresh',
    seenAt: null,
    nextRefreshAt: null,
    createdAt: row.created_at ?? '',
    assignee: null,
    isArchived: row.archived ?? false,
    version: 1,
  };
}

/** By which numbers are grouped as people read them. */
function kindOf(number: string): string {
  if (/^[A-Z]{4}\d{7}$/.test(number)) return 'container';
  return /^\d{3}-?\d{8}$/.test(number) ? 'awb' : '';
}

function rowPlace(text: string | undefined, mode: string): RowPlace | null {
  const place = placeOf(text);
  if (place === null) return null;
  const { name, unlocode, iata, country } = place;
  return { code: (mode === 'air' ? (iata ?? unlocode) : (unlocode ?? iata)) ?? null, name, country, unlocode, iata };
}

function rowTime(text: string | undefined, isActual: boolean): RowTime | null {
  const time = timeOf(text);
  return time && { at: time.at, local: time.local, timezone: null, precision: time.precision, isActual };
}

function freeTimeOf({ free_time: state, last_free_day: day, cost }: ResultRow): ShipmentRow['freeTime'] {
  if (state === undefined) return null;
  const costs = (cost ?? '').split(', ').flatMap((one) => costOf(one) ?? []);
  return { state, lastFreeDay: day ?? null, daysLeft: null, costs, containers: [], more: 0, unknown: 0 };
}
