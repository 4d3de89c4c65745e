import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { readImportRows } from '#shared/contract/imports/import-row-body.ts';
import { wireImport } from '#shared/contract/imports/import-wire.ts';
import { runImports } from '#shared/core/imports/run-imports.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

export type ImportApi = TestApi & {
  upload: (
    body: string | Uint8Array<ArrayBuffer>,
    options?: { query?: string; type?: string; key?: string },
  ) => Promise<Response>;
  /** An upload of a CSV that a test writes piece by piece and may interrupt. */
  startUpload: (key: string) => ClientRequest;
  /** Registers the stored rows, as the worker does. */
  registerAll: () => Promise<void>;
  progressOf: (importId: string) => Promise<Json>;
  sql: (text: string, values?: unknown[]) => Promise<Json[]>;
  shipmentCount: () => Promise<number>;
};

export const header = 'transport_mode,carrier,mbl,reference,tags,metadata.buyer';

export function csvOf(rows: readonly string[]): string {
  return `${header}\n${rows.join('\n')}\n`;
}

export function goodRow(changes: { reference?: string } = {}): string {
  return `ocean,MAEU,${uniqueNumber()},${changes.reference ?? ''},a|b,"Buyer, Inc."`;
}

/** The API with everything that import tests need. */
export async function startImportApi(): Promise<ImportApi> {
  const api = await startTestApi({}, { openDatabase: ownDatabase });
  const sql: ImportApi['sql'] = async (text, values = []) =>
    (await withSystem(api.ctx.core.store, (tx) => tx.query(text, values))).rows;
  return {
    ...api,
    sql,
    shipmentCount: async () => (await sql('select count(*) as n from landfall.shipments'))[0].n,
    upload: (body, { query = '', type = 'text/csv', key } = {}) => {
      const headers = { 'content-type': type, ...(key === undefined ? {} : { 'idempotency-key': key }) };
      return api.request(`/v1/imports${query}`, { method: 'POST', body, headers });
    },
    startUpload: (key) => {
      const sent = httpRequest(`${api.url}/v1/imports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.key}`, 'content-type': 'text/csv', 'idempotency-key': key },
      });
      sent.on('error', () => undefined);
      once(sent, 'response').catch(() => undefined);
      return sent;
    },
    registerAll: async () => {
      while ((await runImports(api.ctx.core, readImportRows, { signal: new AbortController().signal })) > 0);
    },
    progressOf: async (importId) => {
      const answer = await api.request(`/v1/imports/${importId}`);
      const body = await jsonOf(answer);
      expect(wireImport.safeParse(body).error).toBeUndefined();
      return { ...body, retryAfter: answer.headers.get('retry-after') };
    },
  };
}
