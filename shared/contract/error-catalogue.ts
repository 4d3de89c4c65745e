import type { ErrorCode } from '#shared/domain/errors.ts';

export type ErrorEntry = {
  title: string;
  /** When a client meets it. */
  cause: string;
  /** What the client does about it. */
  remedy: string;
  /** The same request may succeed later without any change to it. */
  retryable: boolean;
  /** The `detail` of an example; real ones name what was sent. */
  detail: string;
};

/** What every error code means to a client: the titles of the answers and the pages under /docs are made from it. */
export const errorCatalogue = {
  invalid_json: {
    title: 'The body is not JSON',
    cause: 'The body is empty, is not valid JSON or UTF-8, ended early, or has a key `__proto__`.',
    remedy: 'Send a complete JSON document in UTF-8.',
    retryable: false,
    detail: 'The body is not valid JSON',
  },
  validation_failed: {
    title: 'The request is not valid',
    cause: 'A field, a parameter or a header is missing, has the wrong type or breaks a rule.',
    remedy:
      'Read `errors`: each entry points at one place (`/identifiers/mbl` in a body, `?limit` in a query) and says what is allowed there.',
    retryable: false,
    detail: 'carrier is required',
  },
  unknown_parameter: {
    title: 'A query parameter is not known',
    cause: 'The address has a query parameter that this operation does not take, often a misspelt one.',
    remedy: 'Use the name that `detail` proposes, or leave the parameter out.',
    retryable: false,
    detail: 'limt is not a parameter; did you mean limit?',
  },
  unknown_field: {
    title: 'A field is not known',
    cause: 'The body has a field that this operation does not take, often a misspelt one.',
    remedy: 'Use the name that `detail` proposes, or leave the field out.',
    retryable: false,
    detail: 'carier is not a field; did you mean carrier?',
  },
  invalid_cursor: {
    title: 'The cursor is not valid here',
    cause: 'The cursor is damaged, or it was given for another filter or another sort.',
    remedy: 'Keep the filter and the sort while paging, or start again without `cursor`.',
    retryable: false,
    detail: 'This cursor belongs to another filter or sort; start again without cursor',
  },
  missing_api_key: {
    title: 'An API key is needed',
    cause: 'The request has no `Authorization` header. A key in the address is never read.',
    remedy: 'Send `Authorization: Bearer svc_live_…` with every request.',
    retryable: false,
    detail: 'Send your API key as Authorization: Bearer svc_live_…; a key in the address is not read',
  },
  invalid_api_key: {
    title: 'The API key is not valid',
    cause: 'The header is not `Bearer` and a key, the key is incomplete or mistyped, or no such key exists.',
    remedy: 'Copy the key again, or create a new one.',
    retryable: false,
    detail: 'The API key is not complete or has a typing error',
  },
  expired_api_key: {
    title: 'The API key has expired',
    cause: 'The key had an expiry and it has passed, or the key was rotated and its grace period is over.',
    remedy: 'Use the key that replaced it, or create a new one.',
    retryable: false,
    detail: 'The API key has expired; create or rotate to a new one',
  },
  revoked_api_key: {
    title: 'The API key was revoked',
    cause: 'Somebody of the account revoked this key.',
    remedy: 'Use another key of the account, or create a new one.',
    retryable: false,
    detail: 'The API key was revoked',
  },
  invalid_signature: {
    title: 'The delivery is not signed as agreed',
    cause:
      'A carrier’s delivery came to an address that no subscription has, or its `Notification-Signature` is missing or does not fit the body. Which of these it is, is not said.',
    remedy: 'Nothing for clients: only carriers meet it. Landfall repairs or renews its subscriptions by itself.',
    retryable: false,
    detail: 'There is no subscription at this address, or the Notification-Signature does not fit the body',
  },
  not_signed_in: {
    title: 'Nobody is signed in',
    cause:
      'A request of the dashboard came without a session, or with one that ended or was revoked. API keys open nothing here.',
    remedy: 'Sign in at the dashboard; programs use `/v1` with an API key.',
    retryable: false,
    detail: 'Sign in first',
  },
  wrong_password: {
    title: 'The address and the password do not belong together',
    cause: 'Nobody has this e-mail address and this password. Which of the two is wrong is not said.',
    remedy: 'Try again, or ask an owner of the account.',
    retryable: false,
    detail: 'Nobody has this e-mail address and this password',
  },
  insufficient_scope: {
    title: 'The API key lacks a scope',
    cause: 'The key is valid, but it was not given the scope that this operation needs; `detail` names the scope.',
    remedy: 'Use a key with that scope, or create one.',
    retryable: false,
    detail: 'This needs a key with the scope shipments:write',
  },
  test_key_not_allowed: {
    title: 'A test key cannot do this',
    cause: 'The operation is not there for keys that begin with `svc_test_`.',
    remedy: 'Use a live key.',
    retryable: false,
    detail: 'A test key can make test keys only; send "test": true',
  },
  live_key_not_allowed: {
    title: 'A live key cannot do this',
    cause: 'The operation belongs to test mode.',
    remedy: 'Use a key that begins with `svc_test_`.',
    retryable: false,
    detail: 'This needs a test key',
  },
  host_not_allowed: {
    title: 'The host name is not one of this service',
    cause: 'The `Host` header of a request to the MCP endpoint names a host that this installation does not answer to.',
    remedy: 'Use the address that the operator published; operators add names with `ALLOWED_HOSTS`.',
    retryable: false,
    detail: 'The host evil.example is not one that this service answers to',
  },
  origin_not_allowed: {
    title: 'The browser origin may not call this',
    cause: 'A browser page of another origin called the MCP endpoint or the dashboard.',
    remedy:
      'Call from a server or a desktop client; operators add origins for MCP with `ALLOWED_ORIGINS`. The dashboard takes its own alone.',
    retryable: false,
    detail: 'The origin https://evil.example may not call this endpoint',
  },
  https_required: {
    title: 'The dashboard needs https',
    cause: 'The dashboard was opened over plain http from another machine. Browsers keep its cookie over https only.',
    remedy: 'Open it over https, or on the machine itself as http://127.0.0.1; operators put TLS in front of it.',
    retryable: false,
    detail: 'Signing in needs https here: open the dashboard at an https address, or on the machine itself',
  },
  role_not_allowed: {
    title: 'Your role does not allow this',
    cause:
      'You are signed in and a member of the account, but what you are there may not do this; `detail` names who may.',
    remedy: 'Ask an owner of the account to do it, or to change your role.',
    retryable: false,
    detail: 'This is for owners of the account; you are a viewer',
  },
  shipment_not_found: {
    title: 'There is no such shipment',
    cause: 'No shipment of this account and of the mode of this key (live or test) has this id.',
    remedy: 'Check the id, and that the key belongs to the account and the mode that registered the shipment.',
    retryable: false,
    detail: 'There is no shipment with this id.',
  },
  carrier_not_found: {
    title: 'There is no such carrier',
    cause: 'The catalogue has no carrier with this code.',
    remedy: 'Refresh the code up with `GET /v1/carriers`.',
    retryable: false,
    detail: 'There is no carrier with this code',
  },
  import_not_found: {
    title: 'There is no such import',
    cause: 'No import of this account has this id.',
    remedy: 'Use the id that starting the import gave.',
    retryable: false,
    detail: 'There is no import with this id',
  },
  api_key_not_found: {
    title: 'There is no such API key',
    cause: 'No API key of this account has this id.',
    remedy: 'Refresh the id up with `GET /v1/api-keys`.',
    retryable: false,
    detail: 'There is no API key with this id',
  },
  account_not_found: {
    title: 'There is no such account',
    cause: 'The header `landfall-account` of a request of the dashboard names no account that you are a member of.',
    remedy: 'Choose one of the accounts that the session names.',
    retryable: false,
    detail: 'You are a member of no account with this id',
  },
  member_not_found: {
    title: 'There is no such member',
    cause: 'No member of this account has this id.',
    remedy: 'Refresh the members up again; somebody may have removed this one.',
    retryable: false,
    detail: 'The account has no member with this id',
  },
  invite_not_found: {
    title: 'There is no such invitation',
    cause: 'No open invitation of this account has this id.',
    remedy: 'Refresh the invitations up again; it may have been accepted.',
    retryable: false,
    detail: 'The account has no open invitation with this id',
  },
  session_not_found: {
    title: 'There is no such session',
    cause: 'You have no session with this id, or not any more.',
    remedy: 'Refresh your sessions up again.',
    retryable: false,
    detail: 'You have no session with this id',
  },
  link_not_valid: {
    title: 'The link is not valid any more',
    cause:
      'A link that invites somebody, or that claims a new installation, was used before, has expired, was replaced or is not complete.',
    remedy: 'Ask for a new invitation; for a new claim link start Landfall again, or run `npm run keys -- claim`.',
    retryable: false,
    detail: 'This link was used, has expired or is not complete',
  },
  route_not_found: {
    title: 'There is no such address',
    cause: 'Nothing is served at this path.',
    remedy: 'Check the path; `detail` names the nearest one when there is one.',
    retryable: false,
    detail: 'There is nothing at this address; did you mean /v1/shipments?',
  },
  method_not_allowed: {
    title: 'The address does not take this method',
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
    retryable: false,
    detail: '/v1/shipments takes GET, HEAD, POST',
  },
  not_acceptable: {
    title: 'No offered representation is acceptable',
    cause: 'The `Accept` header excludes every media type that this operation answers in.',
    remedy: 'Send `Accept: application/json`, `*/*`, or no `Accept` at all.',
    retryable: false,
    detail: 'Answers are application/json; Accept must allow that',
  },
  payload_too_large: {
    title: 'The body is too large',
    cause: 'The body is longer than the operation takes: 64 KiB, or 8 MiB for a batch.',
    remedy: 'Send less at once; an import takes a file of any size.',
    retryable: false,
    detail: 'A body may have at most 64 KiB',
  },
  uri_too_long: {
    title: 'The address is too long',
    cause: 'The path and query have more than 8 KiB.',
    remedy: 'Use fewer or shorter filter values, in several requests.',
    retryable: false,
    detail: 'The address may have at most 8 KiB',
  },
  headers_too_large: {
    title: 'The headers are too large',
    cause: 'The address and the headers have more than 16 KiB together.',
    remedy: 'Send fewer or shorter headers.',
    retryable: false,
    detail: 'Address and headers may have at most 16 KiB together',
  },
  request_timeout: {
    title: 'The request took too long to arrive',
    cause: 'The headers did not arrive within 10 seconds, or the whole request not within 30.',
    remedy: 'Send the request again on a better connection.',
    retryable: true,
    detail: 'The request did not arrive in time',
  },
  unsupported_media_type: {
    title: 'The body has an unsupported media type',
    cause: 'The `Content-Type` is not one that the operation takes, or the body is compressed.',
    remedy: 'Send `Content-Type: application/json` without `Content-Encoding`.',
    retryable: false,
    detail: 'Send the body as JSON with Content-Type: application/json',
  },
  identifier_conflict: {
    title: 'The identifiers contradict an open shipment',
    cause:
      'An open shipment has another value for one of the identifiers, or the identifiers belong to two open shipments.',
    remedy:
      'Refresh at the shipments in `shipment_ids`, then correct the identifiers, or stop or archive the other shipment.',
    retryable: false,
    detail: 'booking contradicts the open shipment with the same mbl',
  },
  reference_conflict: {
    title: 'Another shipment has this reference',
    cause: 'References are unique in an account, and the shipment in `shipment_ids` has this one.',
    remedy: 'Choose another reference, or use that shipment.',
    retryable: false,
    detail: 'Another shipment has the reference PO-7741',
  },
  idempotency_in_progress: {
    title: 'A request with this Idempotency-Key is still running',
    cause: 'The first request with the same key has not been answered yet.',
    remedy: 'Wait a moment and send the same request again.',
    retryable: true,
    detail: 'A request with this Idempotency-Key is still running; try again in a moment',
  },
  invalid_state: {
    title: 'The present state does not allow this',
    cause:
      'The operation does not fit the present state of the shipment, the key or the installation, for example refreshing a stopped shipment; `detail` names it.',
    remedy: 'Read what it is about, and do first what `detail` proposes.',
    retryable: false,
    detail: 'Tracking is stopped; resume the shipment instead.',
  },
  carrier_not_supported: {
    title: 'The carrier cannot be followed',
    cause: 'The carrier is not known, does not carry by this mode, or cannot be followed yet.',
    remedy: 'Correct the code as `detail` proposes, or look it up with `GET /v1/carriers`.',
    retryable: false,
    detail: 'MAEUX is not a known carrier; did you mean MAEU (Maersk)?',
  },
  identifier_not_trackable: {
    title: 'No identifier can be followed',
    cause: 'All the identifiers are for reference only; no carrier can be asked about them.',
    remedy: 'Add one of the identifiers that `detail` names.',
    retryable: false,
    detail: 'No carrier can be asked about these alone; add one of mbl, booking, container',
  },
  identifier_mode_mismatch: {
    title: 'An identifier belongs to another transport mode',
    cause: 'An identifier such as `awb` was sent with a transport mode that has none.',
    remedy: 'Correct `transport_mode` or the identifier.',
    retryable: false,
    detail: 'awb is for air, not for ocean',
  },
  idempotency_mismatch: {
    title: 'The Idempotency-Key was used with another body',
    cause: 'The same key was sent within 24 hours with a different body.',
    remedy: 'Use a new key for a new request, and repeat a request byte for byte.',
    retryable: false,
    detail: 'This Idempotency-Key was used with another body',
  },
  rate_limited: {
    title: 'Too many requests',
    cause: 'The allowance of the key or person, or of failed sign-ins from the address, is used up for now.',
    remedy: 'Wait the seconds of `Retry-After`. `RateLimit` says what is left on every answer.',
    retryable: true,
    detail: 'Too many requests; try again in 12 s',
  },
  refresh_too_soon: {
    title: 'The shipment was refreshed a moment ago',
    cause: 'A shipment can be refreshed by hand once in 10 minutes.',
    remedy: 'Wait the seconds of `Retry-After`; the record is kept current without it.',
    retryable: true,
    detail: 'The carrier was asked a moment ago; try again in 540 s',
  },
  internal_error: {
    title: 'Something went wrong on our side',
    cause: 'A mistake in the service. It was logged with the `request_id`.',
    remedy: 'Try again, and name the `request_id` when you report it.',
    retryable: true,
    detail: 'Something went wrong on our side; name the request_id when you report it',
  },
  unavailable: {
    title: 'The service is briefly unavailable',
    cause: 'The database is away, or the service is starting or closing.',
    remedy:
      'Wait the seconds of `Retry-After` and send the request again. With an `Idempotency-Key` nothing is done twice.',
    retryable: true,
    detail: 'The service is briefly unavailable; try again',
  },
  list_too_slow: {
    title: 'The list took too long',
    cause:
      'Among this many shipments the combination of filters and sort has no index, and finding its page took more than 5 s.',
    remedy:
      'Ask one of the fast lists that the description of `GET /v1/shipments` names, or narrow the list by a number or a reference.',
    retryable: false,
    detail: 'Finding these shipments took too long; always fast is, for instance, status=arrived&sort=-created_at',
  },
} satisfies Record<ErrorCode, ErrorEntry>;
