import { z } from 'zod';
import { defaultOverlapHours, maxOverlapHours } from '#shared/domain/keys/api-key.ts';
import { parseBody } from '../parse-body.ts';

/** The body that rotates a key; there may be none. */
export const rotateApiKeyBody = z.strictObject({
  overlap_hours: z
    .number()
    .min(0)
    .max(maxOverlapHours)
    .default(defaultOverlapHours)
    .meta({
      description: 'Hours that the old key goes on working, 0 to 168. 0: it ends at once.',
      examples: [24],
    }),
});

/** Reads an untrusted body. Throws LandfallError `unknown_field`, `validation_failed`. */
export function parseRotateApiKeyBody(body: unknown): { overlapHours: number } {
  return { overlapHours: parseBody(rotateApiKeyBody, body ?? {}).overlap_hours };
}
