import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CarrierFetch } from '#services/worker/carriers/carrier.ts';
import type { RecordedRefresh } from '#shared/core/tracking/write-refreshes.ts';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { bySystem, newShipment, pollingOf, startRefresh } from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { cpuMsOf, leastMsOf } from '#test/support/cpu.ts';
import { scaled } from '#test/support/run-scale.ts';
import { openContractCarrier } from './contract-carrier.ts';

/*
 * A refresh ends with a reading or a named reason for any response of the carrier, costs at most 50 ms of CPU per
 * 64 KiB, and can be recorded.
 */
let carrier: Awaited<ReturnType<typeof openContractCarrier>>;
let core: TestCore;
const logged: unknown[] = [];
let shipment: { accountId: string; shipmentId: string; caller: Awaited<ReturnType<TestCore['newCaller']>> };

beforeAll(async () => {
  const log = (fields: unknown) => void logged.push(fields);
  core = await openTestCore({ log: { info: () => {}, warn: log, error: log } });
  carrier = await openContractCarrier();
  await carrier.begin();
});
afterAll(async () => {
  await carrier.close();
  await core.close();
});
afterEach(() => {
  expect(logged.splice(0)).toEqual([]);
});

const good = new Map<ConnectorCode, string[]>();

async function goodAnswers(connector: ConnectorCode): Promise<string[]> {
  const known = good.get(connector);
  if (known !== undefined) return known;
  carrier.received.length = 0;
  await carrier.fetch(connector);
  const texts = carrier.received
    .map(({ text }) => text)
    .filter((text) => /^[[{]/.test(text) && !text.includes('access_token'));
  good.set(connector, texts);
  return texts;
}

/** A carrier that always returns this text. Token requests succeed. */
function answering(text: string): CarrierFetch {
  return async (url, { method }) => {
    const isToken = method === 'POST' && /token|access/i.test(new URL(url).pathname);
    const token = '{"access_token":"t","expires_in":3600}';
    return { status: 200, headers: new Headers(), text: isToken ? token : method === 'HEAD' ? '' : text };
  };
}

const allowedMs = (text: string): number => 50 * Math.max(1, Math.ceil(text.length / 65_536));

async function refreshWithin(connector: ConnectorCode, text: string): Promise<FetchResult> {
  const results: FetchResult[] = [];
  const limitMs = allowedMs(text);
  const leastMs = await leastMsOf(limitMs, async () => {
    const cpuMs = await cpuMsOf(async () => {
      results.push(await carrier.fetch(connector, { context: carrier.contextOf(connector, answering(text)) }));
    });
    return cpuMs / Math.max(1, carrier.received.splice(0).length);
  });
  expect(leastMs).toBeLessThanOrEqual(limitMs);
  return results.at(-1) as FetchResult;
}

async function expectRecordable(result: FetchResult): Promise<void> {
  const { shipmentId } = shipment;
  await bySystem(
    core,
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s', state = 'active' where shipment_id = $1`,
    [shipmentId],
  );
  const subject = await startRefresh(core, shipment.caller, shipmentId);
  const recorded: RecordedRefresh[] = [];
  const cpuMs = await cpuMsOf(async () => recorded.push(await recordRefresh(core.ctx, subject, result, null)));
  expect(cpuMs).toBeLessThan(5000);
  expect(recorded).toMatchObject([{ stale: false }]);
  const { reason } = await pollingOf(core, shipmentId);
  expect(reason).not.toBe('internal_error');
}

async function newOne(): Promise<void> {
  const { caller, id } = await newShipment(core);
  shipment = { accountId: caller.accountId, shipmentId: id, caller };
}

function expectNamed(result: FetchResult): void {
  if (result.outcome !== 'error') return;
  expect(result).not.toMatchObject({ reason: 'internal_error' });
  expect(result.detail.length).toBeGreaterThan(5);
}

const nested = (depth: number, open = '[', close = ']') => `${open.repeat(depth)}1${close.repeat(depth)}`;
const emoji = '😀';
/** JSON texts, because some of them are not values of JavaScript. */
const oddities: string[] = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-1',
    '-0',
    '1e400',
    '1e308',
    '5e-324',
    '123456789012345678901234567890',
    '[]',
    '{}',
    '""',
  ],
  ...['[null]', '[[]]', '[{}]', '{"":{}}', '{"a":null}', '{"__proto__":{"x":1}}', '{"constructor":1,"toString":2}'],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\u202e"',
    '"\\ufeff"',
    '{"\\u0000":"\\ud800"}',
    '{"\\ud800":1}',
  ],
  ...[
    '"0000-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59Z"',
    '"+275760-09-13T00:00:00Z"',
    '"-000001-01-01"',
    '"1969-12-31"',
  ],
  ...[
    '"2026-02-30T25:61:61Z"',
    '"2100-12-31T24:00:60+23:59"',
    '"1970-01-01T00:00-23:59"',
    '"2026-03-29T02:30"',
    '1e15',
    '-62135596800000',
  ],
  ...['"Infinity"', '"NaN"', '"1e999"', '"-91"', '"181"', '"\\n\\r\\t"', `"${'x'.repeat(10_000)}"`],
  ...Array.from({ length: 5 }, (_, lead) => `"${'x'.repeat(lead)}${emoji.repeat(300)}"`),
  ...[39, 40, 79, 80, 199, 200, 499, 500].map((lead) => `"${'x'.repeat(lead)}${emoji}"`),
  ...[nested(20), nested(60), nested(20, '{"a":', '}')],
];
const oddity = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddities) },
  fc.jsonValue().map((value) => JSON.stringify(value)),
);

