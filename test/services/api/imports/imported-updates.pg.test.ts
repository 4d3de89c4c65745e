import { afterAll, beforeAll, expect, test } from 'vitest';
import { wireImportList } from '#shared/contract/imports/import-wire.ts';
import { type Json, jsonOf } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { type ImportApi, startImportApi } from './import-api.ts';

let api: ImportApi;

beforeAll(async () => {
  api = await startImportApi();
});

afterAll(() => api?.close());

async function imported(file: string, query = ''): Promise<Json> {
  const answer = await api.upload(file, { query });
  const started = await jsonOf(answer);
  expect([answer.status, started.detail]).toEqual([202, undefined]);
  await api.registerAll();
  return api.progressOf(started.import_id);
}

const fieldsOf = async (reference: string) =>
  (
    await api.sql('select tags, metadata, destination_postal_code from landfall.shipments where reference = $1', [
      reference,
    ])
  )[0];

test('an unchanged export changes nothing when it is imported again, and an edited one updates the edited fields', async () => {
  const header = 'transport_mode,carrier,mbl,reference,tags,metadata.buyer,destination_postal_code';
  await imported(
    `${header}\nocean,MAEU,${uniqueNumber()},round-1,"a\\|b|c, d",=Kim,10115\nocean,MAEU,${uniqueNumber()},round-2,,,\n`,
  );
  expect(await fieldsOf('round-1')).toEqual({
    tags: ['a|b', 'c, d'],
    metadata: { buyer: '=Kim' },
    destination_postal_code: '10115',
  });
  const before = await api.sql('select id, version, tags, metadata, identifiers from landfall.shipments order by id');
  const file = await (await api.request('/v1/shipments/export?format=csv')).text();

  expect(await imported(file)).toMatchObject({ created: 0, updated: 0, failed: 0, existing: before.length });
  expect(await api.sql('select id, version, tags, metadata, identifiers from landfall.shipments order by id')).toEqual(
    before,
  );

  const edited = file.replace('a\\|b|c, d', 'urgent').replace('round-2', 'round-two');
  expect(await imported(edited)).toMatchObject({ created: 0, updated: 2, failed: 0 });
  expect(await fieldsOf('round-1')).toMatchObject({ tags: ['urgent'], metadata: { buyer: '=Kim' } });
  expect(await fieldsOf('round-two')).toMatchObject({ tags: [] });
});

test('updates an existing shipment by number or reference only when asked to', async () => {
  const number = uniqueNumber();
  await imported(`mode,carrier,mbl,reference,tags\nocean,MAEU,${number},upsert,old\n`);
  const again = `mode,carrier,mbl,reference,tags\nocean,MAEU,${number},upsert,new\n`;
  expect(await imported(again)).toMatchObject({ existing: 1, updated: 0 });
  expect(await fieldsOf('upsert')).toMatchObject({ tags: ['old'] });

  expect(await imported(again, '?existing=update')).toMatchObject({ existing: 0, updated: 1 });
  expect(await fieldsOf('upsert')).toMatchObject({ tags: ['new'] });

  const byReference = `mode,carrier,booking,reference,tags\nocean,MAEU,${uniqueNumber()},upsert,newer\n`;
  expect(await imported(byReference)).toMatchObject({ failed: 1 });
  expect(await imported(byReference, '?existing=update')).toMatchObject({ failed: 0, updated: 1, created: 0 });
  expect(await fieldsOf('upsert')).toMatchObject({ tags: ['newer'] });

  expect(await imported(again.replace('new', 'dry'), '?existing=update&dry_run=true')).toMatchObject({ updated: 1 });
  expect(await fieldsOf('upsert')).toMatchObject({ tags: ['newer'] });
});

