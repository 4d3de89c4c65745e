import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openUpload } from '#services/api/uploads/open-upload.ts';
import { tidyImports } from '#shared/core/imports/run-imports.ts';
import { jsonOf } from '#test/support/api/api.ts';
import { csvOf, goodRow, type ImportApi, startImportApi } from './import-api.ts';

let api: ImportApi;

beforeAll(async () => {
  api = await startImportApi();
});

afterAll(() => api?.close());

test('returns the same import for a file sent again with its key, and rejects another file, header or query', async () => {
  const rows = Array.from({ length: 1200 }, () => goodRow());
  const first = await jsonOf(await api.upload(csvOf(rows), { key: 'file-1' }));
  await api.registerAll();
  const before = await api.shipmentCount();
  const replay = await api.upload(csvOf(rows), { key: 'file-1' });
  expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
  expect(await jsonOf(replay)).toMatchObject({ import_id: first.import_id, state: 'completed', created: 1200 });
  const others = [
    csvOf(rows.with(700, goodRow())),
    csvOf(rows.slice(0, 1000)),
    csvOf([...rows, goodRow()]),
    csvOf(rows).replace('tags', 'tag'),
  ];
  for (const other of others) {
    const answer = await api.upload(other, { key: 'file-1' });
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([422, 'idempotency_mismatch']);
  }
  expect((await api.upload(csvOf(rows), { key: 'file-1', query: '?dry_run=true' })).status).toBe(422);
  await api.registerAll();
  expect(await api.shipmentCount()).toBe(before);
});

test('rejects resuming an upload that may still be active, then resumes it with its key and registers every row once', async () => {
  const rows = Array.from({ length: 2300 }, (_, index) => goodRow({ reference: `resume-${index}` }));
  const file = csvOf(rows);
  const broken = api.startUpload('resume');
  broken.write(file.slice(0, Math.floor(file.length * 0.6)));
  await expect
    .poll(
      async () =>
        (await api.sql(`select received from landfall.imports where idempotency_key = 'resume'`))[0]?.received,
    )
    .toBe(1000);
  const running = await api.upload(file, { key: 'resume' });
  const refused = await jsonOf(running);
  expect([running.status, refused.code, running.headers.has('retry-after')]).toEqual([
    409,
    'idempotency_in_progress',
    true,
  ]);
  const [importId] = /imp_\w+/.exec(refused.detail) ?? [];
  await api.registerAll();
  expect(await api.progressOf(importId ?? '')).toMatchObject({ state: 'receiving', processed: 1000, created: 1000 });
  broken.destroy();
  await expect
    .poll(
      async () => (await api.sql(`select receiver from landfall.imports where idempotency_key = 'resume'`))[0].receiver,
    )
    .toBeNull();
  const resumed = await api.upload(file, { key: 'resume' });
  expect([resumed.status, resumed.headers.has('idempotent-replayed')]).toEqual([202, false]);
  expect((await jsonOf(resumed)).import_id).toBe(importId);
  await api.registerAll();
  expect(await api.progressOf(importId ?? '')).toMatchObject({
    state: 'completed',
    received: 2300,
    created: 2300,
    existing: 0,
    failed: 0,
  });
  expect(await api.sql(`select count(*) as n from landfall.shipments where reference like 'resume-%'`)).toEqual([
    { n: 2300 },
  ]);
});

test('ends an abandoned upload as interrupted with the received rows, and can resume it later', async () => {
  const rows = Array.from({ length: 900 }, () => goodRow());
  const broken = api.startUpload('given-up');
  broken.write(csvOf(rows));
  await expect
    .poll(
      async () =>
        (await api.sql(`select received from landfall.imports where idempotency_key = 'given-up'`))[0]?.received,
    )
    .toBe(500);
  broken.destroy();
  await expect
    .poll(
      async () =>
        (await api.sql(`select receiver from landfall.imports where idempotency_key = 'given-up'`))[0].receiver,
    )
    .toBeNull();
  await tidyImports(api.ctx.core);
  const [{ id, state }] = await api.sql(`select id, state from landfall.imports where idempotency_key = 'given-up'`);
  expect(state).toBe('receiving');
  // Only the clock is mocked.
  await api.sql(`update landfall.imports set resumable_until = now() - interval '1 s' where id = $1`, [id]);
  await tidyImports(api.ctx.core);
  expect((await api.sql('select state from landfall.imports where id = $1', [id]))[0].state).toBe('receiving');
  await api.registerAll();
  await tidyImports(api.ctx.core);
  const answer = await api.upload(csvOf(rows), { key: 'given-up' });
  expect(answer.status).toBe(202);
  const { import_id: importId } = await jsonOf(answer);
  await api.registerAll();
  expect(await api.progressOf(importId)).toMatchObject({ state: 'completed', received: 900, created: 900 });

  await api.sql(`update landfall.imports set state = 'interrupted' where id = $1`, [id]);
  expect((await api.progressOf(importId)).error).toMatchObject({
    code: 'upload_interrupted',
    detail: expect.stringContaining('row 900'),
  });
});

test('aborts a stalled upload and closes its connection', async () => {
  const stalled = new Readable({ read() {} });
  stalled.push(`mbl\n${'1234567\n'.repeat(50)}`);
  const opened = await openUpload({
    stream: stalled,
    contentType: 'text/csv',
    contentEncoding: undefined,
    length: null,
    idleMs: 40,
    headerLine: null,
    sheet: null,
    holdMemory: () => undefined,
    freeMemory: () => undefined,
    readTable: () => expect.unreachable(),
  });
  expect(opened.names).toEqual(['mbl']);
  await expect(opened.rows.next()).rejects.toMatchObject({ code: 'request_timeout' });
});
