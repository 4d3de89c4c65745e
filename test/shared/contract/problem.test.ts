import { expect, it } from 'vitest';
import { buildProblem, problemBody } from '#shared/contract/problem.ts';
import { errorCodes } from '#shared/domain/errors.ts';

const input = {
  status: 400,
  detail: 'carrier is required.',
  requestId: 'req_1',
  traceId: null,
  mistakes: [{ pointer: '/carrier', code: 'required', detail: 'x' }],
};

it('a problem has every field', () => {
  expect(buildProblem({ ...input, code: 'validation_failed' })).toEqual({
    type: '/docs/errors#validation_failed',
    title: 'Invalid request',
    status: 400,
    detail: 'carrier is required.',
    code: 'validation_failed',
    request_id: 'req_1',
    trace_id: null,
    retryable: false,
    errors: input.mistakes,
  });
});

it.each(errorCodes)('%s has a title and matches its schema', (code) => {
  const problem = buildProblem({ ...input, code });
  expect(problem.title).not.toBe('');
  expect(problemBody.parse(problem)).toEqual(problem);
});

it('a conflict names the shipments', () => {
  expect(buildProblem({ ...input, code: 'identifier_conflict', shipmentIds: ['shp_1'] }).shipment_ids).toEqual([
    'shp_1',
  ]);
});

it('only transient errors are retryable', () => {
  expect(errorCodes.filter((code) => buildProblem({ ...input, code }).retryable)).toEqual([
    'request_timeout',
    'idempotency_in_progress',
    'rate_limited',
    'refresh_too_soon',
    'carrier_rate_limited',
    'internal_error',
    'proof_unavailable',
    'unavailable',
    'account_busy',
    'storage_full',
  ]);
});
