import { describe, expect, test } from 'vitest';
import { answerOf, countTroubled, worstFirst } from '#services/dashboard/screens/operations/answer-sentence.ts';
import type { WireConnector, WireOperations } from '#services/dashboard/screens/operations/operations-state.ts';

const fine: WireConnector = {
  connector: 'maersk',
  name: 'Maersk',
  requests: 100,
  succeeded: 100,
  latency_p50_ms: 200,
  latency_p95_ms: 400,
  usual_ms: 400,
  circuit: 'closed',
  budget_left: 10,
  closed_for_s: null,
  last_success_at: '2026-04-15T08:00:00Z',
  last_error_at: null,
  last_error_reason: null,
  due_oldest_age_s: 4,
  due_count: 1,
  suspended: 0,
  unreadable_events: 0,
};
const state = (more: Partial<WireOperations> = {}): WireOperations => ({
  as_of: '2026-04-15T08:00:00Z',
  workers: 2,
  loop_delay_ms: { api: 8, worker: 12 },
  completed_age_s: 1,
  due: { count: 1, oldest_age_s: 4 },
  feed_age_s: 0,
  delivery_age_s: 0,
  webhooks: { enabled: 3, failing: 0, disabled: 0, waiting: 0, oldest_waiting_age_s: 0, unsent: 0, unsent_age_s: 0 },
  registrations_per_minute: 0,
  calls_per_minute: 20,
  connectors: [fine],
  failures: [],
  recent: [],
  storage_full: false,
  queues: [],
  ...more,
});

describe('the answer names the cause', () => {
  test('is that nothing is wrong', () => {
    expect(answerOf(state())).toMatchObject({ sign: 'good', lead: 'No problems.' });
  });

  test('blames a failing carrier while the installation is within its limits', () => {
    const answer = answerOf(
      state({ connectors: [{ ...fine, circuit: 'open', succeeded: 0, due_oldest_age_s: 7200 }] }),
    );
    expect(answer).toMatchObject({ sign: 'bad', lead: 'A carrier has problems.' });
    expect(answer.note).toBe('This installation is within its limits.');
  });

  test('blames this installation for a missing worker or queue, a late feed or a full disk', () => {
    for (const own of [{ workers: 0 }, { queues: null }, { feed_age_s: 60 }, { storage_full: true }])
      expect(answerOf(state(own)).lead).toBe('This installation has problems.');
  });

  test('blames this installation while shipments are due and no refresh completes', () => {
    const stalled = state({ connectors: [{ ...fine, due_oldest_age_s: 90 }], completed_age_s: 75 });
    expect(answerOf(stalled)).toMatchObject({ sign: 'bad', lead: 'This installation has problems.' });
    expect(answerOf(stalled).troubles[0]?.text).toContain('no refresh has completed for 75 s');
    expect(answerOf({ ...stalled, completed_age_s: 20 })).toMatchObject({ sign: 'good' });
  });

  test('blames this installation for late shipments of a responding carrier, unless the budget is used up', () => {
    expect(answerOf(state({ connectors: [{ ...fine, due_oldest_age_s: 900 }] })).lead).toBe(
      'This installation has problems.',
    );
    expect(answerOf(state({ connectors: [{ ...fine, due_oldest_age_s: 900, budget_left: 0 }] })).lead).not.toContain(
      'installation',
    );
  });

  test('blames this installation for a late event loop, and calls no carrier slow', () => {
    const slow = { ...fine, connector: 'fedex', name: 'FedEx', latency_p95_ms: 8000 };
    for (const loop_delay_ms of [
      { api: 900, worker: 10 },
      { api: 10, worker: 900 },
    ]) {
      const now = state({ connectors: [fine, slow], loop_delay_ms });
      expect(answerOf(now)).toMatchObject({ sign: 'bad', lead: 'It is this installation, not the carriers.' });
      expect(answerOf(now).troubles.map(({ text }) => text)).toEqual([expect.stringContaining('900 ms late (p99)')]);
      expect(countTroubled(now)).toBe(0);
    }
    expect(answerOf(state({ connectors: [fine, slow] })).lead).toBe('A carrier has problems.');
  });

  test('blames this installation when all carriers are slow or without a response at once', () => {
    const slow = { ...fine, latency_p95_ms: 8000 };
    const silent = { ...fine, connector: 'fedex', name: 'FedEx', succeeded: 3, circuit: 'open' as const };
    const failures = [
      { connector: 'fedex', reason: 'carrier_unreachable', http_status: null, asked: true, refreshes: 9 },
    ];
    expect(answerOf(state({ connectors: [slow, silent], failures }))).toMatchObject({
      lead: 'It is this installation, not the carriers.',
    });
    expect(answerOf(state({ connectors: [slow, silent] })).lead).toBe('Carriers have problems.');
    expect(answerOf(state({ connectors: [slow] })).lead).toBe('A carrier has problems.');
  });

  test('blames a carrier that responds with errors also while this installation is overloaded', () => {
    const failing = { ...fine, succeeded: 3 };
    const failures = [
      { connector: 'maersk', reason: 'carrier_unreachable', http_status: 500, asked: true, refreshes: 9 },
    ];
    const answer = answerOf(state({ connectors: [failing], failures, loop_delay_ms: { api: 900, worker: 900 } }));
    expect(answer.lead).toBe('This installation and a carrier have problems.');
  });

  test('names rejected credentials as a cause of their own, and both of two causes', () => {
    expect(answerOf(state({ connectors: [{ ...fine, suspended: 1 }] })).lead).toBe(
      'A carrier rejects its credentials.',
    );
    expect(answerOf(state({ workers: 0, connectors: [{ ...fine, circuit: 'open' }] })).lead).toBe(
      'This installation and a carrier have problems.',
    );
  });
});

test('carriers are sorted worst first', () => {
  const named = (name: string, more: Partial<WireConnector>) => ({ ...fine, name, ...more });
  const order = worstFirst(
    state({
      connectors: [
        named('fine', {}),
        named('late', { due_oldest_age_s: 100 }),
        named('slowed', { closed_for_s: 60 }),
        named('down', { circuit: 'open' }),
      ],
    }),
  );
  expect(order.map(({ name }) => name)).toEqual(['down', 'slowed', 'late', 'fine']);
});

test('a slow carrier is named, counted and sorted above healthy ones', () => {
  const slow = { ...fine, connector: 'fedex', name: 'FedEx', latency_p95_ms: 8000, requests: 10, succeeded: 10 };
  const now = state({ connectors: [fine, slow] });
  expect(answerOf(now)).toMatchObject({ sign: 'warn', lead: 'A carrier has problems.' });
  expect(answerOf(now).troubles[0]?.text).toContain('FedEx is slow');
  expect(countTroubled(now)).toBe(1);
  expect(worstFirst(now).map(({ name }) => name)).toEqual(['FedEx', 'Maersk']);
});
