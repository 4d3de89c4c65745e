import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const body = (number: number) => ({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${number}` } });

test('isolates a client that disconnects from concurrent registrations, and registers its shipment once when it retries', async () => {
  const leaving = new AbortController();
  const left = api
    .request('/v1/shipments', {
      method: 'POST',
      body: JSON.stringify(body(700_000_000)),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'left' },
      signal: leaving.signal,
    })
    .catch((error: unknown) => error);
  const others = Array.from({ length: 30 }, (_, index) => api.post('/v1/shipments', body(700_000_001 + index)));
  leaving.abort();
  expect(await left).toMatchObject({ name: 'AbortError' });
  const answers = await Promise.all(others);
  expect(answers.map((answer) => answer.status)).toEqual(Array(30).fill(201));
  await expect
    .poll(async () => (await api.post('/v1/shipments', body(700_000_000), { 'idempotency-key': 'left' })).status)
    .toBe(201);
  const found = await jsonOf(await api.request('/v1/shipments?mbl=700000000'));
  expect(found.data).toHaveLength(1);
});

test('answers each of several concurrent valid and invalid requests separately', async () => {
  const known = { ...body(710_000_001), reference: 'R-1' };
  expect((await api.post('/v1/shipments', known)).status).toBe(201);
  const bodies = [
    known,
    { ...body(710_000_002), reference: 'R-1' },
    { ...body(710_000_003), carrier: 'NOBODY' },
    { transport_mode: 'ocean' },
  ];
  const answers = await Promise.all(
    [body(710_000_004), ...bodies, body(710_000_005)].map((one) => api.post('/v1/shipments', one)),
  );
  expect(answers.map((answer) => answer.status)).toEqual([201, 200, 409, 422, 400, 201]);
});
