import type { Json } from '#test/support/api/api.ts';

export type Api = { url: string };
export type Call = (path: string, body?: unknown, method?: string) => Promise<Json>;

/** Calls with this key. Throws unless the answer is a success. */
export function callsOf(api: Api, key: string): Call {
  return async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await fetch(api.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        // Keys that a worker keeps for a day.
        ...(path === '/v1/shipments' && method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return successOf(path, answer.status, text === '' ? null : JSON.parse(text));
  };
}

/** The answer. Throws unless it is a success. */
export function successOf(path: string, status: number, body: Json): Json {
  if (status >= 300) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