test('joins the orders of rows with the same number, and exports them', async () => {
  const number = uniqueNumber();
  const rows = (...orders: string[]) =>
    `mode,carrier,mbl,reference\n${orders.map((order) => `ocean,MAEU,${number},${order}`).join('\n')}\n`;
  expect(await imported(rows('order-1', 'order-2'))).toMatchObject({ created: 1, existing: 1, failed: 0 });
  const listOf = async () =>
    (await jsonOf(await api.request('/v1/shipments?reference=order-2'))).data.map((row: Json) => row.references);
  expect(await listOf()).toEqual([['order-1', 'order-2']]);
  expect(await imported(rows('order-3'), '?existing=update')).toMatchObject({ updated: 1 });
  expect(await listOf()).toEqual([['order-3', 'order-1', 'order-2']]);
  const csv = await (await api.request('/v1/shipments/export?format=csv&reference=order-2')).text();
  expect(csv).toContain('order-3|order-1|order-2');
});

test("fails a row whose reference is that of another carrier's shipment", async () => {
  const header = 'mode,carrier,mbl,reference,tags';
  await imported(`${header}\nocean,MAEU,${uniqueNumber()},other-carrier,old\n`);
  const other = `${header}\nocean,HLCU,${uniqueNumber()},other-carrier,new\n`;
  expect(await imported(other, '?existing=update')).toMatchObject({ failed: 1, updated: 0 });
  expect(await fieldsOf('other-carrier')).toMatchObject({ tags: ['old'] });
});

test("fails a row with an unknown shipment id, or with another account's", async () => {
  const ids = ['shp_01kahf3m2xfr5tq4d8z9w6c7yb', 'nonsense'];
  const done = await imported(`shipment_id,tags\n${ids.map((id) => `${id},x`).join('\n')}\n`);
  expect(done).toMatchObject({ failed: 2, updated: 0 });
  const file = await (await api.request(`/v1/imports/${done.import_id}/errors`)).text();
  expect(file).toContain('shipment_not_found');
  expect(file).toContain('nonsense is not the id of a shipment');
});

test('lists rows with warnings beside the failed ones', async () => {
  const done = await imported(
    `mode,carrier,awb,reference\nair,LH,020-12345678,warned\nair,LH,,failed\nair,LH,020-12345675,fine\n`,
  );
  expect(done).toMatchObject({ created: 2, failed: 1, warned: 1 });
  const linesOf = async (query: string) =>
    (await (await api.request(`/v1/imports/${done.import_id}/errors${query}`)).text()).trimEnd().split('\r\n').slice(1);
  expect(await linesOf('')).toEqual([expect.stringContaining(',2,3,error,validation_failed,')]);
  expect(await linesOf('?severity=warning')).toEqual([expect.stringContaining(',1,2,warning,check_digit_mismatch,')]);
  expect(await linesOf('?severity=any')).toHaveLength(2);
});

test('lists imports page by page, newest first, apart from those of test keys', async () => {
  const other = await startImportApi();
  try {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      const answer = await other.upload(`mode,carrier,mbl\nocean,MAEU,${uniqueNumber()}\n`);
      ids.unshift((await jsonOf(answer)).import_id);
    }
    const listed: string[] = [];
    let path: string | null = '/v1/imports?limit=2';
    while (path !== null) {
      const answer = await other.request(path);
      const page = wireImportList.parse(await jsonOf(answer));
      listed.push(...page.data.map((found) => found.import_id));
      path = page.page.next_cursor === null ? null : `/v1/imports?limit=2&cursor=${page.page.next_cursor}`;
      expect(answer.headers.has('link')).toBe(page.page.has_more);
    }
    expect(listed).toEqual(ids);
    const testKey = await other.createKey({ test: true });
    const seen = await fetch(`${other.url}/v1/imports`, { headers: { authorization: `Bearer ${testKey.secret}` } });
    expect((await jsonOf(seen)).data).toEqual([]);
    expect((await other.request('/v1/imports?cursor=nonsense')).status).toBe(400);
  } finally {
    await other.close();
  }
});
