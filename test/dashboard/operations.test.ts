import { describe, expect, test } from 'vitest';
import { answerOf, countTroubled, worstFirst } from '#services/dashboard/screens/operations/answer-sentence.ts';
import type { WireConnector, WireOperations } from '#services/dashboard/screens/operations/operations-types.ts';
import { withSample } from '#services/dashboard/screens/operations/samples.ts';

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
};
const state = (more: Partial<WireOperations> = {}): WireOperations => ({
  as_of: '2026-04-15T08:00:00Z',
  workers: 2,
  due: { count: 1, oldest_age_s: 4 },
  feed_age_s: 0,
  delivery_age_s: 0,
  registrations_per_minute: 0,
  calls_per_minute: 20,
  connectors: [fine],
  failures: [],
  recent: [],
  queues: [],
  ...more,
});

describe('the answer says whose fault it is', () => {
  test('nothing is wrong', () => {
    expect(answerOf(state())).toMatchObject({ sign: 'good', lead: 'All is well.' });
  });

  test('a carrier that does not answer is the carrier, and ours is said to be fine', () => {
    const answer = answerOf(
      state({ connectors: [{ ...fine, circuit: 'open', succeeded: 0, due_oldest_age_s: 7200 }] }),
    );
    expect(answer).toMatchObject({ sign: 'bad', lead: 'It is the carrier.' });
    expect(answer.because.at(-1)).toBe('Everything of ours is within its limits.');
  });

  test('no worker, no queue, a late feed: us', () => {
    for (const own of [{ workers: 0 }, { queues: null }, { feed_age_s: 60 }])
      expect(answerOf(state(own)).lead).toBe('It is us.');
  });

  test('shipments that wait although their carrier answers and may be asked: us; without budget: not us', () => {
    expect(answerOf(state({ connectors: [{ ...fine, due_oldest_age_s: 900 }] })).lead).toBe('It is us.');
    expect(answerOf(state({ connectors: [{ ...fine, due_oldest_age_s: 900, budget_left: 0 }] })).lead).not.toContain(
      'us.',
    );
  });

  test('refused credentials are neither; both at once are said', () => {
    expect(answerOf(state({ connectors: [{ ...fine, suspended: 1 }] })).lead).toBe('It is the credentials.');
    expect(answerOf(state({ workers: 0, connectors: [{ ...fine, circuit: 'open' }] })).lead).toBe(
      'It is us, and not only us.',
    );
  });
});

test('carriers stand worst first', () => {
  const named = (name: string, more: Partial<WireConnector>) => ({ ...fine, name, ...more });
  const order = worstFirst([
    named('fine', {}),
    named('late', { due_oldest_age_s: 100 }),
    named('slowed', { closed_for_s: 60 }),
    named('down', { circuit: 'open' }),
  ]);
  expect(order.map(({ name }) => name)).toEqual(['down', 'slowed', 'late', 'fine']);
});

test('each moment is remembered once, and not for ever', () => {
  let samples: ReturnType<typeof withSample> = [];
  for (let second = 0; second < 600; second++) {
    const as_of = new Date(second * 1000).toISOString();
    samples = withSample(withSample(samples, state({ as_of })), state({ as_of }));
  }
  expect(samples).toHaveLength(240);
  expect(samples.at(-1)?.at).toBe(599_000);
});

test('a carrier that answers far later than usual is said, counted, and stands above those that are fine', () => {
  const slow = { ...fine, connector: 'fedex', name: 'FedEx', latency_p95_ms: 8000, requests: 10, succeeded: 10 };
  const now = state({ connectors: [fine, slow] });
  expect(answerOf(now)).toMatchObject({ sign: 'warn', lead: 'It is the carrier.' });
  expect(answerOf(now).because[0]).toContain('FedEx is slow');
  expect(countTroubled(now)).toBe(1);
  expect(worstFirst(now.connectors).map(({ name }) => name)).toEqual(['FedEx', 'Maersk']);
});
