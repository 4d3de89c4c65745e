import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { randomFaultKinds } from '#infra/tools/simulator/faults/fault-dice.ts';
import { plainFaults } from '#infra/tools/simulator/faults/faults.ts';
import type { CarrierFetch } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { settlesWithin } from '#shared/async/deadline.ts';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { ReadEvent } from '#shared/domain/events/event.ts';
import { type FetchResult, trackingReasons } from '#shared/domain/record/shipment.ts';
import { runs } from '#test/support/run-scale.ts';
import { accountId, openContractCarrier, shipmentId, traceparent } from './contract-carrier.ts';

/**
 * The contract of every connector for any carrier behaviour: a reading or a named reason, derived only from the
 * response, within time and size limits.
 */
let carrier: Awaited<ReturnType<typeof openContractCarrier>>;

beforeAll(async () => {
  carrier = await openContractCarrier();
  await carrier.begin();
});
afterAll(() => carrier.close());
beforeEach(() => {
  for (const list of [carrier.seen, carrier.received, carrier.askedFor]) list.length = 0;
});
afterEach(async () => {
  await carrier.clearFaults();
  expectDiscretion();
});

const deadlineMs = 1200;
/** A token request has a deadline of its own. The test that waits for it makes it `deadlineMs`. */
const tokenDeadlineMs = 10_000;

const faults: { kind: string; [option: string]: unknown }[] = [
  ...['seconds', 'date', 'none'].map((retryAfter) => ({ kind: 'too_many_requests', retryAfter, seconds: 30 })),
  ...[401, 403, 408, 500, 502, 503, 504].map((status) => ({ kind: 'status', status })),
  { kind: 'slow_body', ms: 100 },
  { kind: 'drip', ms: 200 },
  { kind: 'timeout', ms: 150 },
  ...plainFaults.map((kind) => ({ kind })),
];

/** Faults that a connector tolerates: the refresh succeeds. */
const harmless = [
  'slow_body',
  'drip',
  'duplicates',
  'shuffled',
  'shared_event_id',
  'missing_event_id',
  'unknown_event_type',
  'foreign_next_link',
];
/** Faults that prevent a reading, with their reasons. */
const reasons: Readonly<Record<string, string>> = {
  too_many_requests: 'carrier_rate_limited',
  timeout: 'carrier_unreachable',
  reset: 'carrier_unreachable',
  cut_connection: 'carrier_unreachable',
  gzip_lie: 'unrecognized_response',
  endless_body: 'unrecognized_response',
  html: 'unrecognized_response',
  invalid_json: 'unrecognized_response',
  truncated_json: 'unrecognized_response',
  empty_body: 'unrecognized_response',
};

it('covers every random fault', () => {
  expect(randomFaultKinds.filter((kind) => !faults.some((fault) => fault.kind === kind))).toEqual([]);
});

describe.each(connectorCodes)('%s', (connector: ConnectorCode) => {
  it('derives a reading only from the response', async () => {
    const refresh = await carrier.fetch(connector);
    if (refresh.outcome !== 'found') throw new Error(JSON.stringify(refresh));
    expect(refresh.reading.events.length).toBeGreaterThan(4);
    expect(refresh.reading.unreadable).toEqual([]);
    expectDerived(refresh);
  });

  it.each(faults)('$kind %o', async (fault) => {
    const before = carrier.bytesSent();
    await carrier.fault(connector, 'events', fault);
    const refresh = await carrier.fetch(connector);
    expectNamed(refresh);
    expectDerived(refresh);
    if (harmless.includes(fault.kind)) expect(refresh).toMatchObject({ outcome: 'found' });
    const reason = reasons[fault.kind];
    if (reason !== undefined) expect(refresh).toMatchObject({ outcome: 'error', reason });
    // The buffers of two sockets are not included in the limit.
    expect(carrier.bytesSent() - before).toBeLessThan(connectors[connector].maxBodyBytes + 8 * 1024 * 1024);
  });

  it('returns a reading or a reason for a response that is truncated anywhere', async () => {
    await carrier.fetch(connector);
    const good = new Map(carrier.received.map(({ url, text }) => [url, text]));
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 0.999, noNaN: true }), async (share) => {
        const refresh = await carrier.fetch(connector, {
          context: carrier.contextOf(
            connector,
            answering((url) => good.get(url)?.slice(0, Math.floor((good.get(url)?.length ?? 0) * share)) ?? ''),
          ),
        });
        expectNamed(refresh);
        expect(refresh.outcome).toBe('error');
      }),
      { numRuns: runs(25) },
    );
  });

  it('returns a reading or a reason for any JSON', async () => {
    await carrier.fetch(connector);
    const good = carrier.received
      .map(({ text }) => text)
      .filter((text) => text.startsWith('{') || text.startsWith('['));
    const spoilt = fc
      .record({ text: fc.constantFrom(...good), at: fc.nat(400), value: fc.jsonValue({ maxDepth: 2 }) })
      .map(({ text, at, value }) => JSON.stringify(replaceNth(JSON.parse(text), at, value)));
    const any = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      { weight: 3, arbitrary: spoilt },
    );
    await fc.assert(
      fc.asyncProperty(any, async (text) => {
        carrier.received.length = 0;
        const refresh = await carrier.fetch(connector, {
          context: carrier.contextOf(
            connector,
            answering(() => text),
          ),
        });
        expectNamed(refresh);
      }),
      { numRuns: runs(50) },
    );
  });

  const { authPath } = connectors[connector].simulated;
  if (authPath !== null) {
    it.each(faults.filter(({ kind }) => !['foreign_next_link', 'cursor_loop'].includes(kind)))(
      'handles $kind %o at its token endpoint',
      async (fault) => {
        await carrier.fault(connector, 'token', fault);
        const refresh = await carrier.fetch(connector);
        expectNamed(refresh);
        expectDerived(refresh);
      },
    );
  }
});

