import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import type { EventCode, ReadEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { type Journey, type Status, statuses } from '#shared/domain/record/shipment.ts';

export type Template = { status: Status; record: Journey };

/**
 * One composed journey per status, with as many events as carriers usually report by then, so that stored records have
 * a realistic size.
 */
export function templateJourneys(): Template[] {
  return statuses.map((status) => {
    const events = milestones[status].map((code, place) => ({
      ...eventOf(code, place),
      id: `01990000-0000-7000-8000-${String(place).padStart(12, '0')}`,
      dedupeKey: `${code} ${place}`,
      receivedAt: timeOf(place).at,
      supersededBy: null,
      voidedAt: null,
    }));
    const journey = composeJourney({ events, transportMode: 'ocean' }, Date.parse('2026-06-01T00:00:00Z'));
    return { status, record: { ...journey, status } };
  });
}

const booked: EventCode[] = ['booking_confirmed', 'gate_out_empty', 'gate_in_full'];
const moving: EventCode[] = [...booked, 'loaded', 'departed', 'arrived', 'discharged', 'loaded', 'departed'];
const landed: EventCode[] = [...moving, 'arrived', 'discharged'];

const milestones: Record<Status, EventCode[]> = {
  pending: [],
  booked,
  in_transit: moving,
  arrived: landed,
  available_for_pickup: [...landed, 'customs_released', 'available_for_pickup'],
  out_for_delivery: [...landed, 'customs_released', 'available_for_pickup', 'gate_out_full'],
  delivered: [...landed, 'customs_released', 'available_for_pickup', 'gate_out_full', 'delivered', 'gate_in_empty'],
  returned: [...landed, 'return_started', 'returned'],
  failed: [...moving, 'lost'],
  cancelled: ['booking_confirmed', 'cancelled'],
};

const ports = [
  { name: 'Shanghai', unlocode: 'CNSHA', country: 'CN', lat: 31.23, lng: 121.47, timezone: 'Asia/Shanghai' },
  { name: 'Singapore', unlocode: 'SGSIN', country: 'SG', lat: 1.27, lng: 103.84, timezone: 'Asia/Singapore' },
  { name: 'Rotterdam', unlocode: 'NLRTM', country: 'NL', lat: 51.95, lng: 4.14, timezone: 'Europe/Amsterdam' },
] as const;

function eventOf(code: EventCode, place: number): ReadEvent {
  const port = ports[Math.min(2, Math.floor(place / 5))] ?? ports[0];
  return bareEvent({
    code,
    classifier: 'actual',
    time: timeOf(place),
    location: { ...port, iata: null, facility: `${port.name} Container Terminal ${place}` },
    container: place === 0 ? null : 'MSKU1234565',
    isoType: '45G1',
    mode: 'ocean',
    vehicle:
      place < 3
        ? null
        : { name: 'Landfall Star', imo: '9074729', voyage: `${100 + Math.floor(place / 5)}W`, flight: null },
    empty: code.endsWith('empty'),
    carrierCode: 'EQUIPMENT',
    description: `Carrier text for ${code}`,
    raw: null,
  });
}

function timeOf(place: number): ReadEvent['time'] {
  const at = new Date(Date.parse('2026-03-01T08:00:00Z') + place * 3 * 86_400_000).toISOString();
  return { at, local: at.slice(0, 16), timezone: 'UTC', zoneSource: 'location', precision: 'minute' };
}
