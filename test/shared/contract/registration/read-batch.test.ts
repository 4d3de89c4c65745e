import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxRowBytes } from '#shared/contract/input/read-rows.ts';
import { readBatch } from '#shared/contract/registration/read-batch.ts';
import { parseRegisterShipmentBody } from '#shared/contract/registration/register-shipment-body.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { hostileShapes } from '#test/support/arbitraries/hostile-bodies.ts';
import { cpuMsOf, leastMsOf } from '#test/support/cpu.ts';
import { runs, scaled } from '#test/support/run-scale.ts';

const good = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456789' } };
const batchBytes = scaled({ short: 256, full: 8192 }) * 1024;

function read(body: string | Buffer): SentRegistration[] {
  const steps = readBatch(Buffer.from(body as string));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function problemOf(body: string | Buffer): LandfallError | null {
  try {
    read(body);
    return null;
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

const mistakeOf = (rows: readonly SentRegistration[]) => rows.map(({ mistakes }) => mistakes?.[0]?.detail ?? null);

test('reads each row as a single registration, whatever surrounds it', () => {
  const row = fc.oneof(
    fc.constant(good),
    fc.jsonValue({ maxDepth: 3 }),
    fc.record({ carrier: fc.string(), tags: fc.array(fc.string()) }),
  );
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.nat(4), (rows, indent) => {
      const text = JSON.stringify({ shipments: rows }, null, indent);
      fc.pre(!text.includes('__proto__'));
      expect(read(text)).toEqual(rows.map((one) => parseRegisterShipmentBody(JSON.parse(JSON.stringify(one)))));
      expect(read(text.replace('shipments', '\\u0073hipments'))).toEqual(read(text));
    }),
    { numRuns: runs(1000) },
  );
  expect(read(`{"shipments":[1],"shipments":[${JSON.stringify(good)}]}`)).toEqual([parseRegisterShipmentBody(good)]);
});

test('fails a row that exceeds a limit alone, and names the limit', () => {
  const wide = `{${Array.from({ length: 101 }, (_, place) => `"k${place}":1`).join()}}`;
  const tags = `{"tags":[${Array(101).fill('"a"').join()}]}`;
  const deep = `{"metadata":${'{"a":'.repeat(6)}1${'}'.repeat(6)}}`;
  const long = `{"carrier":"${'x'.repeat(maxRowBytes)}"}`;
  const rows = read(`{"shipments":[${[wide, JSON.stringify(good), tags, deep, long, JSON.stringify(good)].join()}]}`);
  expect(mistakeOf(rows)).toEqual([
    'The row has more than 100 keys. Send fewer fields.',
    null,
    'The row has more than 100 list entries. Send fewer.',
    'The row is nested more than 6 levels deep. Send it flatter.',
    'The row exceeds 16 KiB. Send fewer or shorter fields.',
    null,
  ]);
});

test('reports the first 20 mistakes of a row, with the first of its unknown names', () => {
  const [row] = read(`{"shipments":[{${Array.from({ length: 99 }, (_, place) => `"k${place}":1`).join()}}]}`);
  expect(row?.mistakes).toHaveLength(20);
  const named = row?.mistakes?.filter(({ code }) => code === 'unknown_field').map(({ pointer }) => pointer);
  expect(named).toEqual(Array.from({ length: 17 }, (_, place) => `/k${place}`));
});

test('refuses a body that is no batch', () => {
  const row = JSON.stringify(good);
  for (const body of [
    `{"shipments":[${row}`,
    `{"shipments":[${row},]}`,
    `{"shipments":[,${row}]}`,
    `{"shipments":[${row} ${row}]}`,
    `{"shipments":[{"a":[}]}`,
    `{"shipments":[${row}]}}`,
    `{"shipments":[${row}}]`,
    '{"shipments":[{"__proto__":1}]}',
    '{"__proto__":[],"shipments":[{}]}',
  ])
    expect([body, problemOf(body)?.code]).toEqual([body, 'invalid_json']);
  for (const body of ['[]', '{}', '{"shipments":{}}', '{"shipments":[]}', '{"a":1,"shipments":[{}]}', '{"a":[{}]}'])
    expect([body, ['validation_failed', 'unknown_field'].includes(problemOf(body)?.code ?? '')]).toEqual([body, true]);
  expect(problemOf(`{"shipments":[${'1,'.repeat(1000)}1]}`)?.message).toBe(
    'shipments must have at most 1,000 entries. Send more rows as an import: POST /v1/imports.',
  );
  expect(problemOf(`{"a":"${'x'.repeat(70_000)}","shipments":[{}]}`)?.message).toContain('64 KiB beside its rows');
});

test('spends at most 50 ms of CPU time on a step, and on 64 KiB, of a batch of any shape', async () => {
  const fields = ['carrier', 'identifiers', 'metadata', 'transport_mode'];
  const bodies = hostileShapes.map(({ name, build }) => ({ name, body: build(batchBytes, fields) }));
  const costly: string[] = [];
  for (const { name, body } of bodies) {
    const costs: { worst: number; total: number }[] = [];
    const shareOfLimit = await leastMsOf(1, async () => {
      const cost = await costOf(body);
      costs.push(cost);
      return Math.max(cost.worst / 50, cost.total / ((50 * batchBytes) / 65_536));
    });
    if (shareOfLimit > 1) costly.push(`${name}: ${JSON.stringify(costs)}`);
  }
  expect(costly).toEqual([]);
});

/** The most that one step takes, and all of them together. */
async function costOf(body: Buffer): Promise<{ worst: number; total: number }> {
  const steps = readBatch(body);
  let [worst, total, isDone] = [0, 0, false];
  while (!isDone) {
    const ms = await cpuMsOf(async () => {
      try {
        isDone = steps.next().done === true;
      } catch (error) {
        if (!(error instanceof LandfallError)) throw error;
        isDone = true;
      }
    });
    worst = Math.max(worst, ms);
    total += ms;
  }
  return { worst, total };
}
