import { z } from 'zod';
import type { RowError } from '#shared/domain/registration/storable-error.ts';
import { errorCatalogue } from './error-catalogue.ts';

/** Reason why a row of a batch failed. */
export const wireRowError = z.strictObject({
  code: z.string().meta({
    description: 'Machine-readable error code. More values may be added.',
    examples: ['validation_failed'],
  }),
  title: z.string().meta({ description: 'Short summary of the code.', examples: ['Invalid request'] }),
  detail: z.string().meta({ description: 'The mistakes of the row.', examples: ['carrier is required.'] }),
  errors: z
    .array(
      z.strictObject({
        pointer: z
          .string()
          .meta({ description: 'Location in the body (JSON Pointer).', examples: ['/shipments/3/carrier'] }),
        code: z.string().meta({ description: 'Type of mistake.', examples: ['required'] }),
        detail: z.string().meta({ description: 'Explanation of the mistake.', examples: ['carrier is required.'] }),
      }),
    )
    .meta({ description: 'Every mistake in the row.', examples: [[]] }),
  shipment_ids: z
    .array(z.string())
    .optional()
    .meta({
      description: 'The conflicting shipments. Present for conflicts only.',
      examples: [['shp_01kahf3m2xfr5tq4d8z9w6c7yb']],
    }),
});

/** Its mistakes point into the row, those on the wire into the whole body. `pointer`: of the row. */
export function toWireRowError(error: RowError, pointer: string): z.infer<typeof wireRowError> {
  return {
    code: error.code,
    title: errorCatalogue[error.code].title,
    detail: error.detail,
    errors: error.mistakes.map((mistake) => ({ ...mistake, pointer: `${pointer}${mistake.pointer}` })),
    ...(error.shipmentIds.length > 0 ? { shipment_ids: error.shipmentIds } : {}),
  };
}
