import { expect, it } from 'vitest';
import { outcomeOfAnswer, outcomeOfFault } from '#services/worker/refresh/carrier-http.ts';

it('maps every response and every fault to one outcome', () => {
  const outcome = (status: number, text = '{}') => outcomeOfAnswer({ status, text });
  expect(
    [200, 204, 400, 401, 403, 404, 408, 422, 429, 500, 503].map((status) =>
      outcome(status, status === 204 ? '' : '{}'),
    ),
  ).toEqual([
    'ok',
    'ok',
    'client_error',
    'unauthorized',
    'unauthorized',
    'not_found',
    'timeout',
    'client_error',
    'rate_limited',
    'server_error',
    'server_error',
  ]);
  expect([outcome(200, '<html>'), outcome(200, ' [1]'), outcome(200, 'moved')]).toEqual([
    'unreadable',
    'ok',
    'unreadable',
  ]);
  expect([outcomeOfFault(AbortSignal.abort()), outcomeOfFault(new AbortController().signal)]).toEqual([
    'timeout',
    'connection',
  ]);
});
