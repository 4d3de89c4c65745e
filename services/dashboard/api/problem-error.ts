/** What the service answers instead of what was asked for (RFC 9457), or `network` when it gave no answer at all. */
export class ProblemError extends Error {
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** The id that the logs and traces know the request by; null without an answer. */
  readonly requestId: string | null;
  /** Every mistake of the request, in words. */
  readonly errors: readonly { pointer?: string; detail: string }[];
  /** When to ask again, in seconds from the answer; null when it does not say. */
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

/** The problem that an answer holds, whatever it holds. */
export function problemOf(status: number, body: unknown, headers: Headers): ProblemError {
  const requestId = headers.get('x-request-id');
  const told = isRecord(body) ? body : {};
  return new ProblemError({
    code: typeof told.code === 'string' ? told.code : 'internal_error',
    status,
    detail: typeof told.detail === 'string' ? told.detail : `The service answered ${status}`,
    requestId: typeof told.request_id === 'string' ? told.request_id : requestId,
    errors: Array.isArray(told.errors) ? told.errors : [],
    retryAfterS: secondsOf(headers.get('retry-after')),
  });
}

function secondsOf(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
