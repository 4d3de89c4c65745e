import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImportId, wireImport } from '#shared/contract/imports/import-wire.ts';
import { listImportErrors } from '#shared/core/imports/get-import.ts';
import { jsonOf } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { csvOf, goodRow, header, type ImportApi, startImportApi } from './import-api.ts';

let api: ImportApi;

beforeAll(async () => {
  api = await startImportApi();
});

afterAll(() => api?.close());

test('answers a CSV once it is stored, registers it in the worker, and returns its failed rows as a file', async () => {
  const bad = ['ocean,MAEU,,,,', 'ocean,MAERSKK,123456789,=1+1,,', 'ocean,MAEU,1,2', `ocean,MAEU,"x"y,,,`];
  const rows = [goodRow({ reference: 'I-1' }), bad[0]!, goodRow(), bad[1]!, bad[2]!, goodRow(), bad[3]!];
  const answer = await api.upload(csvOf(rows));
  expect(answer.status).toBe(202);
  const started = await jsonOf(answer);
  wireImport.parse(started);
  expect(started).toMatchObject({
    object: 'import',
    state: 'running',
    format: 'csv',
    received: 7,
    processed: 0,
    dry_run: false,
  });
  expect(answer.headers.get('location')).toBe(`/v1/imports/${started.import_id}`);
  expect((await api.progressOf(started.import_id)).retryAfter).toBe('1');
  await api.registerAll();
  const done = await api.progressOf(started.import_id);
  expect(done).toMatchObject({
    state: 'completed',
    received: 7,
    processed: 7,
    created: 3,
    existing: 0,
    failed: 4,
    error: null,
    retryAfter: null,
  });
  const [shipment] = await api.sql(`select tags, metadata from landfall.shipments where reference = 'I-1'`);
  expect(shipment).toEqual({ tags: ['a', 'b'], metadata: { buyer: 'Buyer, Inc.' } });

  const errors = await api.request(`/v1/imports/${started.import_id}/errors`, { headers: { accept: 'text/csv' } });
  expect(errors.headers.get('content-disposition')).toBe(`attachment; filename="${started.import_id}-errors.csv"`);
  expect(errors.headers.get('content-type')).toContain('text/csv');
  const lines = (await errors.text()).trimEnd().split('\r\n');
  expect(lines[0]).toBe(`${header},row,file_line,severity,error_code,error_detail`);
  expect(lines.slice(1).map((line) => /,(\d+),(\d+),error,([a-z_]+),/.exec(line)?.slice(1))).toEqual([
    ['2', '3', 'validation_failed'],
    ['4', '5', 'carrier_not_supported'],
    ['5', '6', 'validation_failed'],
    ['7', '8', 'validation_failed'],
  ]);
  expect(lines[2]).toContain("'=1+1");

  const corrected = [lines[0], lines[1]!.replace('ocean,MAEU,,', `ocean,MAEU,${uniqueNumber()},`)].join('\r\n');
  const again = await jsonOf(await api.upload(corrected));
  await api.registerAll();
  expect(await api.progressOf(again.import_id)).toMatchObject({ state: 'completed', created: 1, failed: 0 });
});

