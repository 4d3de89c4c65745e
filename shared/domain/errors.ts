/** Every error code that a client can receive. `shared/contract/error-catalogue.ts` has a row for each. */
export const errorCodes = [
  'invalid_json',
  'validation_failed',
  'unknown_parameter',
  'unknown_field',
  'invalid_cursor',
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'invalid_signature',
  'not_signed_in',
  'wrong_password',
  'insufficient_scope',
  'test_key_not_allowed',
  'live_key_not_allowed',
  'host_not_allowed',
  'origin_not_allowed',
  'https_required',
  'role_not_allowed',
  'shipment_not_found',
  'event_not_found',
  'proof_not_found',
  'carrier_not_found',
  'import_not_found',
  'api_key_not_found',
  'webhook_endpoint_not_found',
  'webhook_delivery_not_found',
  'webhook_replay_not_found',
  'bulk_action_not_found',
  'view_not_found',
  'alert_not_found',
  'alert_message_not_found',
  'share_not_found',
  'note_not_found',
  'not_the_author',
  'account_not_found',
  'member_not_found',
  'invite_not_found',
  'session_not_found',
  'link_not_valid',
  'trace_not_found',
  'trace_not_kept',
  'route_not_found',
  'method_not_allowed',
  'not_acceptable',
  'payload_too_large',
  'uri_too_long',
  'headers_too_large',
  'request_timeout',
  'unsupported_media_type',
  'precondition_failed',
  'identifier_conflict',
  'reference_conflict',
  'idempotency_in_progress',
  'invalid_state',
  'import_quota_exceeded',
  'carrier_credentials_missing',
  'carrier_not_supported',
  'identifier_not_trackable',
  'identifier_mode_mismatch',
  'idempotency_mismatch',
  'rate_limited',
  'refresh_too_soon',
  'carrier_rate_limited',
  'internal_error',
  'proof_unavailable',
  'unavailable',
  'account_busy',
  'storage_full',
  'list_too_slow',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One mistake in the input. `pointer` is a JSON Pointer (RFC 6901) into the body, or `?name` for a query parameter. */
export type InputMistake = { pointer: string; code: string; detail: string };

export type LandfallErrorOptions = {
  mistakes?: InputMistake[];
  /** Seconds after which a retry may succeed. */
  retryAfterS?: number;
  /** Public ids of the conflicting shipments. */
  shipmentIds?: string[];
  cause?: unknown;
};

/** An expected failure with a closed code and a message that is safe to show to the caller. */
export class LandfallError extends Error {
  readonly code: ErrorCode;
  readonly mistakes: InputMistake[];
  readonly retryAfterS: number | null;
  readonly shipmentIds: string[];

  constructor(code: ErrorCode, detail: string, options: LandfallErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LandfallError';
    this.code = code;
    this.mistakes = options.mistakes ?? [];
    this.retryAfterS = options.retryAfterS ?? null;
    this.shipmentIds = options.shipmentIds ?? [];
  }
}

/** True when the work failed because a store is unavailable, so that a later retry may succeed. */
export function isUnavailable(error: unknown): error is LandfallError {
  return error instanceof LandfallError && error.code === 'unavailable';
}

const maxDetails = 5;

/** The details of the first few mistakes as one text. */
export function joinDetails(mistakes: readonly InputMistake[]): string {
  return mistakes
    .slice(0, maxDetails)
    .map(({ detail }) => (/[.?!]$/.test(detail) ? detail : `${detail}.`))
    .join(' ');
}
