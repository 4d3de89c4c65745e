import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { parse } from 'csv-parse/sync';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvColumnNames } from '#shared/contract/lists/export-fields.ts';
import { wireListRow } from '#shared/contract/lists/list-wire.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

/** Far more than the buffers of two sockets can hold. */
const shipmentCount = 12_000;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  await seedShipments({ databaseUrl: api.databaseUrl, accountId: api.accountId, count: shipmentCount });
});

afterAll(() => api.close());

async function csv(query: string, headers: Record<string, string> = {}): Promise<Record<string, string>[]> {
  const answer = await api.request(`/v1/shipments/export?${query}`, { headers });
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')], text.slice(0, 500)).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ]);
  expect(text.endsWith('\r\n')).toBe(true);
  return parse(text, { columns: true, record_delimiter: '\r\n' });
}

/** The expected result of the filter, in the order of the list, by independent SQL. */
async function idsBySql(condition: string, order: string): Promise<string[]> {
  const { rows } = await withAccount(api.ctx.core.store, api.accountId, (tx) =>
    tx.query<{ id: string }>(
      `select id from landfall.shipments where account_id = $1 and ${condition} order by ${order}`,
      [api.accountId],
    ),
  );
  return rows.map(({ id }) => toShipmentId(id));
}

describe('the file', () => {
  it('contains every shipment of the filter in the order of the list, across all pages', async () => {
    const rows = await csv('format=csv');
    expect(rows).toHaveLength(shipmentCount);
    expect(rows.map((row) => row.shipment_id)).toEqual(await idsBySql('true', 'created_at desc, id desc'));
    expect(Object.keys(rows[0] ?? {})).toEqual(csvColumnNames);
    const some = await csv('format=csv&tag=common&sort=eta&carrier=MSCU');
    expect(some.length).toBeGreaterThan(1000);
    expect(some.map((row) => row.shipment_id)).toEqual(
      await idsBySql(`'common' = any(tags) and carrier = 'MSCU'`, 'eta nulls last, id'),
    );
  });

  it('is NDJSON of summaries if requested, by format or by Accept', async () => {
    for (const [query, accept] of [
      ['format=ndjson&status=booked', 'text/csv'],
      ['status=booked', 'application/x-ndjson'],
      ['status=booked', 'text/csv;q=0.5, application/x-ndjson;q=0.9, */*;q=0.1'],
    ] as const) {
      const answer = await api.request(`/v1/shipments/export?${query}`, { headers: { accept } });
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="shipments-\d{8}T\d{6}Z\.ndjson"$/,
      );
      const lines = (await answer.text()).trimEnd().split('\n');
      expect(lines.map((line) => wireListRow.parse(JSON.parse(line)).shipment_id)).toEqual(
        await idsBySql(`status = 'booked'`, 'created_at desc, id desc'),
      );
    }
  });

  it('has the requested columns in the requested order', async () => {
    const rows = await csv('fields=status,origin.unlocode,tags&q=po-11999');
    expect(rows).toEqual([
      { shipment_id: expect.stringMatching(/^shp_/), status: expect.any(String), 'origin.unlocode': '', tags: '' },
    ]);
    expect(Object.keys(rows[0] ?? {})).toEqual(['shipment_id', 'status', 'origin.unlocode', 'tags']);
    const [whole] = await csv('fields=tracking&q=po-11999');
    expect(Object.keys(whole ?? {})).toContain('tracking.freshness');
    const answer = await api.request('/v1/shipments/export?format=ndjson&fields=version&q=po-11999');
    expect(Object.keys(await jsonOf(answer))).toEqual(['shipment_id', 'version']);
  });

  it('prevents formula injection and quotes what CSV requires', async () => {
    const reference = '=HYPERLINK("http://x"),1';
    const tags = ['+1', 'a "b"', '-c'];
    const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: '910000001' }, reference, tags };
    expect((await api.post('/v1/shipments', body)).status).toBe(201);
    const [row] = await csv('identifier=910000001&fields=reference,tags,version');
    expect(row).toEqual({
      shipment_id: expect.any(String),
      reference: `'${reference}`,
      tags: `'${tags.join('|')}`,
      version: '1',
    });
  });

  it('is only a header if nothing matches', async () => {
    const answer = await api.request('/v1/shipments/export?q=no+such+thing&fields=status');
    expect(await answer.text()).toBe('shipment_id,status\r\n');
    expect(await (await api.request('/v1/shipments/export?format=ndjson&q=no+such+thing')).text()).toBe('');
  });

  it('returns only headers to HEAD', async () => {
    const answer = await api.request('/v1/shipments/export', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(answer.headers.get('content-length'), 'the length is unknown in advance').toBeNull();
  });
});

describe('rejections', () => {
  it.each([
    ['format=xml', {}, 400, 'validation_failed'],
    ['fields=statu', {}, 400, 'validation_failed'],
    ['format=ndjson&fields=origin.unlocode', {}, 400, 'validation_failed'],
    ['limit=5', {}, 400, 'unknown_parameter'],
    ['eta_from=2026-05-02&eta_to=2026-05-01', {}, 400, 'validation_failed'],
    ['', { accept: 'application/json' }, 406, 'not_acceptable'],
  ])('%s', async (query, headers, status, code) => {
    const answer = await api.request(`/v1/shipments/export?${query}`, { headers });
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([status, code]);
  });
});

describe('an unfinished download', () => {
  it.each(['identity', 'gzip', 'br'])('never looks complete after an error (%s)', async (coding) => {
    // The export needs more than two transactions.
    let taken = 0;
    const breakLater = (client: pg.PoolClient) => {
      taken += 1;
      if (taken >= 3) (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    };
    api.ctx.core.store.reads.on('acquire', breakLater);
    try {
      const answer = await api.request('/v1/shipments/export', { headers: { 'accept-encoding': coding } });
      // The error can still be reported if no byte was sent.
      if (answer.status !== 200) expect(await jsonOf(answer)).toMatchObject({ status: 503 });
      else await expect(answer.text()).rejects.toThrow();
    } finally {
      api.ctx.core.store.reads.off('acquire', breakLater);
    }
  });

  it('reads no further ahead for a slow client, and stops once it disconnects', async () => {
    let transactions = 0;
    const count = () => {
      transactions += 1;
    };
    api.ctx.core.store.reads.on('acquire', count);
    const { hostname, port } = new URL(api.url);
    const closed = new Promise<void>((resolve) => {
      api.app.server.once('request', (_request, response: ServerResponse) => response.once('close', resolve));
    });
    const socket = connect({ host: hostname, port: Number(port) });
    try {
      socket.pause();
      const head = [
        'GET /v1/shipments/export?format=ndjson HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${api.key}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      await until(
        async () => transactions,
        (made) => made >= 2,
      );
      socket.destroy();
      await closed;
      await until(
        async () => api.ctx.core.store.stats().reads,
        ({ total, idle }) => idle === total,
      );
      expect(transactions).toBeLessThan(Math.floor(shipmentCount / 500) - 4);
    } finally {
      api.ctx.core.store.reads.off('acquire', count);
    }
  });
});
