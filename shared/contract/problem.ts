import { z } from 'zod';
import type { ErrorCode, InputMistake } from '#shared/domain/errors.ts';

/** An error answer (RFC 9457, `application/problem+json`). `shipment_ids` is there for conflicts only. */
export const problemBody = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  trace_id: z.string().nullable(),
  retryable: z.boolean(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })),
  shipment_ids: z.array(z.string()).optional(),
});

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
  return {
    type: `/docs/errors#${input.code}`,
    title: titles[input.code],
    status: input.status,
    detail: input.detail,
    code: input.code,
    request_id: input.requestId,
    trace_id: input.traceId,
    retryable: retryableCodes.has(input.code),
    errors: input.mistakes,
    ...(input.shipmentIds !== undefined && input.shipmentIds.length > 0 ? { shipment_ids: input.shipmentIds } : {}),
  };
}

/** The same request may succeed later without any change to it. */
const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  'idempotency_in_progress',
  'rate_limited',
  'refresh_too_soon',
  'internal_error',
  'unavailable',
]);

const titles = {
  invalid_json: 'The body is not JSON',
  validation_failed: 'The request is not valid',
  unknown_parameter: 'A query parameter is not known',
  unknown_field: 'A field is not known',
  invalid_cursor: 'The cursor is not valid here',
  missing_api_key: 'An API key is needed',
  invalid_api_key: 'The API key is not valid',
  expired_api_key: 'The API key has expired',
  revoked_api_key: 'The API key was revoked',
  insufficient_scope: 'The API key lacks a scope',
  test_key_not_allowed: 'A test key cannot do this',
  live_key_not_allowed: 'A live key cannot do this',
  host_not_allowed: 'The host name is not one of this service',
  origin_not_allowed: 'The browser origin may not call this',
  shipment_not_found: 'There is no such shipment',
  carrier_not_found: 'There is no such carrier',
  import_not_found: 'There is no such import',
  api_key_not_found: 'There is no such API key',
  route_not_found: 'There is no such address',
  method_not_allowed: 'The address does not take this method',
  not_acceptable: 'No offered representation is acceptable',
  payload_too_large: 'The body is too large',
  uri_too_long: 'The address is too long',
  headers_too_large: 'The headers are too large',
  request_timeout: 'The request took too long to arrive',
  unsupported_media_type: 'The body has an unsupported media type',
  identifier_conflict: 'The identifiers contradict an open shipment',
  reference_conflict: 'Another shipment has this reference',
  idempotency_in_progress: 'A request with this Idempotency-Key is still running',
  invalid_state: 'The shipment is in a state that does not allow this',
  carrier_not_supported: 'The carrier cannot be followed',
  identifier_not_trackable: 'No identifier can be followed',
  identifier_mode_mismatch: 'An identifier belongs to another transport mode',
  idempotency_mismatch: 'The Idempotency-Key was used with another body',
  rate_limited: 'Too many requests',
  refresh_too_soon: 'The shipment was refreshed a moment ago',
  internal_error: 'Something went wrong on our side',
  unavailable: 'The service is briefly unavailable',
} satisfies Record<ErrorCode, string>;
