import { z } from 'zod';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { parseId } from '../input/parse-id.ts';
import type { RawParams } from '../operation.ts';

/** The public id of a shipment. */
export function toShipmentId(uuid: string): string {
  return encodeTypeId('shp', uuid);
}

/** The uuid of a public shipment id, or null if the text is not one. */
export function readShipmentId(text: string): string | null {
  return decodeTypeId('shp', text);
}

export const shipmentParams = z.object({
  shipment_id: z.string().meta({
    description: 'Id of the shipment: `shp_` followed by 26 characters.',
    examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
});

/** The uuid of the shipment in the path. Throws LandfallError `shipment_not_found`. */
export function parseShipmentParams(params: RawParams): { shipmentId: string } {
  const missing = { prefix: 'shp', code: 'shipment_not_found', detail: 'Shipment not found.' } as const;
  return { shipmentId: parseId(params, 'shipment_id', missing) };
}

export const proofParams = shipmentParams.extend({
  proof_id: z.string().meta({
    description: 'Id of the proof: the `id` of an entry of `delivery.proof`.',
    examples: ['signature'],
  }),
});

/** The uuid of the shipment and the id of the proof. Throws LandfallError `shipment_not_found`. */
export function parseProofParams(params: RawParams): { shipmentId: string; proofId: string } {
  return { ...parseShipmentParams(params), proofId: params.proof_id ?? '' };
}
