import type { CarrierTime, EventDetails } from '#shared/domain/events/event.ts';
import type { StatedHold } from '#shared/domain/events/stated-free-time.ts';
import type { ShownEvent } from '#shared/domain/feed/change.ts';
import type { Journey } from '#shared/domain/record/shipment.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';

export type GrowingLists = Pick<Journey, 'events' | 'etaHistory'>;

type TextTime = Omit<CarrierTime, 'zoneSource'> & { zone_source: CarrierTime['zoneSource'] };

type TextEvent = Pick<
  ShownEvent,
  'code' | 'classifier' | 'location' | 'container' | 'leg' | 'vehicle' | 'description' | 'flags'
> & {
  source: string;
  event_id: string;
  time: TextTime;
  leg_role: ShownEvent['legRole'];
  details: TextDetails | null;
  carrier_code: ShownEvent['carrierCode'];
  carrier_description: ShownEvent['carrierDescription'];
  received_at: string;
  superseded_by: string | null;
  fulfilled_by: string | null;
};

type TextDetails = {
  piece: string | null;
  status_detail: EventDetails['statusDetail'] | null;
  window: { from: TextTime | null; to: TextTime | null } | null;
  pieces_count: number | null;
  weight_kg: number | null;
  uld: string | null;
  source_name: string | null;
  holds: (Omit<StatedHold, 'detail'> & { detail: string | null })[] | null;
  fees: EventDetails['fees'] | null;
  last_free_days: EventDetails['freeDays'] | null;
  available: boolean | null;
};

type TextEta = Omit<Journey['etaHistory'][number], 'eta' | 'seenAt'> & { eta: TextTime; seen_at: string };

/**
 * The events and the ETA history in the text that clients receive, which is the only place that holds them: their names
 * change and ids are encoded, and nothing else. A release that changes how the text shows them has to read this form,
 * too.
 */
export function listsOfText(text: string): GrowingLists {
  const { events, eta_history } = JSON.parse(`{${text}}`) as { events: TextEvent[]; eta_history: TextEta[] };
  // Events of a record have more fields, which nobody reads of a stored one.
  return { events: events.map(eventOf) as Journey['events'], etaHistory: eta_history.map(etaOf) };
}

function eventOf(event: TextEvent): ShownEvent {
  return {
    id: uuidOf(event.event_id),
    code: event.code,
    classifier: event.classifier,
    time: timeOf(event.time),
    location: event.location,
    legRole: event.leg_role,
    container: event.container,
    ...(event.details && { details: detailsOf(event.details) }),
    leg: event.leg,
    vehicle: event.vehicle,
    description: event.description,
    carrierCode: event.carrier_code,
    carrierDescription: event.carrier_description,
    source: sourceOf(event),
    receivedAt: event.received_at,
    supersededBy: event.superseded_by === null ? null : uuidOf(event.superseded_by),
    fulfilledBy: event.fulfilled_by === null ? null : uuidOf(event.fulfilled_by),
    flags: event.flags,
  };
}

/** `client:` and a name: a source of the client pushed it. The name is in the details. */
function sourceOf({ source }: TextEvent): ShownEvent['source'] {
  return (source.startsWith('client:') ? 'client' : source) as ShownEvent['source'];
}

function detailsOf(details: TextDetails): EventDetails {
  const { piece, status_detail, window, pieces_count, weight_kg, uld } = details;
  const { source_name, holds, fees, last_free_days, available } = details;
  const windowTime = (time: TextTime | null) => time && timeOf(time);
  return {
    ...(piece !== null && { piece }),
    ...(status_detail && { statusDetail: status_detail }),
    ...(window !== null && { window: { from: windowTime(window.from), to: windowTime(window.to) } }),
    ...(pieces_count !== null && { piecesCount: pieces_count }),
    ...(weight_kg !== null && { weightKg: weight_kg }),
    ...(uld !== null && { uld }),
    ...(source_name && { sourceName: source_name }),
    ...(holds && { holds: holds.map(({ detail, ...hold }) => ({ ...hold, ...(detail !== null && { detail }) })) }),
    ...(fees && { fees }),
    ...(last_free_days && { freeDays: last_free_days }),
    ...(available !== null && { available }),
  };
}

function etaOf({ eta, kind, seen_at, source }: TextEta): Journey['etaHistory'][number] {
  return { eta: timeOf(eta), kind, seenAt: seen_at, source };
}

function timeOf({ at, local, timezone, zone_source, precision }: TextTime): CarrierTime {
  return { at, local, timezone, zoneSource: zone_source, precision };
}

function uuidOf(eventId: string): string {
  const uuid = decodeTypeId('evt', eventId);
  if (uuid === null) throw new Error('a stored journey names an event by an id that is not one');
  return uuid;
}
