import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImportId } from '#shared/contract/imports/import-wire.ts';
import { type Json, jsonOf } from '#test/support/api/api.ts';
import { type ImportApi, startImportApi } from './import-api.ts';
import { csvFiles } from './spreadsheets/csv-files.ts';
import { libreOfficeFiles } from './spreadsheets/libreoffice-files.ts';
import type { Spreadsheet } from './spreadsheets/spreadsheet.ts';
import { tableFiles } from './spreadsheets/table-files.ts';
import { workbookFiles } from './spreadsheets/workbook-files.ts';

const files = [...csvFiles, ...tableFiles, ...libreOfficeFiles, ...(await workbookFiles())];
let api: ImportApi;

beforeAll(async () => {
  api = await startImportApi();
});

afterAll(() => api?.close());

test('covers more than sixty spreadsheets, each once', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
});

test.each(files)('parses the file of a program: $name', async (file) => {
  const { expected } = file;
  const answer = await send(file);
  const body = await jsonOf(answer);
  if ('refused' in expected) {
    expect([answer.status, body.detail]).toEqual([400, expect.any(String)]);
    for (const part of expected.refused) expect(body.detail).toContain(part);
    return;
  }
  expect([answer.status, body.detail]).toEqual([202, undefined]);
  await api.registerAll();
  const done = await api.progressOf(body.import_id);
  const { created, failed = 0, says = {}, errors = [], stored = {} } = expected;
  expect(await reasonsOf(done)).toEqual(errors.map(([line, reason]) => [line, expect.stringContaining(reason)]));
  expect(done).toMatchObject({ state: 'completed', created, failed, existing: 0, ...says });
  for (const [reference, fields] of Object.entries(stored)) {
    const records = await api.sql(
      'select tags, metadata, destination_postal_code from landfall.shipments where reference = $1',
      [reference],
    );
    expect([reference, records]).toMatchObject([reference, [fields]]);
  }
});

function send({ bytes, type = 'text/csv', query = '', encoding }: Spreadsheet): Promise<Response> {
  const headers = { 'content-type': type, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) };
  return api.request(`/v1/imports${query}`, { method: 'POST', body: new Uint8Array(bytes), headers });
}

/** Line and detail of each failed row. */
async function reasonsOf(done: Json): Promise<[number, string][]> {
  const rows = await api.sql(
    `select line, detail from landfall.import_errors where import_id = $1 and severity = 'error' order by row_number`,
    [readImportId(done.import_id)],
  );
  return rows.map(({ line, detail }) => [line, detail]);
}
