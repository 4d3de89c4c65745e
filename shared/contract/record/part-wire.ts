import type { z } from 'zod';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import type { Eta, IdentifierKey, Leg, Shipment, Warning } from '#shared/domain/record/shipment.ts';
import { identifierKeysOf } from '#shared/domain/registration/identifiers.ts';
import { toWireTriple } from './delivery-wire.ts';
import { toKnownTime, toWirePlace, toWireVehicle } from './event-wire.ts';
import type { wireEta, wireLeg, wireWarning } from './record-parts.ts';
import type { currentPosition, wireIdentifiers } from './shipment-parts.ts';

/** Once, because every row of a list needs them. */
const keysOfMode = new Map(transportModes.map((mode) => [mode, identifierKeysOf(mode)]));

/** Every identifier of the shipment's transport mode, null where it has none. */
export function toWireIdentifiers({
  transportMode,
  identifiers,
}: Pick<Shipment, 'transportMode' | 'identifiers'>): z.infer<typeof wireIdentifiers> {
  const wire: Partial<Record<IdentifierKey, string | null>> = {};
  for (const key of keysOfMode.get(transportMode) ?? []) wire[key] = identifiers[key] ?? null;
  for (const key of Object.keys(identifiers) as IdentifierKey[]) wire[key] ??= identifiers[key] ?? null;
  return wire;
}

export function toWireWarning({ code, field, detail, expected }: Warning): z.infer<typeof wireWarning> {
  return { code, field, detail, expected };
}

/** The vehicle's latest known position. */
export function toWirePosition(position: VehiclePosition | null): z.infer<typeof currentPosition> {
  return position && { ...position, vehicle: toWireVehicle(position.vehicle) };
}

export function toWireEta(eta: Eta | null): z.infer<typeof wireEta> {
  return eta && { time: toKnownTime(eta.time), kind: eta.kind, source: eta.source };
}

export function toWireLeg(leg: Leg): z.infer<typeof wireLeg> {
  return {
    sequence: leg.sequence,
    mode: leg.mode,
    from: toWirePlace(leg.from),
    to: toWirePlace(leg.to),
    vehicle: toWireVehicle(leg.vehicle),
    departure: toWireTriple(leg.departure),
    arrival: toWireTriple(leg.arrival),
    delay_hours: leg.delayHours,
    delay_basis: leg.delayBasis,
  };
}