test('returns long failed rows in small pages, each row once and in order', async () => {
  const answer = await api.upload(
    csvOf(Array.from({ length: 60 }, (_, index) => `ocean,MAEU,€${index}${'y'.repeat(60_000)},,,`)),
  );
  const { import_id: importId } = await jsonOf(answer);
  await api.registerAll();
  const caller = {
    accountId: api.accountId,
    keyId: null,
    scopes: [],
    test: false,
    requestId: 'req_test',
    idempotency: null,
  };

  const pages = await Array.fromAsync(
    listImportErrors(api.ctx.core, caller, {
      importId: readImportId(importId) ?? '',
      severities: ['error'],
      limit: null,
    }),
  );

  expect(pages.flat().map((error) => error.rowNumber)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  for (const page of pages) expect(page.reduce((bytes, error) => bytes + error.raw.length, 0)).toBeLessThan(1_200_000);
  const file = await (await api.request(`/v1/imports/${importId}/errors`)).text();
  expect(file.trimEnd().split('\r\n')).toHaveLength(61);
});

test('derives the mode of a row from its carrier, and lists the first failed rows as NDJSON', async () => {
  const rows = [`MAEU,${uniqueNumber()},PO-1,`, 'ups,,,1Z999AA10123456784', 'Nobody,X1,,', `MAEU,,${'y'.repeat(10)},`];
  const started = await jsonOf(await api.upload(['SCAC,MBL,PO Number,tracking_number', ...rows].join('\n')));
  await api.registerAll();
  expect(await api.progressOf(started.import_id)).toMatchObject({ created: 2, failed: 2 });
  const [shipment] = (await jsonOf(await api.request('/v1/shipments?reference=PO-1'))).data;
  expect(shipment).toMatchObject({ transport_mode: 'ocean', carrier: 'MAEU', reference: 'PO-1' });

  const first = await api.request(`/v1/imports/${started.import_id}/errors?format=ndjson&limit=1`);
  expect(first.headers.get('content-type')).toContain('application/x-ndjson');
  const [line, ...others] = (await first.text()).trimEnd().split('\n');
  expect(others).toEqual([]);
  expect(JSON.parse(line ?? '')).toMatchObject({ row: 3, cells: ['Nobody', 'X1', '', ''] });
  expect(JSON.parse(line ?? '').error_detail).toContain('carrier');
});

test('accepts NDJSON, defaults in the query, aliases, BOM and CRLF', async () => {
  const number = uniqueNumber();
  const body = `\ufeff{"identifiers":{"mbl_number":"${number}"}}\r\n{"identifiers":{}}\r\nnot json\r\n{"metadata":{"__proto__":"x"}}\r\n`;
  const started = await jsonOf(
    await api.upload(body, {
      type: 'application/x-ndjson; charset=utf-8',
      query: '?carrier=Maersk&transport_mode=ocean',
    }),
  );
  await api.registerAll();
  expect(await api.progressOf(started.import_id)).toMatchObject({
    format: 'ndjson',
    received: 4,
    created: 1,
    failed: 3,
  });
  const lines = (await (await api.request(`/v1/imports/${started.import_id}/errors`)).text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { row: 2, error_code: 'validation_failed', shipment: { identifiers: {} } },
    { row: 3, error_code: 'invalid_json', raw: 'not json' },
    { row: 4, error_code: 'invalid_json', error_detail: expect.stringContaining('__proto__') },
  ]);
  const aliased = await jsonOf(await api.upload(`\ufeffMode;SCAC;MBL Number\r\nOcean;maeu;${number}\r\n`));
  await api.registerAll();
  expect(await api.progressOf(aliased.import_id)).toMatchObject({ created: 0, existing: 1, failed: 0 });
});

test('fails only unreadable rows: too long, not UTF-8, NUL, an unclosed quote', async () => {
  const parts = [
    `${header}\n${goodRow()}\n`,
    Buffer.from([...Buffer.from('ocean,MAEU,12345'), 0xff, ...Buffer.from(',,,\n')]),
    `ocean,MAEU,123\u000045,,,\n`,
    `ocean,MAEU,${'x'.repeat(70_000)},,,\n`,
    `ocean,MAEU,"123456,,,\n`,
    `${goodRow()}\n`,
  ];
  const started = await jsonOf(
    await api.upload(Buffer.concat(parts.map((part) => Buffer.from(part as string))), {
      type: 'text/csv; charset=utf-8',
    }),
  );
  await api.registerAll();
  expect(await api.progressOf(started.import_id)).toMatchObject({
    state: 'completed',
    received: 6,
    created: 2,
    failed: 4,
  });
  const file = await (await api.request(`/v1/imports/${started.import_id}/errors`)).text();
  for (const detail of ['the encoding of the file does not know', 'exceeds 64 KiB', 'never closed'])
    expect(file).toContain(detail);
});

