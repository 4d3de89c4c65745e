import { z } from 'zod';
import { shapeOf } from './field-row.ts';
import { recordFields, summaryFields } from './record-fields.ts';

/** The whole record of a shipment. */
export const wireShipment = z
  .strictObject(shapeOf(recordFields))
  .meta({ description: 'The full record of a shipment. Every field is always present; unknown values are null.' });

/** One row of a list. */
export const wireSummary = z
  .strictObject(shapeOf(summaryFields))
  .meta({ description: 'A shipment as a row of a list.' });

export type WireShipment = z.infer<typeof wireShipment>;
export type WireSummary = z.infer<typeof wireSummary>;