/** Replaces values of a JSON value, counted from the outside in, and writes it. */
function spoil(value: unknown, changes: ReadonlyMap<number, string>): string {
  let count = 0;
  const write = (each: unknown): string => {
    const by = changes.get(count++);
    if (by !== undefined) return by;
    if (Array.isArray(each)) return `[${each.map(write).join(',')}]`;
    if (each !== null && typeof each === 'object')
      return `{${Object.entries(each)
        .map(([key, part]) => `${JSON.stringify(key)}:${write(part)}`)
        .join(',')}}`;
    return JSON.stringify(each);
  };
  return write(value);
}

function countValues(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce((sum: number, part) => sum + countValues(part), 1);
}

/** The longest list of a value, with the elements replaced. */
function withLongestList(value: unknown, elements: (list: readonly unknown[]) => string): string {
  let longest: unknown[] = [];
  const find = (each: unknown): void => {
    if (each === null || typeof each !== 'object') return;
    if (Array.isArray(each) && each.length > longest.length) longest = each;
    for (const part of Object.values(each)) find(part);
  };
  find(value);
  const mark = '"the longest list is here"';
  const text = JSON.stringify(value, (_key, each) => (each === longest ? JSON.parse(mark) : each));
  return text.replace(mark, () => elements(longest));
}

const repeated = (count: number, element: string) => `[${Array<string>(count).fill(element).join(',')}]`;

/** Replacements for the longest list of a response. */
const lists: readonly [string, (list: readonly unknown[]) => string][] = [
  ['10^6 numbers', () => repeated(1_000_000, '1')],
  ['60,000 nulls', () => repeated(60_000, 'null')],
  ['60,000 empty objects', () => repeated(60_000, '{}')],
  ['60,000 empty lists', () => repeated(60_000, '[]')],
  [
    'events with 20,000 other fields',
    (list) =>
      repeated(
        3,
        `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')},${JSON.stringify(list[0] ?? {}).slice(1)}`,
      ),
  ],
  [
    'lists in place of fields',
    (list) => JSON.stringify(list.slice(0, 5)).replace(/:"[^"]*"/g, `:${repeated(500, '"a"')}`),
  ],
  [
    '1,000 events, each twice',
    (list) => JSON.stringify(Array.from({ length: 1000 }, (_, index) => list[index % list.length])),
  ],
  [
    'texts of 20,000 characters',
    (list) => JSON.stringify(list.slice(0, 5)).replace(/:"[^"]*"/g, `:"${`a${emoji} `.repeat(5000)}"`),
  ],
  ['10^5 levels', () => nested(100_000)],
  ['60 levels', () => `[${nested(60, '{"a":', '}')}]`],
];

describe.each(connectorCodes)('%s', (connector) => {
  it('reads any spoilt response, or reports why not, and records the result', async () => {
    const texts = await goodAnswers(connector);
    expect(texts.length).toBeGreaterThan(0);
    const bodies = texts.map((text) => JSON.parse(text));
    await newOne();
    const spoilt = fc
      .constantFrom(...bodies)
      .chain((body) =>
        fc
          .array(fc.tuple(fc.nat(countValues(body) - 1), oddity), { minLength: 1, maxLength: 6 })
          .map((changes) => spoil(body, new Map(changes))),
      );
    await fc.assert(
      fc.asyncProperty(spoilt, async (text) => {
        const result = await refreshWithin(connector, text);
        expectNamed(result);
        await expectRecordable(result);
        expect(logged).toEqual([]);
      }),
      { numRuns: scaled({ short: 5, full: 200 }) },
    );
  });

  // In `npm test` a fifth of them for each connector, another fifth for the next one.
  const fifth = connectorCodes.indexOf(connector) % 5;
  const tried = scaled({ short: lists.filter((_, index) => index % 5 === fifth), full: lists });

  it.each(tried)('bounds the cost of a list of %s', async (_what, elements) => {
    const [body] = (await goodAnswers(connector)).toSorted((left, right) => right.length - left.length);
    await newOne();
    const result = await refreshWithin(connector, withLongestList(JSON.parse(body ?? ''), elements));
    expectNamed(result);
    await expectRecordable(result);
  });
});
