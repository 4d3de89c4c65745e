import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptedCoding } from '#services/api/http/compression.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;
let record: string;

beforeAll(async () => {
  api = await startTestApi();
  const shipments = Array.from({ length: 60 }, () => ({
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
  }));
  const { results } = await jsonOf(await api.post('/v1/shipments/batch', { shipments }));
  record = `/v1/shipments/${results[0].shipment_id}`;
  const events = Array.from({ length: 20 }, (_, n) => ({
    code: 'departed' as const,
    local: `2026-10-${String(n + 1).padStart(2, '0')}T08:00`,
  }));
  const shipmentId = readShipmentId(results[0].shipment_id) ?? '';
  await refresh(api.ctx.core, { accountId: api.accountId, shipmentId }, found(...events));
});

afterAll(() => api?.close());

type Answer = { status: number; headers: Headers; bytes: Buffer };

/** Without the decoding of `fetch`. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = http.request(api.url + path, { method, headers: { authorization: `Bearer ${api.key}`, ...headers } });
    sent.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const { statusCode = 0, headers: got } = response;
          resolve({
            status: statusCode,
            headers: new Headers(got as Record<string, string>),
            bytes: Buffer.concat(chunks),
          });
        });
    });
    sent.end();
  });
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
const codings = ['br', 'gzip'] as const;
const textOf = ({ headers, bytes }: Answer): string => {
  const coding = codings.find((one) => one === headers.get('content-encoding'));
  return String(coding === undefined ? bytes : decoders[coding](bytes));
};

it.each(
  codings.flatMap((coding) =>
    [
      '/v1/shipments?limit=100&fields=status,carrier,identifiers,created_at,arrival',
      'events',
      'record',
      '/v1/shipments/export?format=ndjson',
      '/v1/shipments/export?format=csv',
      '/v1/carriers',
    ].map((path) => [coding, path] as const),
  ),
)('sends with %s the same %s in fewer bytes', async (coding, name) => {
  const path = name === 'record' ? record : name === 'events' ? `${record}/events` : name;
  const [plain, compressed] = [await get(path), await get(path, { 'accept-encoding': coding })];
  expect([plain.status, compressed.status]).toEqual([200, 200]);
  expect([plain.headers.get('content-encoding'), compressed.headers.get('content-encoding')]).toEqual([null, coding]);
  const settled = (text: string) => text.replace(/"as_of":"[^"]*"/g, '');
  expect(settled(textOf(compressed))).toBe(settled(textOf(plain)));
  expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  for (const { headers } of [plain, compressed]) expect(headers.get('vary')).toContain('accept-encoding');
});

it('sends the feed compressed', async () => {
  const compressed = await get('/v1/events?limit=100', { 'accept-encoding': 'gzip' });
  expect(compressed.status).toBe(200);
  expect(JSON.parse(textOf(compressed))).toHaveProperty('data');
});

it('sends short answers and errors as they are', async () => {
  for (const path of ['/v1/me', '/v1/shipments?limit=1', '/v1/shipments/shp_01kahf3m2xfr5tq4d8z9w6c7yb']) {
    const answer = await get(path, { 'accept-encoding': 'br, gzip' });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(JSON.parse(String(answer.bytes))).toBeTypeOf('object');
  }
});

it('gives each coding its own ETag, all of which If-None-Match and If-Match accept', async () => {
  const answers = await Promise.all(
    ['identity', 'gzip', 'br'].map((coding) => get(record, { 'accept-encoding': coding })),
  );
  const tags = answers.map(({ headers }) => headers.get('etag') ?? '');
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    const unchanged = await get(record, { 'accept-encoding': 'br, gzip', 'if-none-match': tag });
    expect([unchanged.status, unchanged.headers.get('etag'), unchanged.bytes.length]).toEqual([304, tag, 0]);
    expect(unchanged.headers.get('vary')).toContain('accept-encoding');
    const updated = await api.request(record, {
      method: 'PATCH',
      body: '{}',
      headers: { 'content-type': 'application/json', 'if-match': tag },
    });
    expect(updated.status).toBe(200);
  }
});

it('replays a batch byte for byte, whatever the coding', async () => {
  const shipments = Array.from({ length: 80 }, () => ({
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
  }));
  const send = async (coding: string) => {
    const headers = { 'idempotency-key': 'compressed', 'accept-encoding': coding };
    return (await api.post('/v1/shipments/batch', { shipments }, headers)).text();
  };
  const first = await send('gzip');
  expect([await send('br'), await send('identity')]).toEqual([first, first]);
});

it.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['GZIP;Q=1', 'gzip'],
  ['nonsense;;;q', null],
])('reads Accept-Encoding: %s as %s', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding);
});
