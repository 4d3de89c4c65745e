import { z } from 'zod';
import { lenient } from './lenient.ts';
import { resultRow } from './list-result.ts';

const { text, flag, listOf } = lenient;

/** Fields that a view reads from the structured content of `get_shipment_details` beside the record. */
export const detailsResult = z.looseObject({
  shipment_id: z.string(),
  status: z.string(),
  terminal: text,
  stale_because: text,
});

/** Several shipments have the number. */
export const matchesResult = z.object({ matches: listOf(resultRow), matches_has_more: flag, next_step: text });

export type DetailsResult = z.output<typeof detailsResult>;
export type MatchesResult = z.output<typeof matchesResult>;
