import { z } from 'zod';
import { wireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { PickupPoint, ReadEvent, Reading } from '#shared/domain/events/event.ts';

/**
 * A reading under the names of the record, as far as a connector decides it. Where the record shows one of several
 * values, such as the present estimate, the reading has a list of them: the same path then finds all.
 */
export function asRecord(reading: Reading) {
  const { events, facts = {}, route } = reading;
  const deliveries = (classifier: ReadEvent['classifier']) =>
    events.filter((event) => event.code === 'delivered' && event.classifier === classifier);
  return {
    origin: route?.origin ?? null,
    destination: route?.destination ?? null,
    events: events.map(asRecordEvent),
    containers: events.map(({ container, isoType, seals }) => ({ number: container, iso_type: isoType, seals })),
    status_detail: events.flatMap(({ details }) => details?.statusDetail ?? []),
    delivery: {
      planned: deliveries('planned').map(({ time }) => time),
      estimated: deliveries('estimated').map(({ time }) => time),
      actual: deliveries('actual').map(({ time }) => time),
      window: events.flatMap(({ details }) => details?.window ?? []),
      received_by: facts.receivedBy,
      left_at: facts.leftAt,
      proof: facts.proof,
    },
    service: facts.service,
    weight_kg: facts.weightKg,
    pieces_count: facts.piecesCount,
    pieces: facts.pieces?.map(({ trackingNumber, weightKg, dimensionsCm }) => ({
      tracking_number: trackingNumber,
      weight_kg: weightKg,
      dimensions_cm: dimensionsCm,
    })),
    pickup_point: asRecordPoint(facts.pickupPoint),
    return: facts.returned && {
      reason: facts.returned.reason,
      tracking_number: facts.returned.trackingNumber,
      to: facts.returned.to,
    },
    tracking: { partial: reading.partial },
  };
}

function asRecordEvent(event: ReadEvent) {
  const { details = {} } = event;
  return {
    code: event.code,
    classifier: event.classifier,
    leg_role: event.legRole,
    time: event.time,
    location: event.location,
    vehicle: event.vehicle,
    description: event.description,
    carrier_code: event.carrierCode,
    carrier_description: event.carrierDescription,
    delay_reason: event.delayReason,
    source_event_id: event.sourceEventId,
    container: event.container,
    details: {
      piece: details.piece,
      status_detail: details.statusDetail,
      window: details.window,
      pieces_count: details.piecesCount,
      weight_kg: details.weightKg,
      uld: details.uld,
    },
  };
}

function asRecordPoint(point: PickupPoint | undefined) {
  return point && { ...point, kept_until: point.keptUntil };
}

type JsonSchema = {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
};

const wire = z.toJSONSchema(wireShipment, { unrepresentable: 'any', io: 'output' }) as JsonSchema;

/** True when the API's record has a field at this path. `[]` stands for each item of a list. */
export function isOnTheWire(path: string): boolean {
  let schemas = [wire];
  for (const step of path.split('.')) {
    const name = step.replace('[]', '');
    schemas = schemas.flatMap(variantsOf).flatMap(({ properties }) => properties?.[name] ?? []);
    if (step.endsWith('[]')) schemas = schemas.flatMap(variantsOf).flatMap(({ items }) => items ?? []);
  }
  return schemas.length > 0;
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  if (schema.$ref !== undefined) return variantsOf(wire.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {});
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(variantsOf);
}
