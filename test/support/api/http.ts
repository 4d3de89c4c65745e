import { checkAnswer } from './openapi-checks.ts';

/** A request with only the given headers. Throws if the answer doesn't match the OpenAPI document. */
export async function request(
  url: string,
  options: { method?: string; key?: string; body?: unknown; headers?: Record<string, string> } = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any answer
): Promise<{ status: number; headers: Headers; body: any }> {
  const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined
      ? {}
      : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
  });
  const text = await response.text();
  checkAnswer({ method, url, status: response.status, headers: response.headers, body: text });
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}
