import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchAnswer } from '#shared/contract/registration/batch-body.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api?.close());

const row = (changes: object = {}) => ({
  transport_mode: 'ocean',
  carrier: 'MAEU',
  identifiers: { mbl: uniqueNumber() },
  ...changes,
});

async function shipmentCount(): Promise<number> {
  const { rows } = await withSystem(api.ctx.core.store, (tx) =>
    tx.query('select count(*) as n from landfall.shipments'),
  );
  return rows[0].n;
}

test('returns an outcome for each row, and fails only the bad ones', async () => {
  const known = row();
  const first = await jsonOf(await api.post('/v1/shipments', known));
  const twice = row({ reference: 'B-1' });
  const shipments = [
    row(),
    known,
    { ...row(), carrier: 'MAERSKK' },
    twice,
    twice,
    row({ reference: 'B-1' }),
    7,
    { ...row(), 'b\u0000d': 1 },
  ];
  const answer = await api.post('/v1/shipments/batch', { shipments }, { 'idempotency-key': 'batch-1' });
  expect(answer.status).toBe(200);
  const body = await jsonOf(answer);
  batchAnswer.parse(body);
  expect(body.results.map((result: { outcome: string }) => result.outcome)).toEqual([
    'created',
    'existing',
    'failed',
    'created',
    'existing',
    'failed',
    'failed',
    'failed',
  ]);
  expect(body.summary).toEqual({ received: 8, created: 2, existing: 2, failed: 4 });
  expect(body.results[1].shipment_id).toBe(first.shipment_id);
  expect(body.results[2].error).toMatchObject({
    code: 'carrier_not_supported',
    title: expect.any(String),
    errors: [{ pointer: '/shipments/2/carrier' }],
  });
  expect(body.results[5].error).toMatchObject({
    code: 'reference_conflict',
    shipment_ids: [body.results[3].shipment_id],
  });
  const replay = await api.post('/v1/shipments/batch', { shipments }, { 'idempotency-key': 'batch-1' });
  expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(await jsonOf(replay)).toEqual(body);
  const other = await api.post('/v1/shipments/batch', { shipments: [row()] }, { 'idempotency-key': 'batch-1' });
  expect([other.status, (await jsonOf(other)).code]).toEqual([422, 'idempotency_mismatch']);
});

test('accepts a thousand rows in one call and twenty such calls at once, and rejects one row more', async () => {
  const shipments = Array.from({ length: 1000 }, (_, index) => row({ reference: `thousand-${index}` }));
  const answer = await api.post('/v1/shipments/batch', { shipments });
  expect((await jsonOf(answer)).summary).toEqual({ received: 1000, created: 1000, existing: 0, failed: 0 });
  const again = await api.post('/v1/shipments/batch', { shipments: shipments.toReversed() });
  expect((await jsonOf(again)).summary).toEqual({ received: 1000, created: 0, existing: 1000, failed: 0 });
  const tooMany = await api.post('/v1/shipments/batch', { shipments: [...shipments, row()] });
  expect([tooMany.status, (await jsonOf(tooMany)).code]).toEqual([400, 'validation_failed']);
});

test.each([[{ shipments: [] }], [{}], [[]], [{ shipments: {} }], [{ shipment: [row()] }]])(
  'rejects %j as a batch',
  async (body) => {
    const answer = await api.post('/v1/shipments/batch', body);
    expect([answer.status, (await jsonOf(answer)).errors.length > 0]).toEqual([400, true]);
  },
);

test('accepts a batch of 8 MiB', async () => {
  const heavy = row({ metadata: { note: 'x'.repeat(3900) } });
  const shipments = Array.from({ length: 900 }, () => ({ ...heavy, identifiers: { mbl: uniqueNumber() } }));
  expect((await api.post('/v1/shipments/batch', { shipments })).status).toBe(200);
  const answer = await api.post('/v1/shipments/batch', `{"shipments":[${' '.repeat(8 * 1024 * 1024)}]}`);
  expect([answer.status, (await jsonOf(answer)).detail]).toEqual([413, expect.stringContaining('8192 KiB')]);
});

test('registers once for concurrent batches with one Idempotency-Key', async () => {
  const shipments = Array.from({ length: 100 }, () => row());
  const before = await shipmentCount();
  const send = () => api.post('/v1/shipments/batch', { shipments }, { 'idempotency-key': 'raced' });
  const answers = await Promise.all(Array.from({ length: 8 }, send));
  for (const answer of answers) expect([200, 409]).toContain(answer.status);
  expect(answers.some((answer) => answer.status === 200 && !answer.headers.has('idempotent-replayed'))).toBe(true);
  expect(await jsonOf(await send())).toMatchObject({ summary: { created: 100 } });
  expect((await shipmentCount()) - before).toBe(100);
});

test('returns one 201 and otherwise 200 to 200 concurrent registrations of one number, with one shipment', async () => {
  const before = await shipmentCount();
  const body = row();
  const answers = await Promise.all(Array.from({ length: 200 }, () => api.post('/v1/shipments', body)));
  const statuses = answers.map((answer) => answer.status);
  expect([
    statuses.filter((status) => status === 201).length,
    statuses.filter((status) => status === 200).length,
  ]).toEqual([1, 199]);
  expect(new Set((await Promise.all(answers.map(jsonOf))).map((shipment) => shipment.shipment_id)).size).toBe(1);
  expect((await shipmentCount()) - before).toBe(1);
});

test('stores one row for 200 concurrent registrations with one Idempotency-Key and replays the response', async () => {
  const before = await shipmentCount();
  const body = row({ reference: 'one-key' });
  const send = () => api.post('/v1/shipments', body, { 'idempotency-key': 'one-key' });
  const answers = await Promise.all(Array.from({ length: 200 }, send));
  const stored = await send();
  expect([stored.status, stored.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  const first = await stored.text();
  for (const answer of answers) {
    if (answer.status === 409) expect((await jsonOf(answer)).code).toBe('idempotency_in_progress');
    else expect([answer.status, await answer.text()]).toEqual([201, first]);
  }
  expect((await shipmentCount()) - before).toBe(1);
});

test('frees the number of an archived shipment', async () => {
  const body = row();
  const first = await jsonOf(await api.post('/v1/shipments', body));
  expect((await api.request(`/v1/shipments/${first.shipment_id}`, { method: 'DELETE' })).status).toBeLessThan(300);
  const second = await api.post('/v1/shipments', body);
  expect(second.status).toBe(201);
  expect((await jsonOf(second)).shipment_id).not.toBe(first.shipment_id);
});
