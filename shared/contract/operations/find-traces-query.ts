import { z } from 'zod';
import { type TraceFilter, traceOrders } from '#shared/domain/operations/trace.ts';
import type { RefreshOutcome } from '#shared/domain/shipments/shipment.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery } from '../parse-query.ts';
import { readShipmentId } from '../shipments/shipment-id.ts';

const outcomes = ['changed', 'unchanged', 'not_found', 'error'] as const satisfies readonly RefreshOutcome[];
const hourS = 3600;
const dayS = 24 * hourS;
/** As long as traces are kept. */
const longestS = 3 * dayS;

/** Which traces an operator wants to see. */
export const findTracesQuery = z.strictObject({
  shipment: z
    .string()
    .refine((text) => readShipmentId(text) !== null, { error: 'must be the id of a shipment: shp_ and 26 characters' })
    .optional(),
  carrier: z.string().min(1).max(40).optional(),
  outcome: z.enum(outcomes).optional(),
  failed: z.boolean().optional(),
  since_s: z.int().min(1).max(longestS).optional(),
  order: z.enum(traceOrders).optional(),
  limit: z.int().min(1).max(200).optional(),
});

/** Reads it; without `since_s` the last hour, or all that is kept of one shipment. Throws LandfallError naming every mistake. */
export function parseFindTracesQuery(query: RawQuery): TraceFilter {
  const { shipment, carrier, outcome, failed, since_s: sinceS, order, limit } = parseQuery(findTracesQuery, query);
  return {
    shipmentId: shipment === undefined ? null : readShipmentId(shipment),
    carrier: carrier ?? null,
    outcome: outcome ?? null,
    failed: failed ?? false,
    sinceS: sinceS ?? (shipment === undefined ? hourS : longestS),
    order: order ?? 'newest',
    limit: limit ?? 50,
  };
}
