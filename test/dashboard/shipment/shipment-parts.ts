import type { WireLeg, WireTimes } from '#services/dashboard/api/wire.ts';
import type { WireEvent, WirePlace } from '#shared/contract/record/shipment-parts.ts';

/** A place by its code and coordinates. */
export function placeAt(
  unlocode: string,
  lat: number | null,
  lng: number | null,
  name: string | null = unlocode,
): WirePlace {
  return { name, unlocode, iata: null, country: unlocode.slice(0, 2), lat, lng, timezone: 'UTC', facility: null };
}

/** A time of a carrier in UTC, `2026-04-14T04:30`. */
export function timeAt(local: string) {
  return { at: `${local}:00.000Z`, local, timezone: 'UTC', zone_source: 'carrier', precision: 'minute' };
}

export const noTimes: WireTimes = { planned: null, estimated: null, actual: null };

/** Details of an event that state nothing. */
export const noDetails: NonNullable<WireEvent['details']> = {
  piece: null,
  status_detail: null,
  window: null,
  pieces_count: null,
  weight_kg: null,
  uld: null,
  source_name: null,
  holds: null,
  fees: null,
  last_free_days: null,
  available: null,
};

/** One event with neutral defaults. */
export function eventOf(changes: Partial<WireEvent> & { local?: string } = {}): WireEvent {
  const { local = '2026-04-14T04:30', ...rest } = changes;
  return {
    event_id: `evt_${rest.code ?? 'departed'}_${local}_${rest.container ?? ''}_${rest.classifier ?? 'actual'}`,
    code: 'departed',
    classifier: 'actual',
    time: timeAt(local),
    location: placeAt('KRPUS', 35.1, 129, 'Busan'),
    leg_role: 'unknown',
    container: null,
    leg: null,
    vehicle: null,
    description: null,
    details: null,
    carrier_code: null,
    carrier_description: null,
    source: 'carrier',
    received_at: '2026-04-14T05:00:00.000Z',
    superseded_by: null,
    fulfilled_by: null,
    flags: [],
    ...rest,
  };
}

/** One leg between two places. */
export function legOf(
  sequence: number,
  from: WirePlace | null,
  to: WirePlace | null,
  times: { left?: string; arrived?: string } = {},
): WireLeg {
  return {
    sequence,
    mode: 'ocean',
    from,
    to,
    vehicle: null,
    departure: { ...noTimes, actual: times.left === undefined ? null : timeAt(times.left) },
    arrival: { ...noTimes, actual: times.arrived === undefined ? null : timeAt(times.arrived) },
    delay_hours: null,
    delay_basis: null,
  };
}

export const shanghai = placeAt('CNSHA', 31.2, 121.5);
export const busan = placeAt('KRPUS', 35.1, 129);
export const losAngeles = placeAt('USLAX', 33.7, -118.2);
/** A shipment of which nothing is known but its legs. */
export const bare = {
  origin: null,
  destination: null,
  departure: noTimes,
  arrival: { ...noTimes, delay_hours: null },
  delivery: noTimes,
};
