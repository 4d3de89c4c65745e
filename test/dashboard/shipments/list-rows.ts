import type { ListPage } from '#services/dashboard/screens/shipments/list/list-pages.ts';
import type { ShipmentRow } from '#services/dashboard/screens/shipments/shipment-row.ts';

/** A row of a shipment in transit. */
export function listRow(changes: Partial<ShipmentRow> = {}): ShipmentRow {
  return {
    id: 'shp_1',
    mode: 'ocean',
    carrier: 'MAEU',
    number: { kind: 'mbl', value: 'MAEU263944107' },
    reference: null,
    references: [],
    tags: [],
    status: 'in_transit',
    detail: null,
    origin: { code: 'CNSHA', name: 'Shanghai', country: 'CN', unlocode: 'CNSHA', iata: null },
    destination: { code: 'NLRTM', name: 'Rotterdam', country: 'NL', unlocode: 'NLRTM', iata: null },
    departure: { at: '2026-04-01T00:00:00Z', local: null, timezone: null, precision: 'minute', isActual: true },
    arrival: { at: '2026-04-11T00:00:00Z', local: null, timezone: null, precision: 'minute', isActual: false },
    etaDay: '2026-04-11',
    window: null,
    onTime: null,
    pieces_count: null,
    delayHours: 0,
    overdueHours: null,
    isLate: false,
    hasException: false,
    needsAttention: false,
    freeTime: null,
    exceptions: [],
    event: { code: 'departed', place: 'Shanghai', description: null, at: '2026-04-01T00:00:00Z', isPartial: false },
    state: 'active',
    reason: null,
    freshness: 'fresh',
    seenAt: '2026-04-05T11:48:00Z',
    nextRefreshAt: null,
    createdAt: '2026-03-01T00:00:00Z',
    assignee: null,
    isArchived: false,
    version: 1,
    ...changes,
  };
}

export function listPage(changes: Partial<ListPage> = {}): ListPage {
  return { lead: [], leadHasMore: false, rows: [], next: null, arrived: [], ...changes };
}
