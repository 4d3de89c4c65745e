import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readImportRows } from '#shared/contract/imports/import-row-body.ts';
import { runImports } from '#shared/core/imports/run-imports.ts';
import { importQuota } from '#shared/domain/registration/import.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { deleteOldImportRows } from '#shared/store/removal/expire-records.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { jsonOf } from '#test/support/api/api.ts';
import { csvOf, goodRow, header, type ImportApi, startImportApi } from './import-api.ts';

let api: ImportApi;
beforeAll(async () => {
  api = await startImportApi();
});
afterAll(() => api.close());
beforeEach(() => api.sql('delete from landfall.imports'));

/** Long enough that a part of an upload is read before the rest arrives. */
const badRow = 'x'.repeat(200);
const badFile = (rows: number) => `${header}\n${`${badRow}\n`.repeat(rows)}`;
const rowsPerChunk = 500;

const importOf = async (answer: Response) => (await jsonOf(answer)).import_id as string;
const registerOneChunk = () => runImports(api.ctx.core, readImportRows, { signal: new AbortController().signal });
const storedErrors = async () => (await api.sql('select count(*) as n from landfall.import_errors'))[0].n;
const storedBytes = async () => (await api.sql('select sum(stored_bytes)::bigint as n from landfall.imports'))[0].n;
const received = async () => (await api.sql('select received as n from landfall.imports'))[0]?.n ?? 0;
const remove = async (id: string) => (await api.request(`/v1/imports/${id}`, { method: 'DELETE' })).status;

/** As if the rows before had been processed: registering thousands takes long. */
const countAsProcessed = (counts: { failed: number; created?: number }) =>
  api.sql(
    `update landfall.imports set received = received + $1 + $2, processed = processed + $1 + $2, failed = failed + $1,
      created = created + $2`,
    [counts.failed, counts.created ?? 0],
  );

test('fails an import of which 99 % of 10,000 rows have failed, and keeps the registered ones', async () => {
  const before = await api.shipmentCount();
  const id = await importOf(await api.upload(`${csvOf([goodRow()])}${`${badRow}\n`.repeat(3 * rowsPerChunk)}`));
  await countAsProcessed({ failed: 10_000 - rowsPerChunk - 1 });
  await registerOneChunk();
  expect(await api.progressOf(id)).toMatchObject({ state: 'running', processed: 9999, error: null });
  await registerOneChunk();
  expect(await api.progressOf(id)).toMatchObject({
    state: 'failed',
    created: 1,
    processed: 9999 + rowsPerChunk,
    error: { code: 'too_many_errors', detail: expect.stringContaining('Download the failed rows') },
    retryAfter: null,
  });
  expect(await registerOneChunk()).toBe(0);
  expect(await api.shipmentCount()).toBe(before + 1);
  // No row waits for anything.
  expect(await api.sql('select 1 from landfall.import_chunks where done_at is null or rows is not null')).toEqual([]);
});

test('goes on with an import of which 2 % of the rows are good', async () => {
  const id = await importOf(await api.upload(badFile(2 * rowsPerChunk)));
  await countAsProcessed({ failed: 19_600, created: 400 });
  await api.registerAll();
  expect(await api.progressOf(id)).toMatchObject({ state: 'completed', processed: 20_000 + 2 * rowsPerChunk });
});

test('stores 10,000 failed rows and 10,000 rows with warnings, and counts the others', async () => {
  const id = await importOf(await api.upload(badFile(20)));
  await countAsProcessed({ failed: 9990, created: 10_000 });
  await api.sql('update landfall.imports set warned = 12000');
  await api.registerAll();
  expect(await storedErrors()).toBe(10);
  expect(await api.progressOf(id)).toMatchObject({ failed: 10_010, errors_omitted: 10 + 2000 });
});

test('makes no rows of blank lines, and registers what is between them', async () => {
  const lines = '\n'.repeat(200_000);
  const id = await importOf(await api.upload(`${header}\n${lines}${goodRow()}\n${lines}`));
  await api.registerAll();
  expect(await api.progressOf(id)).toMatchObject({ state: 'completed', received: 1, created: 1, failed: 0 });
  const ndjson = { type: 'application/x-ndjson' };
  const other = await importOf(await api.upload(lines, ndjson));
  expect(await api.progressOf(other)).toMatchObject({ state: 'completed', received: 0 });
});

test('ends the upload of an import that failed, and answers a repetition with the same import', async () => {
  const upload = api.startUpload('key-of-a-wrong-file');
  const response = new Promise<number | undefined>((resolve) =>
    upload.once('response', (answer) => resolve(answer.resume().statusCode)),
  );
  upload.write(badFile(3 * rowsPerChunk));
  await expect.poll(received).toBeGreaterThanOrEqual(rowsPerChunk);
  await countAsProcessed({ failed: 10_000 });
  await registerOneChunk();
  upload.end(`${badRow}\n`.repeat(2 * rowsPerChunk));
  expect(await response).toBe(202);
  expect(await api.sql('select state, reason from landfall.imports')).toEqual([
    { state: 'failed', reason: 'too_many_errors' },
  ]);
  const again = await api.upload(badFile(5 * rowsPerChunk), { key: 'key-of-a-wrong-file' });
  expect([again.status, (await jsonOf(again)).state]).toEqual([202, 'failed']);
});

