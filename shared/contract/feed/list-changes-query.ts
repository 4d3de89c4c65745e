import { z } from 'zod';
import { type ChangeType, changeTypes } from '#shared/domain/feed/change-types.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery } from '../parse-query.ts';
import { readShipmentId } from '../shipments/shipment-id.ts';

export const listChangesQuery = z.strictObject({
  after: z
    .union([z.int().min(0), z.literal('latest')], { error: 'must be a position (an integer from 0) or latest.' })
    .optional()
    .meta({
      description:
        'Returns changes after this position: `page.next_after` of the previous response. Default: from the oldest ' +
        'change. `latest` returns no changes, only the current end of the feed.',
      examples: [4711],
    }),
  type: z
    .array(z.enum(changeTypes))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description: 'Only changes of these types, separated by commas.',
      examples: [['shipment.status_changed', 'shipment.eta_changed']],
    }),
  shipment_id: z
    .string()
    .refine((text) => readShipmentId(text) !== null, {
      error: 'must be a shipment id: shp_ followed by 26 characters.',
      params: { code: 'invalid_format' },
    })
    .optional()
    .meta({ description: 'Only changes of this shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: 'Page size, 1 to 500.', examples: [100] }),
});

/** `shipmentId` is a uuid. Null: no condition. */
export type ChangesRequest = {
  after: number | 'latest' | null;
  types: ChangeType[] | null;
  shipmentId: string | null;
  limit: number;
};

/**
 * Parses the query of the change feed. Throws one LandfallError that names every mistake: `unknown_parameter` if
 * nothing else is wrong, else `validation_failed`.
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

/** Numbers of up to 15 digits are exact. */
function isPosition(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}
