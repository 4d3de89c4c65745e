import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withSystem } from '#shared/store/with-account.ts';
import { request } from '#test/support/api/http.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { scaled } from '#test/support/run-scale.ts';
import { until } from '#test/support/until.ts';

const rowCount = scaled({ short: 2000, full: 200_000 });
const maxApiBytes = 250 * 1024 * 1024;
const header = 'transport_mode,carrier,mbl,reference,tags,metadata.buyer\n';

let landfall: Installation;
let api: RunningService;
let peakBytes = 0;

beforeAll(async () => {
  landfall = await openInstallation({ redisUrl: null, env: { CADENCE_SCALE: '1' } });
  api = landfall.api;
});

afterAll(async () => {
  await api?.kill();
  await landfall?.close();
});

test(`registers every valid row of ${rowCount} once, returns the invalid ones, and keeps memory flat`, async () => {
  const startedAt = performance.now();
  const sent = await sendAll(fileOf('plain'), 'plain');
  const uploadedS = (performance.now() - startedAt) / 1000;
  expect(sent.status).toBe(202);
  const seen = await follow(sent.body.import_id);
  const doneS = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `import of ${rowCount} rows: stored in ${uploadedS.toFixed(1)} s, registered in ${doneS.toFixed(1)} s ` +
      `(${Math.round(rowCount / doneS)} rows/s), API at most ${Math.round(peakBytes / 2 ** 20)} MiB\n`,
  );
  expect(seen.at(-1)).toMatchObject({
    state: 'completed',
    received: rowCount,
    failed: badRows().length,
    created: rowCount - badRows().length,
  });
  expect(seen).toEqual(
    seen.toSorted((left, right) => left.processed - right.processed || left.received - right.received),
  );
  expect(await badRowsOf(sent.body.import_id)).toEqual(badRows());
  expect(await countOf('plain')).toBe(rowCount - badRows().length);
  expect(peakBytes).toBeLessThan(maxApiBytes);
});

test('registers every valid row once when an upload is repeated after kill -9 of API and worker', async () => {
  const killed = Promise.withResolvers<void>();
  const broken = sendAll(fileOf('killed', { pauseEveryRows: 100, heldUntil: killed.promise }), 'killed').catch(
    () => null,
  );
  // At a random point in the first half. The last quarter is sent after the kill, so that the upload can't end before.
  const enough = Math.max(500, Math.floor(rowCount * 0.5 * Math.random()));
  await until(receivedRows, (received) => received >= enough);
  await Promise.all([api.kill(), landfall.worker?.kill()]);
  killed.resolve();
  await broken;
  const storedBefore = await receivedRows();
  expect(storedBefore).toBeLessThan(rowCount);
  await landfall.startWorker();
  api = await startService('api', apiEnv());

  let paced = true;
  const answer = await until(
    async () => {
      const file = fileOf('killed', paced ? { pauseEveryRows: 500 } : {});
      paced = false;
      // While the killed receiver still counts as alive, the upload is rejected, and the client may see a broken pipe
      // before it reads the 409.
      return sendAll(file, 'killed').catch(() => null);
    },
    (attempt) => attempt !== null && attempt.status !== 409,
  );
  if (answer === null) throw new Error('the upload was never answered');
  expect([answer.status, answer.body.detail]).toEqual([202, undefined]);
  // And again during the registration.
  await landfall.worker?.kill();
  await landfall.startWorker();
  const seen = await follow(answer.body.import_id);
  expect(seen.at(-1)).toMatchObject({
    state: 'completed',
    received: rowCount,
    created: rowCount - badRows().length,
    existing: 0,
    failed: badRows().length,
  });
  expect(await countOf('killed')).toBe(rowCount - badRows().length);
  expect(await badRowsOf(answer.body.import_id)).toEqual(badRows());
  const [doubled] = await sql<{ n: number }>(
    `select count(*) as n from (
       select from landfall.shipments where reference like 'killed-%' group by identifiers having count(*) > 1
     ) as d`,
  );
  expect(doubled?.n).toBe(0);

  const replay = await sendAll(fileOf('killed'), 'killed');
  expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([202, 'true']);
});

/** Numbers of the invalid rows. */
function badRows(): number[] {
  return Array.from({ length: rowCount }, (_, index) => index + 1).filter((row) => row % 100 === 37);
}

async function* fileOf(
  name: string,
  { pauseEveryRows = Number.POSITIVE_INFINITY, heldUntil }: { pauseEveryRows?: number; heldUntil?: Promise<void> } = {},
): AsyncGenerator<string> {
  const base = name === 'plain' ? 300_000_000 : 400_000_000;
  yield header;
  for (let row = 1; row <= rowCount; row++) {
    const number = row % 100 === 37 ? ['', '"open quote', 'A', '€€€€€€'][row % 4] : `MAEU${base + row}`;
    yield `ocean,MAEU,${number},${name}-${row},imported|${name},"Buyer ${row}, Inc."\n`;
    if (row === Math.floor(rowCount * 0.75)) await heldUntil;
    if (row % pauseEveryRows === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: { import_id: string; detail?: string };
};

async function sendAll(file: AsyncIterable<string>, key: string): Promise<Answer> {
  const sending: ClientRequest = httpRequest(`${api.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${landfall.key}`, 'content-type': 'text/csv', 'idempotency-key': key },
  });
  const watching = setInterval(watchMemory, 100);
  try {
    const answered = once(sending, 'response');
    answered.catch(() => undefined);
    await Promise.race([pipeline(Readable.from(file), sending), answered]);
    const [response] = await answered;
    let text = '';
    for await (const part of response) text += part;
    return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
  } finally {
    clearInterval(watching);
  }
}

function watchMemory(): void {
  try {
    const status = readFileSync(`/proc/${api.process.pid}/status`, 'utf8');
    peakBytes = Math.max(peakBytes, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
  } catch {
    // It was just killed.
  }
}

type Progress = { state: string; received: number; processed: number };

/** Every progress seen until the import was completed. */
async function follow(importId: string): Promise<Progress[]> {
  const seen: Progress[] = [];
  await until(
    async () => {
      watchMemory();
      const { body } = await request(`${api.url}/v1/imports/${importId}`, { key: landfall.key });
      seen.push(body);
      return body;
    },
    ({ state }) => state === 'completed',
  );
  return seen;
}

/** The columns after those of the file: `row,file_line,severity,error_code,error_detail`. */
const rowOfError = /,(\d+),\d*,error,[a-z_]+,(?:[^",]*|"(?:[^"]|"")*")$/;

async function badRowsOf(importId: string): Promise<number[]> {
  const { body } = await request(`${api.url}/v1/imports/${importId}/errors`, { key: landfall.key });
  const lines = String(body).trimEnd().split('\r\n').slice(1);
  return lines.map((line) => Number(rowOfError.exec(line)?.[1] ?? Number.NaN));
}

async function countOf(name: string): Promise<number> {
  const [row] = await sql<{ n: number }>(
    `select count(*) as n from landfall.shipments where reference like '${name}-%'`,
  );
  return row?.n ?? 0;
}

async function receivedRows(): Promise<number> {
  const [row] = await sql<{ received: number }>(
    `select received from landfall.imports where idempotency_key = 'killed'`,
  );
  return row?.received ?? 0;
}

function apiEnv(): Record<string, string> {
  return {
    DATABASE_URL: landfall.core.serviceUrl,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    PORT: '0',
    CADENCE_SCALE: '1',
  };
}

function sql<Row extends object>(text: string): Promise<Row[]> {
  return withSystem(landfall.core.store, async (tx) => (await tx.query(text)).rows);
}
