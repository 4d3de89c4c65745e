import { expect, it } from 'vitest';
import { checkAnswer, type ObservedAnswer } from './openapi-checks.ts';

const problem = {
  type: '/docs/errors#shipment_not_found',
  title: 'There is no such shipment',
  status: 404,
  detail: 'Shipment not found.',
  code: 'shipment_not_found',
  request_id: 'req_01kahf3m2xfr5tq4d8z9w6c7yb',
  trace_id: null,
  retryable: false,
  errors: [],
};

function answer(
  changes: Partial<ObservedAnswer> & { json?: object; head?: Record<string, string> } = {},
): ObservedAnswer {
  return {
    method: 'GET',
    url: 'http://127.0.0.1/v1/shipments/shp_1',
    status: 404,
    headers: new Headers({
      'content-type': 'application/problem+json; charset=utf-8',
      'x-request-id': problem.request_id,
      ...changes.head,
    }),
    body: JSON.stringify({ ...problem, ...changes.json }),
    ...changes,
  };
}

it('accepts documented answers', () => {
  expect(() => checkAnswer(answer())).not.toThrow();
  expect(() => checkAnswer(answer({ method: 'HEAD', body: '' }))).not.toThrow();
  expect(() => checkAnswer(answer({ url: 'http://127.0.0.1/livez', status: 299 }))).not.toThrow();
});

it.each<[string, ObservedAnswer, RegExp]>([
  ['a status', answer({ status: 418 }), /not documented/],
  ['a status of another operation', answer({ status: 201 }), /not documented/],
  ['a media type', answer({ head: { 'content-type': 'text/html' } }), /documented are/],
  ['no media type', answer({ head: { 'content-type': '' } }), /documented are/],
  ['a code of another status', answer({ json: { code: 'invalid_json' } }), /\/code/],
  ['a field that is not there', answer({ json: { extra: 1 } }), /additional/],
  ['a field of another type', answer({ json: { retryable: 'no' } }), /retryable/],
  ['a body that is no JSON', answer({ body: 'x' }), /not JSON/],
  ['a body where none belongs', answer({ status: 304, body: 'x' }), /no.*documented|there is a body/],
  [
    'a header that is missing',
    { ...answer(), headers: new Headers({ 'content-type': 'application/problem+json' }) },
    /X-Request-Id/,
  ],
  ['a header of another form', answer({ head: { 'x-request-id': 'seven' } }), /X-Request-Id/],
  [
    'success at an address without an operation',
    answer({ url: 'http://127.0.0.1/v1/nothing', status: 200 }),
    /without an operation/,
  ],
  ['405 without Allow', answer({ method: 'DELETE', url: 'http://127.0.0.1/v1/mcp', status: 405 }), /Allow/],
])('rejects %s that the document does not allow', (_name, observed, mistake) => {
  expect(() => checkAnswer(observed)).toThrow(mistake);
});
