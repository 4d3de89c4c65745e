import type { z } from 'zod';
import type { CarrierTime, EventDetails, Place, TimeWindow, Vehicle } from '#shared/domain/events/event.ts';
import { shownSource } from '#shared/domain/events/event-subject.ts';
import type { StatedHold } from '#shared/domain/events/stated-free-time.ts';
import type { ShownEvent } from '#shared/domain/feed/change.ts';
import type { Hold } from '#shared/domain/record/free-time.ts';
import type { ShipmentException } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { wireException } from './record-parts.ts';
import type { WireEvent, WirePlace, WireTime } from './shipment-parts.ts';

/** An event without the original data of the carrier. */
export function toWireEvent(event: ShownEvent): WireEvent {
  return {
    event_id: toEventId(event.id),
    code: event.code,
    classifier: event.classifier,
    time: toKnownTime(event.time),
    location: toWirePlace(event.location),
    leg_role: event.legRole,
    container: event.container,
    leg: event.leg,
    vehicle: toWireVehicle(event.vehicle),
    description: event.description,
    details: toWireDetails(event.details),
    carrier_code: event.carrierCode,
    carrier_description: event.carrierDescription,
    source: shownSource(event),
    received_at: event.receivedAt,
    superseded_by: event.supersededBy === null ? null : toEventId(event.supersededBy),
    fulfilled_by: event.fulfilledBy === null ? null : toEventId(event.fulfilledBy),
    flags: event.flags,
  };
}

export function toWireException(exception: ShipmentException): z.infer<typeof wireException> {
  return {
    code: exception.code,
    severity: exception.severity,
    message: exception.message,
    opened_at: exception.openedAt,
    resolved_at: exception.resolvedAt,
    event_id: exception.eventId && toEventId(exception.eventId),
    container: exception.container,
    piece: exception.piece,
  };
}

function toWireDetails(details: EventDetails | undefined): WireEvent['details'] {
  if (details === undefined) return null;
  return {
    piece: details.piece ?? null,
    status_detail: details.statusDetail ?? null,
    window: toWireWindow(details.window ?? null),
    pieces_count: details.piecesCount ?? null,
    weight_kg: details.weightKg ?? null,
    uld: details.uld ?? null,
    source_name: details.sourceName ?? null,
    holds: details.holds?.map(toWireHold) ?? null,
    fees: details.fees?.map(({ type, amount, currency }) => ({ type, amount, currency })) ?? null,
    last_free_days: details.freeDays?.map(({ by, kind, day }) => ({ by, kind, day })) ?? null,
    available: details.available ?? null,
  };
}

/** A hold, without who states it. */
export function toWireHold({ type, status, detail }: StatedHold | Hold) {
  return { type, status, detail: detail ?? null };
}

export function toEventId(uuid: string): string {
  return encodeTypeId('evt', uuid);
}

export function toWireTime(time: CarrierTime | null): WireTime | null {
  return time && toKnownTime(time);
}

export function toWireWindow(window: TimeWindow | null): { from: WireTime | null; to: WireTime | null } | null {
  return window && { from: toWireTime(window.from), to: toWireTime(window.to) };
}

export function toKnownTime(time: CarrierTime): WireTime {
  return {
    at: time.at,
    local: time.local,
    timezone: time.timezone,
    zone_source: time.zoneSource,
    precision: time.precision,
  };
}

export function toWirePlace(place: Place | null): WirePlace | null {
  if (place === null) return null;
  const { name, unlocode, iata, country, lat, lng, timezone, facility } = place;
  return { name, unlocode, iata, country, lat, lng, timezone, facility };
}

export function toWireVehicle(vehicle: Vehicle | null): WireEvent['vehicle'] {
  return vehicle && { name: vehicle.name, imo: vehicle.imo, voyage: vehicle.voyage, flight: vehicle.flight };
}
