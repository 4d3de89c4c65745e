import type { SentEventRow } from '#shared/domain/events-in/event-row.ts';

/** A row of a source, as the contract reads it: a train has left Chicago. Any part can be replaced. */
export function pushedRow(changes: Partial<SentEventRow> = {}): SentEventRow {
  return {
    targets: [],
    sourceName: 'acme-rail',
    externalId: null,
    createdAt: null,
    code: 'rail_departed',
    classifier: 'actual',
    time: { at: '2026-03-01T08:00:00-06:00' },
    location: {
      unlocode: 'USCHI',
      iata: null,
      name: null,
      country: null,
      lat: null,
      lng: null,
      facility: null,
    },
    container: null,
    piece: null,
    vehicle: null,
    transportMode: null,
    holds: [],
    freeDays: [],
    fees: [],
    available: null,
    description: null,
    raw: { said: 'a train has left' },
    ...changes,
  };
}
