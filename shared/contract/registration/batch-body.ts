import { z } from 'zod';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import type { RowError } from '#shared/domain/registration/storable-error.ts';
import { errorCatalogue } from '../error-catalogue.ts';
import { parseBody } from '../parse-body.ts';
import { parseRegisterShipmentBody, registerShipmentBody } from './register-shipment-body.ts';

export const mostBatchRows = 1000;

/** The body as it is documented. Its rows are read one by one, so that a bad one fails alone. */
export const batchBody = z.strictObject({
  shipments: z
    .array(registerShipmentBody)
    .min(1)
    .max(mostBatchRows)
    .meta({ description: `What to follow: 1 to ${mostBatchRows} registrations, each as for registering one.` }),
});

const outline = z.strictObject({ shipments: z.array(z.unknown()).min(1).max(mostBatchRows) });

const rowError = z.strictObject({
  code: z.string().meta({
    description: 'What a program decides by, as in any error. Open: accept new values.',
    examples: ['validation_failed'],
  }),
  title: z.string().meta({ description: 'The code in words.', examples: ['The request is not valid'] }),
  detail: z.string().meta({ description: 'What is wrong with this row.', examples: ['carrier is required'] }),
  errors: z
    .array(
      z.strictObject({
        pointer: z
          .string()
          .meta({ description: 'Where in the body (JSON Pointer).', examples: ['/shipments/3/carrier'] }),
        code: z.string().meta({ description: 'What kind of mistake.', examples: ['required'] }),
        detail: z.string().meta({ description: 'The mistake in words.', examples: ['carrier is required'] }),
      }),
    )
    .meta({ description: 'Every mistake of the row.', examples: [[]] }),
  shipment_ids: z
    .array(z.string())
    .optional()
    .meta({
      description: 'The shipments in conflict; there for conflicts only.',
      examples: [['shp_01kahf3m2xfr5tq4d8z9w6c7yb']],
    }),
});

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

export const batchAnswer = z.strictObject({
  results: z
    .array(
      z.strictObject({
        index: z
          .int()
          .min(0)
          .meta({ description: 'Place in `shipments`, from 0.', examples: [0] }),
        outcome: z
          .enum(['created', 'existing', 'failed'])
          .meta({ description: 'What became of the row.', examples: ['created'] }),
        shipment_id: z
          .string()
          .optional()
          .meta({
            description: 'The shipment; absent when the row failed.',
            examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'],
          }),
        error: rowError.optional().meta({ description: 'Why the row failed; absent otherwise.' }),
      }),
    )
    .meta({ description: 'One result for each row, in order.' }),
  summary: z
    .strictObject({
      received: count('Rows in the body.', 2),
      created: count('New shipments.', 1),
      existing: count('Rows whose shipment was there already.', 1),
      failed: count('Rows that were refused.', 0),
    })
    .meta({ description: 'The counts of the outcomes.' }),
});

export type BatchAnswer = z.infer<typeof batchAnswer>;

/** A row of the answer, before it is on the wire. */
export type BatchOutcome =
  | { outcome: 'created' | 'existing'; shipmentId: string }
  | { outcome: 'failed'; error: RowError };

/** Reads the rows of an untrusted batch. Throws LandfallError `validation_failed` or `unknown_field` when it is no batch at all. */
export function parseBatchBody(body: unknown): SentRegistration[] {
  return parseBody(outline, body).shipments.map(parseRegisterShipmentBody);
}

/** The answer of a batch. */
export function toWireBatch(outcomes: readonly BatchOutcome[]): BatchAnswer {
  const results = outcomes.map((outcome, index) =>
    outcome.outcome === 'failed'
      ? { index, outcome: outcome.outcome, error: toWireRowError(outcome.error, index) }
      : { index, outcome: outcome.outcome, shipment_id: outcome.shipmentId },
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

/** Its mistakes point into the row, those on the wire into the whole body. */
function toWireRowError(error: RowError, index: number): z.infer<typeof rowError> {
  return {
    code: error.code,
    title: errorCatalogue[error.code].title,
    detail: error.detail,
    errors: error.mistakes.map((mistake) => ({ ...mistake, pointer: `/shipments/${index}${mistake.pointer}` })),
    ...(error.shipmentIds.length > 0 ? { shipment_ids: error.shipmentIds } : {}),
  };
}
