/** A problem response of the API (RFC 9457), or `network` when there was no response. */
export class ProblemError extends Error {
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The request id in logs and traces; null without a response. */
  readonly requestId: string | null;
  /** All errors of the request. */
  readonly errors: readonly { pointer?: string; detail: string }[];
  /** Seconds after which to retry; null if the response does not say. */
  readonly retryAfterS: number | null;

  constructor(problem: {
    code: string;
    status: number;
    detail: string;
    requestId: string | null;
    errors?: readonly { pointer?: string; detail: string }[];
    retryAfterS?: number | null;
  }) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.code = problem.code;
    this.status = problem.status;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.retryAfterS = problem.retryAfterS ?? null;
  }
}

/** The problem in a response, with defaults for missing fields. */
export function problemOf(status: number, body: unknown, headers: Headers): ProblemError {
  const requestId = headers.get('x-request-id');
  const problem = isRecord(body) ? body : {};
  return new ProblemError({
    code: typeof problem.code === 'string' ? problem.code : 'internal_error',
    status,
    detail: typeof problem.detail === 'string' ? problem.detail : `The API responded with status ${status}.`,
    requestId: typeof problem.request_id === 'string' ? problem.request_id : requestId,
    errors: Array.isArray(problem.errors) ? problem.errors : [],
    retryAfterS: secondsOf(headers.get('retry-after')),
  });
}

function secondsOf(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
