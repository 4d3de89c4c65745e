import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, chosen, ofAccount, send, urlOf } from '#services/dashboard/api/call.ts';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import { deadlineMs } from '#services/dashboard/api/within-deadline.ts';

type Sent = { url: string; init: RequestInit & { headers: Record<string, string> } };

const id = 'shp_01kahf3m2xfr5tq4d8z9w6c7yb';

describe('call', () => {
  const sent: Sent[] = [];
  let answer: () => Promise<Response>;

  beforeEach(() => {
    sent.length = 0;
    Object.assign(chosen, { account: 'acc_1', mode: 'test' });
    vi.stubGlobal('fetch', (url: string, init: Sent['init']) => {
      sent.push({ url, init });
      return answer();
    });
  });
  afterEach(() => {
    Object.assign(chosen, { account: null, mode: 'live' });
    vi.unstubAllGlobals();
  });

  const answerWith = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    answer = async () => new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };
  const json = { 'content-type': 'application/json; charset=utf-8' };

  it('sends the session, the account and the mode to the address of its operation', async () => {
    answerWith(200, { data: [] }, json);
    expect(await call('listShipments', { query: { status: ['booked', 'arrived'], limit: 5 } })).toEqual({ data: [] });
    await call('updateShipment', { params: { shipment_id: id }, body: { tags: ['spring'] } });
    expect(sent.map(({ url, init: { method } }) => `${method} ${url}`)).toEqual([
      'GET /dashboard/api/v1/shipments?status=booked%2Carrived&limit=5',
      `PATCH /dashboard/api/v1/shipments/${id}`,
    ]);
    expect(sent[0]?.init).toMatchObject({
      credentials: 'same-origin',
      headers: { 'landfall-account': 'acc_1', 'landfall-mode': 'test' },
    });
    expect(sent[1]?.init).toMatchObject({
      body: '{"tags":["spring"]}',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('reads data of the account in live mode, whatever the chosen mode', async () => {
    answerWith(200, { data: [], page: {} }, json);
    await call('listApiKeys', {}, ofAccount);
    expect(sent[0]?.init.headers['landfall-mode']).toBe('live');
  });

  it('sends the given idempotency key, entity tag and signal', async () => {
    answerWith(304, undefined);
    const controller = new AbortController();
    const { signal } = controller;
    const response = await send('getShipment', { params: { shipment_id: id } }, { ifNoneMatch: '"7"', signal });
    expect(response.status).toBe(304);
    expect(sent[0]?.init).toMatchObject({ headers: { 'if-none-match': '"7"' } });
    controller.abort();
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    answerWith(200, { results: [] }, json);
    await call('registerBatch', { body: { shipments: [] } }, { idempotencyKey: 'key' });
    expect(sent[1]?.init.headers['idempotency-key']).toBe('key');
  });

  it('returns undefined for an empty body, and text for a body that is not JSON', async () => {
    answer = async () => new Response(null, { status: 204 });
    expect(await call('signOut')).toBeUndefined();
    expect(sent[0]?.init.body).toBeUndefined();
    answer = async () => new Response('{"row":1}\n', { headers: { 'content-type': 'application/x-ndjson' } });
    expect(await call('getImportErrors', { params: { import_id: 'imp_1' } })).toBe('{"row":1}\n');
  });

  it('throws the problem of the response with its retry time', async () => {
    const problem = { code: 'refresh_too_soon', detail: 'Refresh limit reached.', request_id: 'req_1', errors: [] };
    answerWith(429, problem, { 'content-type': 'application/problem+json', 'retry-after': '540' });
    await expect(call('refreshShipment', { params: { shipment_id: id } })).rejects.toMatchObject({
      code: 'refresh_too_soon',
      status: 429,
      message: 'Refresh limit reached.',
      requestId: 'req_1',
      retryAfterS: 540,
    });
    answer = async () => new Response('<html>', { status: 502, headers: { 'x-request-id': 'req_2' } });
    await expect(call('getSession')).rejects.toMatchObject({ code: 'internal_error', status: 502, requestId: 'req_2' });
  });

  it('throws a network problem without a response, and rethrows an abort', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(call('getSession')).rejects.toBeInstanceOf(ProblemError);
    await expect(call('getSession')).rejects.toMatchObject({ code: 'network', status: 0 });
    const abort = new DOMException('aborted', 'AbortError');
    answer = () => Promise.reject(abort);
    await expect(call('getSession')).rejects.toBe(abort);
  });

  it.each(['the response', 'the body'])('ends a request that waits for %s for ever', async (part) => {
    vi.useFakeTimers();
    try {
      const body = new ReadableStream();
      answer = () => {
        const { signal } = sent.at(-1)?.init ?? {};
        const hung = new Promise<never>((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
        const answered = new Response(body, { headers: json });
        return part === 'the response' ? hung : Promise.resolve(Object.assign(answered, { text: () => hung }));
      };
      const ended = expect(call('getSession')).rejects.toMatchObject({ code: 'network', status: 0 });
      await vi.advanceTimersByTimeAsync(deadlineMs.read);
      await ended;
    } finally {
      vi.useRealTimers();
    }
  });

  it('escapes path parameters', () => {
    expect(urlOf('getCarrier', { params: { carrier_code: 'a/b?c' } })).toBe('/dashboard/api/v1/carriers/a%2Fb%3Fc');
    expect(urlOf('getTrace', { params: { trace_id: 'f00' } })).toBe('/dashboard/api/traces/f00');
  });
});
