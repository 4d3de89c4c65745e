import { z } from 'zod';
import { clockKinds, freeDayAuthorities, holdStatuses, holdTypes } from '#shared/domain/events/stated-free-time.ts';
import { openEnum, textOrNull } from '../schema-parts.ts';

export const statedHold = z
  .strictObject({
    type: openEnum(holdTypes, 'Kind of hold.'),
    status: openEnum(holdStatuses, 'Whether the hold is in force.'),
    detail: textOrNull('Reason in the words of the source.', 'X-ray exam'),
  })
  .meta({ description: 'A hold of the container.' });

export const feeFields = {
  type: z.string().meta({ description: 'Type of the fee, in the words of the source.', examples: ['demurrage'] }),
  amount: z
    .number()
    .min(0)
    .meta({ description: 'Amount in units of `currency`.', examples: [350] }),
  currency: z.string().meta({ description: 'ISO 4217 currency code.', examples: ['USD'] }),
};

export const statedFee = z.strictObject(feeFields).meta({ description: 'A fee for the container.' });

export const statedFreeDay = z
  .strictObject({
    by: openEnum(freeDayAuthorities, 'Who grants the free time.'),
    kind: openEnum(clockKinds, 'Kind of free time.'),
    day: z.iso.date().meta({ description: 'The last day without charges, at the terminal.', examples: ['2026-05-02'] }),
  })
  .meta({ description: 'A last free day.' });
