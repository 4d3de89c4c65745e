import type { ErrorCode } from '#shared/domain/errors.ts';

export type ErrorEntry = {
  /** Of the HTTP response. */
  status: number;
  /** Its own text is for operators: MCP tools report a fixed one instead. */
  isInternal?: true;
  title: string;
  /** When it occurs. */
  cause: string;
  /** The next step for the client. */
  remedy: string;
  /** The same request may succeed later without changes. */
  retryable: boolean;
  /** The `detail` of an example; real ones name what was sent. */
  detail: string;
};

/** Every error code as clients see it: the source of HTTP statuses, problem titles and the error pages under /docs. */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = {
  invalid_json: {
    status: 400,
    title: 'Invalid JSON',
    cause: 'The body is empty, truncated, not valid JSON or UTF-8, or contains the key `__proto__`.',
    remedy: 'Send a complete JSON document in UTF-8.',
    retryable: false,
    detail: 'The body is not valid JSON.',
  },
  validation_failed: {
    status: 400,
    title: 'Invalid request',
    cause: 'A field, parameter or header is missing, has the wrong type or breaks a rule.',
    remedy:
      'Check `errors`. Each entry points to one place (`/identifiers/mbl` in the body, `?limit` in the query) and ' +
      'states what is allowed there.',
    retryable: false,
    detail: 'carrier is required.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Unknown query parameter',
    cause: 'The URL contains a query parameter that this endpoint does not accept. It is often a typo.',
    remedy: 'Use the name suggested in `detail`, or remove the parameter.',
    retryable: false,
    detail: 'Unknown parameter: limt. Did you mean limit?',
  },
  unknown_field: {
    status: 400,
    title: 'Unknown field',
    cause: 'The body contains a field that this endpoint does not accept. It is often a typo.',
    remedy: 'Use the name suggested in `detail`, or remove the field.',
    retryable: false,
    detail: 'Unknown field: carier. Did you mean carrier?',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    cause: 'The cursor is malformed or was issued for a different filter or sort.',
    remedy: 'Keep the filter and sort unchanged while paging, or start over without `cursor`.',
    retryable: false,
    detail: 'The cursor belongs to a different filter or sort. Start over without cursor.',
  },
  missing_api_key: {
    status: 401,
    title: 'API key required',
    cause: 'The request has no `Authorization` header. Keys in the URL are ignored.',
    remedy: 'Send `Authorization: Bearer svc_live_…` with every request.',
    retryable: false,
    detail: 'Send your API key as Authorization: Bearer svc_live_…. Keys in the URL are ignored.',
  },
  invalid_api_key: {
    status: 401,
    title: 'Invalid API key',
    cause: 'The header is not `Bearer` followed by a key, the key is malformed, or it does not exist.',
    remedy: 'Copy the key again, or create a new one.',
    retryable: false,
    detail: 'Malformed API key.',
  },
  expired_api_key: {
    status: 401,
    title: 'Expired API key',
    cause: 'The key passed its expiry date, or it was rotated and the overlap period is over.',
    remedy: 'Use the key that replaced it, or create a new one.',
    retryable: false,
    detail: 'The API key has expired. Create a new key or use its replacement.',
  },
  revoked_api_key: {
    status: 401,
    title: 'Revoked API key',
    cause: 'The key was revoked by someone in the account.',
    remedy: 'Use another key, or create a new one.',
    retryable: false,
    detail: 'The API key was revoked.',
  },
  invalid_signature: {
    status: 401,
    title: 'Invalid webhook signature',
    cause:
      'A carrier sent events to an endpoint without a subscription, or its `Notification-Signature` is missing or ' +
      'does not match the body. The response does not reveal which.',
    remedy: 'No action needed. Only carriers see this error, and Landfall renews its subscriptions automatically.',
    retryable: false,
    detail: 'Unknown subscription, or the Notification-Signature does not match the body.',
  },
  not_signed_in: {
    status: 401,
    title: 'Authentication required',
    cause:
      'The dashboard sent a request without a session, or the session has expired or was ended. API keys are not ' +
      'accepted here.',
    remedy: 'Sign in to the dashboard. Programs use `/v1` with an API key.',
    retryable: false,
    detail: 'Authentication required. Sign in first.',
  },
  wrong_password: {
    status: 401,
    title: 'Incorrect email or password',
    cause: 'No user has this email and password. The response does not reveal which of the two is wrong.',
    remedy: 'Try again, or ask an account owner for a password reset link.',
    retryable: false,
    detail: 'Incorrect email or password.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    cause: 'The key is valid but lacks the scope that this endpoint requires. `detail` names the scope.',
    remedy: 'Use a key with that scope, or create one.',
    retryable: false,
    detail: 'This endpoint requires a key with the scope shipments:write.',
  },
  test_key_not_allowed: {
    status: 403,
    title: 'Test keys not allowed',
    cause: 'This endpoint does not accept keys that begin with `svc_test_`.',
    remedy: 'Use a live key.',
    retryable: false,
    detail: 'A test key can only create test keys. Send "test": true.',
  },
  live_key_not_allowed: {
    status: 403,
    title: 'Live keys not allowed',
    cause: 'This endpoint is part of test mode.',
    remedy: 'Use a key that begins with `svc_test_`.',
    retryable: false,
    detail: 'This endpoint requires a test key.',
  },
  host_not_allowed: {
    status: 403,
    title: 'Host not allowed',
    cause: 'The `Host` header of a request to the MCP endpoint names a host that this installation does not serve.',
    remedy: 'Use the published address. Operators add hosts with `ALLOWED_HOSTS`.',
    retryable: false,
    detail: 'Host evil.example is not allowed. Operators add hosts with ALLOWED_HOSTS.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    cause: 'A web page of another origin called the MCP endpoint or the dashboard API.',
    remedy:
      'Call from a server or a desktop client. Operators add origins for MCP with `ALLOWED_ORIGINS`; the dashboard ' +
      'API accepts its own origin only.',
    retryable: false,
    detail: 'Origin https://evil.example is not allowed.',
  },
  https_required: {
    status: 403,
    title: 'HTTPS required',
    cause:
      'The dashboard was opened over plain HTTP from another machine. Browsers keep its session cookie over HTTPS ' +
      'only.',
    remedy:
      'Open the dashboard over HTTPS, or on the server itself at http://127.0.0.1. Operators put a TLS proxy in ' +
      'front of it.',
    retryable: false,
    detail: 'Signing in requires HTTPS. Open the dashboard over HTTPS, or on the server itself at http://127.0.0.1.',
  },
  role_not_allowed: {
    status: 403,
    title: 'Insufficient role',
    cause: 'You are a member of the account, but your role does not allow this. `detail` names the required role.',
    remedy: 'Ask an account owner to do it or to change your role.',
    retryable: false,
    detail: 'Only owners of the account can do this. Your role is viewer.',
  },
  shipment_not_found: {
    status: 404,
    title: 'Shipment not found',
    cause: 'The account has no shipment with this id in the mode of the key (live or test).',
    remedy: 'Check the id, and that the key belongs to the account and mode that registered the shipment.',
    retryable: false,
    detail: 'Shipment not found.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    cause: 'The shipment has no event with this id.',
    remedy: 'List its events with `GET /v1/shipments/{shipment_id}/events`.',
    retryable: false,
    detail: 'The shipment has no event with this id.',
  },
  proof_not_found: {
    status: 404,
    title: 'Proof of delivery not found',
    cause:
      'The shipment has no proof of delivery with this id. There is none before the delivery, and not every carrier ' +
      'supplies one.',
    remedy: 'Use an id of `delivery.proof` of the record. It is empty until the shipment is delivered.',
    retryable: false,
    detail: 'This shipment has no proof of delivery yet. Retry after its delivery.',
  },
  carrier_not_found: {
    status: 404,
    title: 'Carrier not found',
    cause: 'The catalogue has no carrier with this code.',
    remedy: 'List the carriers with `GET /v1/carriers`.',
    retryable: false,
    detail: 'Carrier not found.',
  },
  import_not_found: {
    status: 404,
    title: 'Import not found',
    cause: 'The account has no import with this id.',
    remedy: 'Use the id returned when the import was created.',
    retryable: false,
    detail: 'Import not found.',
  },
  api_key_not_found: {
    status: 404,
    title: 'API key not found',
    cause: 'The account has no API key with this id.',
    remedy: 'List the keys with `GET /v1/api-keys`.',
    retryable: false,
    detail: 'API key not found.',
  },
  share_not_found: {
    status: 404,
    title: 'Share not found',
    cause: 'The account has no share with this id, or it belongs to the other mode (live or test).',
    remedy: 'List the shares with `GET /v1/shipments/{shipment_id}/shares`, with a key of the mode that created it.',
    retryable: false,
    detail: 'Share not found.',
  },
  note_not_found: {
    status: 404,
    title: 'Note not found',
    cause: 'The shipment has no note with this id. It may have been deleted.',
    remedy: 'List the notes with `GET /v1/shipments/{shipment_id}/notes`.',
    retryable: false,
    detail: 'Note not found.',
  },
  not_the_author: {
    status: 403,
    title: 'Not the author of the note',
    cause: 'Notes are edited by their authors alone, and deleted by them or by an owner of the account.',
    remedy: 'Write a note of your own, or ask the author or an owner. A key with `shipments:delete` can delete notes.',
    retryable: false,
    detail: 'Only its author can edit a note.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    title: 'Webhook endpoint not found',
    cause: 'The account has no webhook endpoint with this id, or it belongs to the other mode (live or test).',
    remedy: 'List the endpoints with `GET /v1/webhook-endpoints`, with a key of the mode that created it.',
    retryable: false,
    detail: 'Webhook endpoint not found.',
  },
  webhook_delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    cause: 'The webhook endpoint has no delivery with this id, or it is older than deliveries are kept.',
    remedy: 'List the deliveries with `GET /v1/webhook-endpoints/{webhook_endpoint_id}/deliveries`.',
    retryable: false,
    detail: 'Delivery not found.',
  },
  bulk_action_not_found: {
    status: 404,
    title: 'Bulk action not found',
    cause: 'The account has no bulk action with this id, or it ended more than 30 days ago.',
    remedy: 'Check the id that `POST /v1/bulk-actions` returned.',
    retryable: false,
    detail: 'Bulk action not found.',
  },
  webhook_replay_not_found: {
    status: 404,
    title: 'Replay not found',
    cause: 'The webhook endpoint has no replay with this id.',
    remedy: 'List the replays with `GET /v1/webhook-endpoints/{webhook_endpoint_id}/replays`.',
    retryable: false,
    detail: 'Replay not found.',
  },
  view_not_found: {
    status: 404,
    title: 'Saved view not found',
    cause: 'The account has no saved view with this id, or another member keeps it private.',
    remedy: 'Reload the list of views. The view may have been deleted.',
    retryable: false,
    detail: 'Saved view not found.',
  },
  alert_not_found: {
    status: 404,
    title: 'Alert not found',
    cause: 'You have no alert with this id.',
    remedy: 'Reload the list of your alerts. The alert may have ended with its view.',
    retryable: false,
    detail: 'Alert not found.',
  },
  alert_message_not_found: {
    status: 404,
    title: 'Alert message not found',
    cause: 'You got no message with this id, or it is older than 30 days.',
    remedy: 'Reload the list of messages.',
    retryable: false,
    detail: 'Message not found.',
  },
  account_not_found: {
    status: 404,
    title: 'Account not found',
    cause: 'The header `landfall-account` names an account that does not exist or that you are not a member of.',
    remedy: 'Choose one of the accounts listed in your session.',
    retryable: false,
    detail: 'Account not found.',
  },
  member_not_found: {
    status: 404,
    title: 'Member not found',
    cause: 'The account has no member with this id.',
    remedy: 'Reload the list of members. The member may have been removed.',
    retryable: false,
    detail: 'Member not found.',
  },
  invite_not_found: {
    status: 404,
    title: 'Invitation not found',
    cause: 'The account has no pending invitation with this id.',
    remedy: 'Reload the list of invitations. The invitation may have been accepted.',
    retryable: false,
    detail: 'Invitation not found.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    cause: 'You have no session with this id.',
    remedy: 'Reload your list of sessions. The session may have ended.',
    retryable: false,
    detail: 'Session not found.',
  },
  link_not_valid: {
    status: 404,
    title: 'Invalid link',
    cause: 'The invitation, password reset or claim link was already used, has expired, was replaced or is incomplete.',
    remedy: 'Ask for a new link. To create a new claim link, restart Landfall or run `npm run keys -- claim`.',
    retryable: false,
    detail: 'This link was already used, has expired or is incomplete.',
  },
  trace_not_found: {
    status: 404,
    title: 'Trace not found',
    cause: 'The id is not a trace id of this installation.',
    remedy: 'Use a trace id from `X-Trace-Id`, from a record or from the list of traces.',
    retryable: false,
    detail: 'Trace not found. Check the id.',
  },
  trace_not_kept: {
    status: 404,
    title: 'Trace not kept',
    cause: 'The trace store did not keep the trace, or deleted it after two days.',
    remedy: 'Refresh the shipment with `POST /v1/shipments/{shipment_id}/refresh`, whose trace is always kept.',
    retryable: false,
    detail: 'This trace has expired. Traces are kept for 48 hours.',
  },
  route_not_found: {
    status: 404,
    title: 'Route not found',
    cause: 'Nothing is served at this path.',
    remedy: 'Check the path. `detail` suggests the nearest one.',
    retryable: false,
    detail: 'Path not found. Did you mean /v1/shipments?',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cause: 'The path exists but does not support this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
    retryable: false,
    detail: '/v1/shipments supports GET, HEAD, POST.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    cause: 'The `Accept` header excludes every media type that this endpoint returns.',
    remedy: 'Send `Accept: application/json`, `Accept: */*` or no `Accept` header.',
    retryable: false,
    detail: 'This endpoint returns application/json. Allow it in the Accept header.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    cause: 'The body exceeds the limit of the endpoint: 64 KiB, or 8 MiB for a batch.',
    remedy: 'Send fewer rows per request, or use an import, which accepts files of any size.',
    retryable: false,
    detail: 'The body exceeds 64 KiB.',
  },
  uri_too_long: {
    status: 414,
    title: 'URI too long',
    cause: 'The path and query exceed 8 KiB.',
    remedy: 'Use fewer or shorter filter values, or split the request.',
    retryable: false,
    detail: 'The URL exceeds 8 KiB.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    cause: 'The URL and headers together exceed 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
    retryable: false,
    detail: 'The URL and headers together exceed 16 KiB.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    cause: 'The headers did not arrive within 10 seconds, or the whole request did not arrive within 30 seconds.',
    remedy: 'Retry over a faster connection.',
    retryable: true,
    detail: 'The request did not arrive in time.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The endpoint does not accept this `Content-Type`, or the body is compressed.',
    remedy: 'Send `Content-Type: application/json` without `Content-Encoding`.',
    retryable: false,
    detail: 'Send the body with Content-Type: application/json.',
  },
  precondition_failed: {
    status: 412,
    title: 'Record changed',
    cause: 'The record no longer has an ETag that `If-Match` names: it changed since you read it.',
    remedy: 'Read the record again, apply your change to it, and send its new ETag.',
    retryable: false,
    detail: 'The shipment changed since it was read. Read it again and send its current ETag.',
  },
  identifier_conflict: {
    status: 409,
    title: 'Conflicting identifiers',
    cause:
      'An open shipment has a different value for one of the identifiers, or the identifiers belong to two open ' +
      'shipments.',
    remedy:
      'Check the shipments in `shipment_ids`. Correct the identifiers of this request, or with PATCH those of a ' +
      'shipment whose carrier has not reported events yet, or archive the other shipment.',
    retryable: false,
    detail: 'booking conflicts with the open shipment that has the same mbl.',
  },
  reference_conflict: {
    status: 409,
    title: 'Duplicate reference',
    cause: 'References are unique in an account, and the shipment in `shipment_ids` already has this one.',
    remedy: 'Choose another reference, or use that shipment.',
    retryable: false,
    detail: 'Another shipment has the reference PO-7741.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request in progress',
    cause: 'The first request with this Idempotency-Key has not finished.',
    remedy: 'Retry the same request in a moment.',
    retryable: true,
    detail: 'A request with this Idempotency-Key is still in progress. Retry in a moment.',
  },
  invalid_state: {
    status: 409,
    title: 'Operation not allowed in the current state',
    cause:
      'The state of the shipment, key or installation does not allow this operation, such as refreshing a stopped ' +
      'shipment. `detail` names it.',
    remedy: 'Follow the suggestion in `detail`.',
    retryable: false,
    detail: 'Tracking is stopped. Resume the shipment instead.',
  },
  carrier_credentials_missing: {
    status: 409,
    title: 'Carrier credentials missing',
    cause: 'The account has no credentials for this carrier that work, and the request needs a call to the carrier.',
    remedy: 'Set them with `PUT /v1/carriers/{carrier_code}/credentials`, and check them with `…/verify`.',
    retryable: false,
    detail: 'The account has no credentials for this carrier. Add credentials.',
  },
  carrier_not_supported: {
    status: 422,
    title: 'Carrier not supported',
    cause: 'The carrier is unknown, does not operate in this transport mode, or has no integration yet.',
    remedy: 'Use the code suggested in `detail`, or list the carriers with `GET /v1/carriers`.',
    retryable: false,
    detail: 'Unknown carrier: MAEUX. Did you mean MAEU (Maersk)?',
  },
  identifier_not_trackable: {
    status: 422,
    title: 'No trackable identifier',
    cause: 'All identifiers are for reference only. Carriers cannot be queried by them.',
    remedy: 'Add one of the identifiers named in `detail`.',
    retryable: false,
    detail: 'Carriers cannot be queried by these identifiers. Add one of mbl, booking, container.',
  },
  identifier_mode_mismatch: {
    status: 422,
    title: 'Identifier of another transport mode',
    cause: 'An identifier does not exist in the transport mode of the shipment, such as `awb` for ocean.',
    remedy: 'Correct `transport_mode` or the identifier.',
    retryable: false,
    detail: 'awb is an identifier for air, not for ocean.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Idempotency-Key reused with a different request',
    cause: 'The same key was sent within 24 hours with a different body.',
    remedy: 'Use a new key for a new request. Retry a request byte for byte.',
    retryable: false,
    detail: 'This Idempotency-Key was used with a different body.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    cause: 'The key, the user or, for failed sign-ins, the IP address has reached its rate limit.',
    remedy: 'Wait for the seconds in `Retry-After`. Every response shows the remaining requests in `RateLimit`.',
    retryable: true,
    detail: 'Rate limit exceeded. Retry in 12 s.',
  },
  refresh_too_soon: {
    status: 429,
    title: 'Refresh limit reached',
    cause: 'A shipment can be refreshed manually once every 10 minutes.',
    remedy: 'Wait for the seconds in `Retry-After`. Landfall keeps polling on schedule.',
    retryable: true,
    detail: 'Refresh limit reached. Retry in 540 s.',
  },
  carrier_rate_limited: {
    status: 429,
    title: 'Call limit of the carrier reached',
    cause: 'The carrier limits calls with these credentials, and the request needs one. Refreshes use the same limit.',
    remedy: 'Wait for the seconds in `Retry-After`.',
    retryable: true,
    detail: 'UPS was not called. The call budget is used up.',
  },
  internal_error: {
    status: 500,
    isInternal: true,
    title: 'Internal error',
    cause: 'An unexpected error. It was logged with the `request_id`.',
    remedy: 'Retry. If it persists, report the `request_id`.',
    retryable: true,
    detail: 'Internal error. If it persists, report the request_id.',
  },
  proof_unavailable: {
    status: 502,
    title: 'Proof of delivery unavailable',
    cause:
      'The carrier did not supply the document: it failed, refused it, or sent something that is not a PNG, JPEG, ' +
      'GIF or PDF file of at most 5 MiB. `detail` names the reason.',
    remedy:
      'Retry later if the carrier failed, after the seconds in `Retry-After` if there are any. Otherwise, ask the ' +
      'carrier for the document.',
    retryable: true,
    detail: 'UPS did not supply the document: the carrier returned a server error (503).',
  },
  unavailable: {
    status: 503,
    isInternal: true,
    title: 'Service temporarily unavailable',
    cause:
      'The database is unavailable, the service is starting or shutting down, or it reads as many large files as it can ' +
      'hold in memory.',
    remedy: 'Wait for the seconds in `Retry-After`, then retry. With an `Idempotency-Key`, nothing is done twice.',
    retryable: true,
    detail: 'Service temporarily unavailable.',
  },
  import_quota_exceeded: {
    status: 409,
    title: 'Import quota exceeded',
    cause:
      "The waiting and failed rows of the account's imports take more than 1 GiB, or it keeps more than 10,000 imports.",
    remedy: 'Wait until running imports have ended, or delete imports with `DELETE /v1/imports/{import_id}`.',
    retryable: false,
    detail: "The waiting and failed rows of this account's imports exceed 1024 MiB. Delete imports, or wait.",
  },
  account_busy: {
    status: 503,
    title: 'Too many parallel requests',
    cause:
      'The account has reached its limit of parallel requests, and this one waited too long for its turn, or ' +
      "its large files take the memory that one account may use. Other accounts' requests are not affected.",
    remedy: 'Send fewer requests in parallel. Wait for the seconds in `Retry-After`, then retry.',
    retryable: true,
    detail: 'Too many requests of this account are running at once. Send fewer in parallel and retry in 5 s.',
  },
  storage_full: {
    status: 503,
    isInternal: true,
    title: 'Storage full',
    cause: "The database's disk is full, so that nothing can be written. Reads still work.",
    remedy:
      'Wait for the seconds in `Retry-After`, then retry: writes succeed again as soon as the operator has freed ' +
      'some space. Nothing of the failed request was stored.',
    retryable: true,
    detail: 'The storage is full. Nothing was written. Retry later.',
  },
  list_too_slow: {
    status: 503,
    title: 'Query too slow',
    cause: 'No index serves this combination of filters and sort, and finding the page took more than 1 second.',
    remedy:
      'Use one of the indexed queries listed under `GET /v1/shipments`, or narrow the list by an identifier or ' +
      'reference.',
    retryable: false,
    detail: 'The query took too long. An indexed query is, for example, status=arrived&sort=-created_at.',
  },
};