test('counts the bytes that an account stores, and refuses an import beyond its quota', async () => {
  const wide = `ocean,MAEU,x,${'r'.repeat(2000)},,`;
  const id = await importOf(await api.upload(csvOf(Array.from({ length: 20 }, () => wide))));
  expect(await storedBytes()).toBeGreaterThan(20 * 2000);
  await api.registerAll();
  const [{ bytes }] = await api.sql('select sum(octet_length(raw))::bigint as bytes from landfall.import_errors');
  expect(await storedBytes()).toBe(bytes);
  await api.sql('update landfall.imports set stored_bytes = $1', [importQuota.bytes]);
  const refused = await api.upload(csvOf([goodRow()]));
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([409, 'import_quota_exceeded']);
  expect(await remove(id)).toBe(204);
  expect((await api.upload(csvOf([goodRow()]))).status).toBe(202);
});

test('keeps parallel uploads within the quota, to the chunk', async () => {
  const wide = `ocean,MAEU,x,${'r'.repeat(2000)},,`;
  const file = csvOf(Array.from({ length: 20 }, () => wide));
  const id = await importOf(await api.upload(file));
  const chunk = await storedBytes();
  const room = importQuota.bytes - 2 * chunk;
  await api.sql('update landfall.imports set stored_bytes = $1 where id = $2', [room, decodeTypeId('imp', id)]);
  // All uploads store their chunks at the same moment.
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table landfall.import_chunks in share row exclusive mode');
  const uploads = Array.from({ length: 6 }, () => api.upload(file).then(({ status }) => status));
  const waiting = async () => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  await expect.poll(waiting).toBeGreaterThanOrEqual(2);
  await client.query('commit');
  await client.end();
  expect((await Promise.all(uploads)).toSorted()).toEqual([202, 202, 409, 409, 409, 409]);
  expect(await storedBytes()).toBe(importQuota.bytes);
});

test('frees what old failed rows took together with the rows', async () => {
  const id = await importOf(await api.upload(badFile(10)));
  await api.registerAll();
  const before = await storedBytes();
  await api.sql(`update landfall.imports set completed_at = now() - interval '31 days'`);
  const removeRows = () => withSystem(api.ctx.core.store, (tx) => deleteOldImportRows(tx, { keptDays: 30, limit: 4 }));
  for (const left of [6, 2, 0]) {
    await removeRows();
    expect([await storedErrors(), await storedBytes()]).toEqual([left, (before / 10) * left]);
  }
  expect(await api.progressOf(id)).toMatchObject({ failed: 10 });
});

test('deletes an import with its failed rows, once, and only that of the own account', async () => {
  const id = await importOf(await api.upload(badFile(10)));
  await api.registerAll();
  const { secret } = await api.createKey({ test: true });
  const asTest = { method: 'DELETE', headers: { authorization: `Bearer ${secret}` } };
  expect((await api.request(`/v1/imports/${id}`, asTest)).status).toBe(404);
  expect(await storedErrors()).toBe(10);
  expect(await remove(id)).toBe(204);
  expect([await remove(id), await storedErrors()]).toEqual([404, 0]);
});

test('cancels a running import: the upload ends, no further row registers, and registered ones stay', async () => {
  const before = await api.shipmentCount();
  const upload = api.startUpload('key-of-a-cancelled-file');
  const response = new Promise<number | undefined>((resolve) =>
    upload.once('response', (answer) => resolve(answer.resume().statusCode)),
  );
  upload.write(csvOf([goodRow(), ...Array.from({ length: 2 * rowsPerChunk }, () => badRow)]));
  await expect.poll(received).toBeGreaterThanOrEqual(rowsPerChunk);
  await registerOneChunk();
  const [{ id }] = (await jsonOf(await api.request('/v1/imports'))).data.map((one: { import_id: string }) => ({
    id: one.import_id,
  }));
  expect(await remove(id)).toBe(204);
  upload.end(`${badRow}\n`.repeat(rowsPerChunk));
  expect(await response).toBe(404);
  expect(await registerOneChunk()).toBe(0);
  expect(await api.sql('select 1 from landfall.import_chunks')).toEqual([]);
  expect(await api.shipmentCount()).toBe(before + 1);
});

test('deletes an import whose chunk is being registered after that chunk', async () => {
  const before = await api.shipmentCount();
  const rows = Array.from({ length: 50 }, () => goodRow());
  const id = await importOf(await api.upload(csvOf(rows)));
  const [registered, status] = await Promise.all([registerOneChunk(), remove(id)]);
  expect(status).toBe(204);
  expect(await api.shipmentCount()).toBe(before + registered * rows.length);
  expect(await api.sql('select 1 from landfall.imports')).toEqual([]);
});
