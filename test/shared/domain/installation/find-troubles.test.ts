import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTroubles, inWords } from '#shared/domain/installation/find-troubles.ts';
import type { ConnectorState, OperationsState } from '#shared/domain/installation/operations.ts';

const well: ConnectorState = {
  connector: 'maersk',
  name: 'Maersk',
  requests: 50,
  succeeded: 50,
  latencyP50Ms: 300,
  latencyP95Ms: 700,
  usualMs: 400,
  circuit: 'closed',
  budgetLeft: 20,
  closedForS: null,
  lastSuccessAt: null,
  lastErrorAt: null,
  lastErrorReason: null,
  dueOldestAgeS: null,
  dueCount: 0,
  suspended: 0,
  unreadableEvents: 0,
};
const quiet: OperationsState = {
  at: '2026-01-01T00:00:00.000Z',
  workers: 2,
  loopDelayMs: { api: 8, worker: 12 },
  completedAgeS: 1,
  connectors: [well],
  failures: [],
  recent: [],
  storageFull: false,
  queues: [],
  dueOldestAgeS: 0,
  dueCount: 0,
  unsequencedAgeS: 0,
  deliveryAgeS: 0,
  webhooks: { enabled: 9, failing: 0, disabled: 0, waiting: 0, oldestWaitingAgeS: 0, unsent: 0, unsentAgeS: 0 },
  registrationsPerMinute: 0,
  callsPerMinute: 0,
};
const of = (changes: Partial<ConnectorState>, more: Partial<OperationsState> = {}) =>
  findTroubles({ ...quiet, connectors: [{ ...well, ...changes }], ...more }).map(({ text }) => text);

it('reports no problem of a healthy installation', () => {
  expect(findTroubles(quiet)).toEqual([]);
});

it('names a failing carrier with its share of failures and their most frequent result', () => {
  const failures = [
    { connector: 'maersk', reason: 'carrier_unreachable' as const, httpStatus: 500, asked: true, refreshes: 30 },
    { connector: 'maersk', reason: 'carrier_not_found_yet' as const, httpStatus: 404, asked: true, refreshes: 900 },
    { connector: 'maersk', reason: 'carrier_unreachable' as const, httpStatus: null, asked: false, refreshes: 300 },
    { connector: 'dhl', reason: 'carrier_unreachable' as const, httpStatus: 503, asked: true, refreshes: 90 },
  ];
  expect(of({ succeeded: 4 }, { failures })).toEqual([
    'Maersk is failing: 92% of its last 50 calls failed, most with HTTP 500.',
  ]);
  expect(of({ requests: 0, succeeded: 0, circuit: 'open', lastErrorReason: 'carrier_unreachable' })).toEqual([
    'Maersk is failing: unavailable. Landfall sends only probe calls until it responds.',
  ]);
  expect(of({ succeeded: 43 })).toEqual(['Maersk is unreliable: 14% of its last 50 calls failed.']);
  expect(of({ requests: 3, succeeded: 0 })).toEqual([]);
});

it('names a carrier whose events could not be read, even if its refreshes succeed', () => {
  expect(of({ unreadableEvents: 1200 })).toEqual([
    'Maersk sent 1,200 events in the last 24 hours that could not be read. The pages of the shipments show them.',
  ]);
  expect(of({ unreadableEvents: 1 })[0]).toContain('sent 1 event in');
});

it('names a slow carrier with its usual latency, or with that of the others if its own is unknown', () => {
  expect(of({ latencyP95Ms: 8200 })).toEqual(['Maersk is slow: p95 8.2 s, usually 0.4 s.']);
  expect(of({ latencyP95Ms: 8200, usualMs: 7000 })).toEqual([]);
  const others = [well, well].map((one, index) => ({ ...one, connector: `other-${index}`, latencyP95Ms: 60 }));
  const slow = { ...well, usualMs: null, latencyP50Ms: 5000, latencyP95Ms: 5200 };
  expect(findTroubles({ ...quiet, connectors: [slow, ...others] }).map(({ text }) => text)).toEqual([
    'Maersk is slow: p95 5.2 s, compared with 60 ms for the other carriers.',
  ]);
  expect(of({ usualMs: null, latencyP95Ms: 5200 })).toEqual(['Maersk is slow: 5% of its calls take 5.2 s or longer.']);
  expect(of({ succeeded: 44, circuit: 'half_open', latencyP95Ms: 6700 })).toEqual([
    'Maersk is failing: 12% of its last 50 calls failed. Landfall sends only probe calls until it responds.',
    'Maersk is slow: p95 6.7 s, usually 0.4 s.',
  ]);
});

