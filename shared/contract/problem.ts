import { z } from 'zod';
import type { ErrorCode, InputMistake } from '#shared/domain/errors.ts';
import { errorCatalogue } from './error-catalogue.ts';

const mistake = z.strictObject({
  pointer: z.string().meta({
    description: 'Location of the mistake: a JSON Pointer into the body, or `?name` for a query parameter.',
    examples: ['/identifiers/mbl', '?limit'],
  }),
  code: z.string().meta({ description: 'Type of mistake. More values may be added.', examples: ['required'] }),
  detail: z.string().meta({ description: 'Explanation of the mistake.', examples: ['carrier is required.'] }),
});

/** An error response (RFC 9457, `application/problem+json`). */
export const problemBody = z
  .strictObject({
    type: z.string().meta({
      description: 'Address of the page that documents the code.',
      examples: ['/docs/errors#validation_failed'],
    }),
    title: z.string().meta({ description: 'Short summary of the code. Always the same for a code.' }),
    status: z.int().min(400).max(599).meta({ description: 'HTTP status.' }),
    detail: z.string().meta({ description: 'The error in this request and its remedy.' }),
    code: z.string().meta({
      description: 'Machine-readable error code. More values may be added.',
      examples: ['validation_failed'],
    }),
    request_id: z.string().meta({
      description: 'Id of the request, also in `X-Request-Id`. Include it when you report a problem.',
    }),
    trace_id: z.string().nullable().meta({ description: 'Trace of the request. Null if the request was not traced.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later without changes.' }),
    errors: z.array(mistake).meta({ description: 'Every mistake found in the input. Empty for other errors.' }),
    shipment_ids: z
      .array(z.string())
      .optional()
      .meta({ description: 'The conflicting shipments. Present for conflicts only.' }),
  })
  .meta({ description: 'An error (RFC 9457).' });

export type Problem = z.infer<typeof problemBody>;

export type ProblemInput = {
  code: ErrorCode;
  detail: string;
  requestId: string;
  traceId: string | null;
  mistakes: InputMistake[];
  /** Public ids of the conflicting shipments. */
  shipmentIds?: string[];
};

/** The body of an error response. */
export function buildProblem(input: ProblemInput): Problem {
  const { status, title, retryable } = errorCatalogue[input.code];
  return {
    type: `/docs/errors#${input.code}`,
    title,
    status,
    detail: input.detail,
    code: input.code,
    request_id: input.requestId,
    trace_id: input.traceId,
    retryable,
    errors: input.mistakes,
    ...(input.shipmentIds !== undefined && input.shipmentIds.length > 0 ? { shipment_ids: input.shipmentIds } : {}),
  };
}
