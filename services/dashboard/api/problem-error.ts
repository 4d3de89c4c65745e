/** What the service answers instead of what was asked for (RFC 9457), or `network` when it gave no answer at all. */
export class ProblemError extends Error {
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** The id that the logs and traces know the request by; null without an answer. */
  readonly requestId: string | null;
  readonly errors: readonly { pointer?: string; message: string }[];

  constructor(problem: {
    code: string;
    status: number;
    detail: string;
    requestId: string | null;
    errors?: readonly { pointer?: string; message: string }[];
  }) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.code = problem.code;
    this.status = problem.status;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
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
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
