import type { FastifyRequest } from 'fastify';
import { readShipmentId } from '#shared/contract/shipments/shipment-wire.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';

/** The uuid of the shipment that the address names. Throws LandfallError `shipment_not_found` for text that is no id. */
export function shipmentIdOf(request: FastifyRequest): string {
  const { shipment_id: text } = request.params as { shipment_id: string };
  const id = readShipmentId(text);
  if (id === null) throw new LandfallError('shipment_not_found', 'There is no shipment with this id.');
  annotateSpan({ 'shipment.id': text });
  return id;
}
