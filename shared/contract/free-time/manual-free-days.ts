import { z } from 'zod';
import { clockKinds, isBelievableDay } from '#shared/domain/events/stated-free-time.ts';
import { plainText } from '../input/plain-text.ts';

export const maxManualFreeDays = 200;

/** A last free day that a client sets by hand. */
export const manualFreeDay = z.strictObject({
  container: plainText({ max: 32 }).meta({
    description: 'Number of a container of the shipment.',
    examples: ['MSKU1234565'],
  }),
  kind: z
    .enum(clockKinds)
    .default('demurrage')
    .meta({
      description: 'The clock that it is for.',
      examples: ['demurrage'],
    }),
  day: z.iso
    .date({ error: 'must be a date such as 2026-04-15.' })
    .refine(isBelievableDay, { error: 'must be a date from 1970 to 2999.' })
    .meta({
      description: 'The last day without charges, as a calendar day at the terminal.',
      examples: ['2026-04-15'],
    }),
});

export const manualFreeDays = z
  .array(manualFreeDay)
  .max(maxManualFreeDays)
  .nullable()
  .optional()
  .meta({
    description:
      'Replaces all last free days that you have set. Each overrides the days of the terminal, the line and your ' +
      `terms for its container. Null or an empty list removes them. At most ${maxManualFreeDays}; ocean and rail ` +
      'only.',
  });
