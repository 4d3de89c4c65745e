import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { until } from '#test/support/until.ts';
import { workbook } from '../imports/spreadsheets/zip.ts';

let api: TestApi;
const open: Socket[] = [];

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await api?.close();
});

const accounts = new Map<string, string>();

/** A key of an account of its own. */
async function newKey(): Promise<string> {
  const { core } = api.ctx;
  const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, randomUUID()));
  const scopes = ['shipments:read', 'shipments:write', 'events:write'] as const;
  const { secret } = await createApiKey(core, accountId, { name: 'heavy', test: false, scopes });
  accounts.set(secret, accountId);
  return secret;
}

/** True when so many bytes more find no memory. Nothing stays taken. */
function isFull(secret: string, bytes = 1000): boolean {
  const share = api.ctx.memory.open(accounts.get(secret) ?? '');
  const release = share.hold();
  try {
    share.grow(bytes);
    return false;
  } catch {
    return true;
  } finally {
    release();
  }
}

/** Sends the head of a file that takes all memory that is left, and waits with the rest. */
async function beginFile(secret: string, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  socket.write(
    `POST /v1/edi/edifact HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${secret}\r\n` +
      `content-type: application/edifact\r\ncontent-length: ${bytes}\r\n\r\nUNB+`,
  );
  await until(
    async () => isFull(secret),
    (full) => full,
  );
  return socket;
}

async function sent(secret: string, path: string, type: string, body: string | Uint8Array<ArrayBuffer>) {
  const answer = await api.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': type },
    body,
  });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), code: (await jsonOf(answer)).code };
}

const message = (secret: string) =>
  sent(secret, '/v1/edi/edifact', 'application/edifact', "UNB+UNOC:3+A+B+260415:0930+1'");
const table = (secret: string) =>
  sent(
    secret,
    '/v1/imports?dry_run=true',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    new Uint8Array(workbook([{ name: 'Sheet1', rows: '<row><c t="inlineStr"><is><t>mbl</t></is></c></row>' }])),
  );

it('refuses further files while those of the account or of the process hold their memory, and reads them afterwards', async () => {
  const [first, second, third] = [await newKey(), await newKey(), await newKey()];
  const held = await beginFile(first, 8 * 1024 ** 2);
  const busy = { status: 503, retryAfter: '5', code: 'account_busy' };
  expect(await message(first)).toEqual(busy);
  expect(await table(first)).toEqual(busy);
  expect((await api.request('/v1/shipments', { headers: { authorization: `Bearer ${first}` } })).status).toBe(200);
  expect((await message(second)).status).not.toBe(503);

  // The first file leaves this much of 112 MiB, at 12 bytes for each of its own.
  await beginFile(second, Math.floor((16 * 1024 ** 2) / 12));
  expect(await message(third)).toEqual({ status: 503, retryAfter: '5', code: 'unavailable' });

  held.destroy();
  await until(
    () => message(third),
    ({ status }) => status !== 503,
  );
  expect((await table(first)).status).not.toBe(503);
});

it('counts a file without a stated length by the bytes that arrived', async () => {
  const [first, second] = [await newKey(), await newKey()];
  const inParts = (secret: string) =>
    api.request('/v1/edi/edifact', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/edifact' },
      body: ReadableStream.from([new TextEncoder().encode('UNB+UNOC:3+A+B'), new TextEncoder().encode("+260415'")]),
      duplex: 'half',
    } as RequestInit);
  for (const socket of open.splice(0)) socket.destroy();
  await beginFile(first, 8 * 1024 ** 2);
  expect((await inParts(second)).status).not.toBe(503);
  const refused = await inParts(first);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
});

it('takes the memory of a file without a stated length while it arrives, and gives it back when its client disconnects', async () => {
  const secret = await newKey();
  const { hostname, port } = new URL(api.url);
  for (const socket of open.splice(0)) socket.destroy();
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const chunk = 'A'.repeat(1024 ** 2);
  socket.write(
    `POST /v1/edi/edifact HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${secret}\r\n` +
      'content-type: application/edifact\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  for (let sentMib = 0; sentMib < 4; sentMib += 1) socket.write(`100000\r\n${chunk}\r\n`);
  // 4 MiB at 12 bytes for each byte leave less than a body of 5 MiB needs.
  await until(
    async () => isFull(secret, 49 * 1024 ** 2),
    (full) => full,
  );
  socket.destroy();
  await until(
    async () => isFull(secret, 49 * 1024 ** 2),
    (full) => !full,
  );
});