it('reports that this installation is overloaded instead of calling carriers slow', () => {
  expect(of({ latencyP95Ms: 8200 }, { loopDelayMs: { api: 10, worker: 1840 } })).toEqual([
    'The worker is overloaded: its event loop is 1.8 s late (p99). Carriers seem slower than they are.',
  ]);
  expect(of({}, { loopDelayMs: { api: 640, worker: null } })).toEqual([
    'The API is overloaded: its event loop is 640 ms late (p99). Requests wait, and measured latencies are too high.',
  ]);
  const slow = [0, 1, 2].map((index) => ({ ...well, connector: `slow-${index}`, latencyP95Ms: 8200 }));
  expect(findTroubles({ ...quiet, connectors: slow }).map(({ text }) => text)).toEqual([
    'All 3 polled carriers became slow or unreachable at the same time. The cause is this machine or its network.',
  ]);
  expect(findTroubles({ ...quiet, connectors: [...slow, well] })).toHaveLength(3);
  expect(findTroubles({ ...quiet, connectors: slow.slice(0, 1) })).toHaveLength(1);
});

it('gives the reason for overdue shipments', () => {
  const late = { dueOldestAgeS: 900, dueCount: 12 };
  expect(of({ ...late, budgetLeft: 0 })).toEqual([
    'Maersk has 12 overdue shipments, the oldest by 15 min. Its call budget is used up.',
  ]);
  expect(of(late)[0]).toContain('More workers may help');
  expect(of({ ...late, dueOldestAgeS: 20 })).toEqual([]);
});

it('puts a fault that stops everything first, and reports rejected credentials and rate limits', () => {
  const found = findTroubles({
    ...quiet,
    workers: 0,
    queues: null,
    connectors: [{ ...well, closedForS: 40, suspended: 1 }],
  });
  expect(found.map(({ severity }) => severity)).toEqual(['bad', 'bad', 'warn', 'warn']);
  expect(found[0]?.text).toContain('No worker is running');
  expect(found[1]?.text).toBe('Maersk rejects its credentials. Replace them.');
  expect(found[3]?.text).toBe('Maersk is rate limiting Landfall. Calls resume in 40 s.');
});

it('contains no NaN, undefined or infinity for any numbers, and sorts problems before warnings', () => {
  const amount = fc.double({ min: 0, max: 1e9, noNaN: true });
  const state = fc.record({
    requests: fc.nat(1000),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    latencyP95Ms: fc.option(amount),
    usualMs: fc.option(amount),
    budgetLeft: fc.option(amount),
    closedForS: fc.option(amount),
    dueOldestAgeS: fc.option(amount),
    dueCount: fc.nat(10_000),
    suspended: fc.nat(5),
    unreadableEvents: fc.nat(5),
    circuit: fc.constantFrom('closed' as const, 'half_open' as const, 'open' as const),
  });
  fc.assert(
    fc.property(state, ({ share, ...one }) => {
      const succeeded = Math.floor(one.requests * share);
      const troubles = findTroubles({ ...quiet, connectors: [{ ...well, ...one, succeeded }] });
      for (const { text } of troubles) expect(text).not.toMatch(/NaN|undefined|Infinity|null/);
      expect(troubles.map(({ severity }) => severity)).toEqual(troubles.map(({ severity }) => severity).toSorted());
    }),
  );
});

it('gives an age in its largest useful unit', () => {
  expect([1.4, 119, 120, 7199, 7200, 200_000].map(inWords)).toEqual([
    '1 s',
    '119 s',
    '2 min',
    '120 min',
    '2 h',
    '2 days',
  ]);
});

it('reports webhooks that Landfall sends late, and receivers only if most of them fail', () => {
  const webhooks = (changes: Partial<OperationsState['webhooks']>, workers = 2) =>
    of({}, { workers, webhooks: { ...quiet.webhooks, ...changes } });
  expect(webhooks({ unsentAgeS: 61 })).toEqual(['Webhooks are sent late. The oldest change has waited for 61 s.']);
  expect(webhooks({ unsentAgeS: 61 }, 0)).toHaveLength(1);
  expect(webhooks({ failing: 4, waiting: 5000, oldestWaitingAgeS: 90_000 })).toEqual([]);
  expect(webhooks({ enabled: 2, failing: 2 })).toEqual([]);
  expect(webhooks({ failing: 5 })).toEqual([
    '5 of 9 webhook endpoints are failing. Check the network, DNS and proxy of the workers.',
  ]);
});
