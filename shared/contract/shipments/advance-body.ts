import { z } from 'zod';
import { parseBody } from '../parse-body.ts';

/** The body that moves a test journey on; there may be none. */
export const advanceBody = z.strictObject({
  steps: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .meta({
      description: 'Steps to go, 1 to 20; more than are left go to the end.',
      examples: [1],
    }),
});

/** Reads an untrusted body. Throws LandfallError `unknown_field`, `validation_failed`. */
export function parseAdvanceBody(body: unknown): { steps: number } {
  return parseBody(advanceBody, body ?? {});
}
