import { z } from 'zod';
import type { ErrorCode, InputMistake } from '#shared/domain/errors.ts';
import { errorCatalogue } from './error-catalogue.ts';

const mistake = z.strictObject({
  pointer: z.string().meta({
    description: 'Where: a JSON Pointer into the body, or `?name` for a query parameter.',
    examples: ['/identifiers/mbl', '?limit'],
  }),
  code: z.string().meta({ description: 'What kind of mistake. Open: accept new values.', examples: ['required'] }),
  detail: z.string().meta({ description: 'The mistake in words.', examples: ['carrier is required'] }),
});

/** An error answer (RFC 9457, `application/problem+json`). `shipment_ids` is there for conflicts only. */
export const problemBody = z
  .strictObject({
    type: z.string().meta({
      description: 'The address of the page that explains the code.',
      examples: ['/docs/errors#validation_failed'],
    }),
    title: z.string().meta({ description: 'The code in words; the same for every error of this code.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What is wrong with this request, and what to do about it.' }),
    code: z
      .string()
      .meta({ description: 'What a program decides by. Open: accept new values.', examples: ['validation_failed'] }),
    request_id: z.string().meta({ description: 'Name it when you report a problem; also in `X-Request-Id`.' }),
    trace_id: z.string().nullable().meta({ description: 'The trace of the request; null when it was not traced.' }),
    retryable: z.boolean().meta({ description: 'The same request may succeed later without any change to it.' }),
    errors: z
      .array(mistake)
      .meta({ description: 'Every mistake that was found in the input; empty for other errors.' }),
    shipment_ids: z
      .array(z.string())
      .optional()
      .meta({ description: 'The shipments in conflict; there for conflicts only.' }),
  })
  .meta({ description: 'Why a request failed (RFC 9457).' });

export type Problem = z.infer<typeof problemBody>;

export type ProblemInput = {
  code: ErrorCode;
  status: number;
  detail: string;
  requestId: string;
  traceId: string | null;
  mistakes: InputMistake[];
  /** Public ids of the shipments in conflict. */
  shipmentIds?: string[];
};

/** The body of an error answer. The HTTP status comes from the API's table. */
export function buildProblem(input: ProblemInput): Problem {
  const { title, retryable } = errorCatalogue[input.code];
  return {
    type: `/docs/errors#${input.code}`,
    title,
    status: input.status,
    detail: input.detail,
    code: input.code,
    request_id: input.requestId,
    trace_id: input.traceId,
    retryable,
    errors: input.mistakes,
    ...(input.shipmentIds !== undefined && input.shipmentIds.length > 0 ? { shipment_ids: input.shipmentIds } : {}),
  };
}
