import { z } from 'zod';
import type { Warning } from '#shared/domain/record/shipment.ts';
import type { RowError } from '#shared/domain/registration/storable-error.ts';
import { toWireWarning } from '../record/part-wire.ts';
import { wireWarning } from '../record/record-parts.ts';
import { toWireRowError, wireRowError } from '../row-error.ts';
import { count } from '../schema-parts.ts';
import { registerShipmentBody } from './register-shipment-body.ts';

export const maxBatchRows = 1000;

/** The body as documented. `readBatch` reads it row by row, so that an invalid row fails alone. */
export const batchBody = z.strictObject({
  shipments: z
    .array(registerShipmentBody)
    .min(1)
    .max(maxBatchRows)
    .meta({
      description: `1 to ${maxBatchRows.toLocaleString('en')} registrations, each with the body of a single registration.`,
    }),
});

export const batchAnswer = z.strictObject({
  results: z
    .array(
      z.strictObject({
        index: z
          .int()
          .min(0)
          .meta({ description: 'Index in `shipments`, from 0.', examples: [0] }),
        outcome: z
          .enum(['created', 'existing', 'failed'])
          .meta({ description: 'Outcome of the row.', examples: ['created'] }),
        shipment_id: z
          .string()
          .optional()
          .meta({
            description: 'The shipment. Absent if the row failed.',
            examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'],
          }),
        warnings: z
          .array(wireWarning)
          .optional()
          .meta({ description: 'The `warnings` of a single registration. Absent if the row failed.', examples: [[]] }),
        error: wireRowError.optional().meta({ description: 'Why the row failed. Absent otherwise.' }),
      }),
    )
    .meta({ description: 'One result per row, in order.' }),
  summary: z
    .strictObject({
      received: count('Rows in the body.', 2),
      created: count('New shipments.', 1),
      existing: count('Rows whose shipment already existed.', 1),
      failed: count('Failed rows.', 0),
    })
    .meta({ description: 'Number of rows by outcome.' }),
});

export type BatchAnswer = z.infer<typeof batchAnswer>;

/** The outcome of a row, as the core returns it. */
export type BatchOutcome =
  | { outcome: 'created' | 'existing'; shipmentId: string; warnings?: readonly Warning[] }
  | { outcome: 'failed'; error: RowError };

export function toWireBatch(outcomes: readonly BatchOutcome[]): BatchAnswer {
  const results = outcomes.map((outcome, index) =>
    outcome.outcome === 'failed'
      ? { index, outcome: outcome.outcome, error: toWireRowError(outcome.error, `/shipments/${index}`) }
      : {
          index,
          outcome: outcome.outcome,
          shipment_id: outcome.shipmentId,
          warnings: (outcome.warnings ?? []).map(toWireWarning),
        },
  );
  const countOf = (outcome: BatchOutcome['outcome']) => results.filter((result) => result.outcome === outcome).length;
  return {
    results,
    summary: {
      received: results.length,
      created: countOf('created'),
      existing: countOf('existing'),
      failed: countOf('failed'),
    },
  };
}
