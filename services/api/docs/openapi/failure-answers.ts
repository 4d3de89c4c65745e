import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { buildProblem } from '#shared/contract/problem.ts';
import { type ErrorCode, errorCodes } from '#shared/domain/errors.ts';

export const problemMediaType = 'application/problem+json';

type Referenced = { $ref: string };
export type FailureAnswer = {
  description: string;
  headers?: Record<string, Referenced>;
  content: Record<string, { schema: Record<string, unknown>; examples: Record<string, Referenced> }>;
};

/** Errors that any request of the operation may cause. */
export function commonFailures(operation: PublicOperation): ErrorCode[] {
  const reads = operation.method === 'GET';
  return [
    'validation_failed',
    'unknown_parameter',
    ...(reads ? [] : (['invalid_json', 'payload_too_large'] as const)),
    'missing_api_key',
    'invalid_api_key',
    'expired_api_key',
    'revoked_api_key',
    ...(operation.scope === null ? [] : (['insufficient_scope'] as const)),
    ...(operation.testKeysOnly === true ? (['live_key_not_allowed'] as const) : []),
    'not_acceptable',
    'request_timeout',
    ...(operation.idempotent === true ? (['idempotency_in_progress', 'idempotency_mismatch'] as const) : []),
    'uri_too_long',
    'unsupported_media_type',
    'rate_limited',
    'headers_too_large',
    'internal_error',
    'unavailable',
    'account_busy',
    ...(reads ? [] : (['storage_full'] as const)),
  ];
}

/** The errors of an operation, by status. Common ones are components. */
export function failureAnswers(operation: PublicOperation): Record<string, FailureAnswer | Referenced> {
  const codes = new Set([...commonFailures(operation), ...operation.errors]);
  const byStatus = Map.groupBy(
    errorCodes.filter((code) => codes.has(code)),
    (code) => errorCatalogue[code].status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const name = Object.keys(sharedFailures).find((shared) => sameCodes(sharedFailures[shared] ?? [], ofStatus));
      return [status, name === undefined ? failureAnswer(ofStatus) : { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Error responses that most operations have in common, by the name of their component. */
const sharedFailures: Readonly<Record<string, readonly ErrorCode[]>> = {
  Unauthorized: ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'revoked_api_key'],
  Forbidden: ['insufficient_scope'],
  NotAcceptable: ['not_acceptable'],
  RequestTimeout: ['request_timeout'],
  PayloadTooLarge: ['payload_too_large'],
  UriTooLong: ['uri_too_long'],
  UnsupportedMediaType: ['unsupported_media_type'],
  TooManyRequests: ['rate_limited'],
  HeadersTooLarge: ['headers_too_large'],
  InternalError: ['internal_error'],
  Unavailable: ['unavailable', 'account_busy'],
  UnavailableOrFull: ['unavailable', 'account_busy', 'storage_full'],
  UnavailableOrSlow: ['unavailable', 'account_busy', 'list_too_slow'],
};

/** The components used by `failureAnswers`. */
export function sharedFailureAnswers(): Record<string, FailureAnswer> {
  return Object.fromEntries(Object.entries(sharedFailures).map(([name, codes]) => [name, failureAnswer(codes)]));
}

/** The example of a code, also shown on the error page. */
export function problemExample(code: ErrorCode) {
  const pointers: Partial<Record<ErrorCode, { pointer: string; code: string }>> = {
    validation_failed: { pointer: '/carrier', code: 'required' },
    unknown_parameter: { pointer: '?limt', code: 'unknown_parameter' },
    unknown_field: { pointer: '/carier', code: 'unknown_field' },
    carrier_not_supported: { pointer: '/carrier', code: 'carrier_not_supported' },
    identifier_not_trackable: { pointer: '/identifiers', code: 'identifier_not_trackable' },
    identifier_mode_mismatch: { pointer: '/identifiers/awb', code: 'identifier_mode_mismatch' },
  };
  const { detail } = errorCatalogue[code];
  const place = pointers[code];
  return buildProblem({
    code,
    detail,
    requestId: 'req_01kahf3m2xfr5tq4d8z9w6c7yb',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    mistakes: place === undefined ? [] : [{ ...place, detail }],
    ...(code === 'identifier_conflict' || code === 'reference_conflict'
      ? { shipmentIds: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }
      : {}),
  });
}

export function problemExamples(): Record<string, { summary: string; value: unknown }> {
  return Object.fromEntries(
    errorCodes.map((code) => [code, { summary: errorCatalogue[code].title, value: problemExample(code) }]),
  );
}

function failureAnswer(codes: readonly ErrorCode[]): FailureAnswer {
  const [first] = codes;
  const status = first === undefined ? 500 : errorCatalogue[first].status;
  const headers = headerNames(status, codes);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join('\n\n'),
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }),
    content: {
      [problemMediaType]: {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            {
              type: 'object',
              properties: { status: { const: status }, code: { type: 'string', enum: [...codes] } },
              required: ['status', 'code'],
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function headerNames(status: number, codes: readonly ErrorCode[]): string[] {
  if (status === 401 || codes.every((code) => code === 'insufficient_scope')) return ['WWW-Authenticate'];
  return status === 429 || status === 503 ? ['Retry-After'] : [];
}

function sameCodes(left: readonly ErrorCode[], right: readonly ErrorCode[]): boolean {
  return left.length === right.length && left.every((code) => right.includes(code));
}