test('rejects a file of any size with an unknown column and names the nearest one', async () => {
  const before = await api.sql('select count(*) as n from landfall.imports');
  const file = `transport_mode,carier,mbl,mbl\n${'ocean,MAEU,1,2\n'.repeat(200_000)}`;
  const answer = await api.upload(file);
  expect(answer.status).toBe(400);
  expect(await jsonOf(answer)).toMatchObject({
    code: 'validation_failed',
    detail: expect.stringContaining('Did you mean carrier?'),
    errors: [{}, { code: 'conflict' }],
  });
  expect((await api.upload('')).status).toBe(400);
  expect((await api.upload('transport_mode,carrier\n')).status).toBe(400);
  expect(await api.sql('select count(*) as n from landfall.imports')).toEqual(before);
});

test('accepts only the two media types and the known parameters, and only on this route', async () => {
  const answers = [
    await api.upload('{}', { type: 'application/json' }),
    await api.upload('x', { type: 'text/plain' }),
    await api.request('/v1/shipments', { method: 'POST', body: 'a,b', headers: { 'content-type': 'text/csv' } }),
  ];
  for (const answer of answers)
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([415, 'unsupported_media_type']);
  const misspelled = await api.upload(csvOf([goodRow()]), { query: '?dryrun=true' });
  expect([misspelled.status, (await jsonOf(misspelled)).detail]).toEqual([400, expect.stringContaining('dry_run')]);
  const unknown = await api.upload(csvOf([goodRow()]), { query: '?carrier=MAERSKK' });
  expect([unknown.status, (await jsonOf(unknown)).detail]).toEqual([400, expect.stringContaining('Did you mean MAEU')]);
});

test('reports the result of a dry run and registers nothing', async () => {
  const known = goodRow();
  await api.upload(csvOf([known]));
  await api.registerAll();
  const before = await api.shipmentCount();
  const twice = goodRow();
  const started = await jsonOf(
    await api.upload(csvOf([known, twice, twice, 'ocean,MAEU,,,,']), { query: '?dry_run=true' }),
  );
  await api.registerAll();
  expect(await api.progressOf(started.import_id)).toMatchObject({
    dry_run: true,
    state: 'completed',
    created: 1,
    existing: 2,
    failed: 1,
  });
  expect(await api.shipmentCount()).toBe(before);
});

test('registers rows one by one when their chunk fails as a whole', async () => {
  const poison = uniqueNumber();
  const admin = new pg.Client({ connectionString: api.databaseUrl });
  await admin.connect();
  await admin.query(`create or replace function landfall.refuse_poison() returns trigger language plpgsql as
    $$ begin if new.match_value = '${poison}' then raise exception 'poison'; end if; return new; end $$`);
  await admin.query(
    'create trigger refuse_poison before insert on landfall.shipment_identifiers for each row execute function ' +
      'landfall.refuse_poison()',
  );
  const started = await jsonOf(await api.upload(csvOf([goodRow(), `ocean,MAEU,${poison},,,`, goodRow()])));
  for (let attempt = 0; attempt < 4; attempt++) {
    await api.registerAll();
    await api.sql('update landfall.import_chunks set retry_at = null');
  }
  await admin.query('drop trigger refuse_poison on landfall.shipment_identifiers');
  await admin.end();
  expect(await api.progressOf(started.import_id)).toMatchObject({ state: 'completed', created: 2, failed: 1 });
});

test("answers another account's import, a test key's and an invalid ID alike", async () => {
  const { import_id: importId } = await jsonOf(await api.upload(csvOf([goodRow()])));
  const testKey = await api.createKey({ test: true });
  const ids = [
    [importId, testKey.secret],
    ['imp_01kahf3m2xfr5tq4d8z9w6c7yb', api.key],
    ['nonsense', api.key],
  ] as const;
  for (const [id, key] of ids) {
    for (const path of [`/v1/imports/${id}`, `/v1/imports/${id}/errors`]) {
      const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${key}` } });
      expect([answer.status, (await jsonOf(answer)).code]).toEqual([404, 'import_not_found']);
    }
  }
});
