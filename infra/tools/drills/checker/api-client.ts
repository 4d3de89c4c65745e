/** One answer of the API. */
// biome-ignore lint/suspicious/noExplicitAny: the checker reads any answer
export type Answer = { status: number; headers: Headers; body: any };

/** `refused`: nothing was sent. `broken` and `timeout`: whether the server acted is unknown. */
export type Failure = { failure: 'refused' | 'broken' | 'timeout'; message: string };

export type CallOptions = { body?: object; idempotencyKey?: string };

/** Sends a request to one of the addresses. It never throws. */
export type ApiClient = (method: string, path: string, options?: CallOptions) => Promise<Answer | Failure>;

/** Longer than any deadline of the API. */
const requestTimeoutMs = 30_000;

/** A client that takes the addresses in turn, as behind a load balancer without health checks. */
export function openApiClient({ urls, key }: { urls: readonly string[]; key: string }): ApiClient {
  let turn = 0;
  return async (method, path, { body, idempotencyKey } = {}) => {
    turn += 1;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    try {
      const response = await fetch(`${urls[turn % urls.length]}${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(requestTimeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parse(text) };
    } catch (error) {
      return failureOf(error);
    }
  };
}

export function isAnswer(outcome: Answer | Failure): outcome is Answer {
  return 'status' in outcome;
}

function failureOf(error: unknown): Failure {
  const { name, cause } = error as Error;
  const message = [error, cause].map(String).join(': ');
  if (name === 'TimeoutError') return { failure: 'timeout', message };
  // A port that closes also resets the connections that nobody has accepted yet: `connect ECONNRESET`.
  const isRefused = (cause as { syscall?: string } | undefined)?.syscall === 'connect';
  return { failure: isRefused ? 'refused' : 'broken', message };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