it.each([
  { kind: 'timeout', ms: 60_000 },
  { kind: 'drip', ms: 60_000 },
  { kind: 'slow_body', ms: 60_000 },
])('ends all refreshes at the deadline when every carrier has $kind', async (fault) => {
  for (const connector of connectorCodes) await carrier.fault(connector, 'events', fault);
  const refreshes = Promise.all(
    connectorCodes.map(async (connector) => {
      const refresh = await carrier.fetch(connector, { signal: AbortSignal.timeout(deadlineMs) });
      return [connector, refresh.outcome === 'error' ? refresh.reason : refresh.outcome];
    }),
  );
  // Timers of one process expire in order, so that a busy machine does not change who is first.
  // Well below the timeout of the calls themselves.
  expect(await settlesWithin(refreshes, deadlineMs + 6000)).toBe(true);
  expect(await refreshes).toEqual(connectorCodes.map((connector) => [connector, 'carrier_unreachable']));
});

it('ends every refresh in bounded time when the token endpoint hangs', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => timeout(ms === tokenDeadlineMs ? deadlineMs : ms));
  onTestFinished(() => spy.mockRestore());
  const signedIn = connectorCodes.filter((connector) => connectors[connector].simulated.authPath !== null);
  for (const connector of signedIn) await carrier.fault(connector, 'token', { kind: 'timeout', ms: 60_000 });
  const refreshing = Promise.all(signedIn.map((connector) => carrier.fetch(connector)));
  expect(await settlesWithin(refreshing, deadlineMs + 6000)).toBe(true);
  const refreshes = await refreshing;
  const outcomes = refreshes.map((refresh) => (refresh.outcome === 'error' ? refresh.reason : refresh.outcome));
  // A line that accepts a key too requests no token here.
  expect(outcomes.filter((outcome) => outcome !== 'carrier_unreachable' && outcome !== 'found')).toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'carrier_unreachable').length).toBeGreaterThan(4);
});

/** Responses as text. Token requests always succeed. */
function answering(text: (url: string) => string): CarrierFetch {
  return async (url, { method }) => {
    const isToken = method === 'POST' && /token|access/i.test(new URL(url).pathname);
    return {
      status: 200,
      headers: new Headers(),
      text: isToken ? '{"access_token":"t","expires_in":3600}' : text(url),
    };
  };
}

function expectNamed(refresh: FetchResult): void {
  if (refresh.outcome === 'error') {
    expect(trackingReasons).toContain(refresh.reason);
    // An internal error would be a bug in Landfall.
    expect(refresh).not.toMatchObject({ reason: 'internal_error' });
    expect(refresh.detail.length).toBeGreaterThan(5);
  }
  if (refresh.outcome !== 'found') return;
  for (const { time } of refresh.reading.events) expect(new Date(time.at).toISOString()).toBe(time.at);
  for (const { reason } of refresh.reading.unreadable) expect(reason).toMatch(/\w{3}/);
}

/** Every time and place of the reading appears in the responses. */
function expectDerived(refresh: FetchResult): void {
  if (refresh.outcome !== 'found') return;
  const served = plain(carrier.received.map(({ url, text }) => `${decodeURIComponent(url)} ${text}`).join('\n'));
  for (const event of refresh.reading.events) {
    expect(
      [event.time.local, event.time.at].some((time) => isServed(time, served))
        ? null
        : { time: event.time, code: event.code },
    ).toBeNull();
    const names = namesOf(event);
    expect(
      names.length === 0 || names.some((name) => name.split(', ').every((part) => served.includes(plain(part))))
        ? null
        : event.location,
    ).toBeNull();
  }
}

function namesOf({ location }: ReadEvent): string[] {
  return [location?.unlocode, location?.iata, location?.name, location?.facility].filter(
    (name) => typeof name === 'string',
  );
}

/** As ISO 8601, as date and clock, or as digits without leading zeros. */
function isServed(time: string, served: string): boolean {
  const [date = '', clock = ''] = time.split('T');
  const minute = clock.slice(0, 5);
  // Some carriers send date and clock in fields of their own.
  if (served.includes(date) && served.includes(minute)) return true;
  const digits = minute.replace(':', '');
  return served.includes(date.replaceAll('-', '')) && new RegExp(`\\b0*${Number(digits)}(\\d\\d)?\\b`).test(served);
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** No other host was called, and no internal data was sent. */
function expectDiscretion(): void {
  const elsewhere = carrier.askedFor.filter((url) => new URL(url).origin !== carrier.origin);
  expect(elsewhere).toEqual([]);
  const secrets = [
    accountId,
    shipmentId,
    traceparent.split('-')[1] ?? '',
    'traceparent',
    'tracestate',
    'baggage',
    'x-landfall',
    'idempotency-key',
  ];
  for (const { line, headers, body } of carrier.seen) {
    const sent = `${line}\n${headers}\n${body}`.toLowerCase();
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  }
}

/** Replaces the nth value of a JSON value, counted from the outside in. */
function replaceNth(value: unknown, at: number, by: unknown): unknown {
  const left = { count: at };
  const walk = (each: unknown): unknown => {
    if (left.count-- === 0) return by;
    if (Array.isArray(each)) return each.map(walk);
    if (each !== null && typeof each === 'object')
      return Object.fromEntries(Object.entries(each).map(([key, part]) => [key, walk(part)]));
    return each;
  };
  return walk(value);
}
