import { z } from 'zod';
import { type ChangeType, changeTypes } from '#shared/domain/feed/change-types.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery } from '../parse-query.ts';
import { readShipmentId } from '../shipments/shipment-id.ts';

/** The query of the change feed after its texts were read as numbers and lists. */
export const listChangesQuery = z.strictObject({
  after: z
    .union([z.int().min(0), z.literal('latest')], { error: 'must be a position, a whole number from 0, or latest' })
    .optional()
    .meta({
      description:
        'Changes after this position: send `page.next_after` of the answer before. Without it the answer begins with the oldest change that is kept; `latest` gives no change, only where the feed ends now.',
      examples: [4711],
    }),
  type: z
    .array(z.enum(changeTypes))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description: 'Only changes of these types; several with commas.',
      examples: [['shipment.status_changed', 'shipment.eta_changed']],
    }),
  shipment_id: z
    .string()
    .refine((text) => readShipmentId(text) !== null, {
      error: 'must be the id of a shipment: shp_ and 26 characters',
      params: { code: 'invalid_format' },
    })
    .optional()
    .meta({ description: 'Only changes of this shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: 'The most changes in one answer.', examples: [100] }),
});

/** `shipmentId` is a uuid; null: no such condition. */
export type ChangesRequest = {
  after: number | 'latest' | null;
  types: ChangeType[] | null;
  shipmentId: string | null;
  limit: number;
};

/**
 * Reads the query of the change feed; in `type` a comma or a repetition is OR. Throws one LandfallError naming every mistake:
 * `unknown_parameter` when that is all that is wrong, else `validation_failed`.
 */
export function parseListChangesQuery(query: RawQuery): ChangesRequest {
  const { after, type, shipment_id, limit } = parseQuery(
    listChangesQuery,
    isPosition(query.after) ? { ...query, after: Number(query.after) } : query,
  );
  return {
    after: after ?? null,
    types: type ?? null,
    shipmentId: shipment_id === undefined ? null : readShipmentId(shipment_id),
    limit,
  };
}

/** 15 digits: every such number is exact. */
function isPosition(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}
