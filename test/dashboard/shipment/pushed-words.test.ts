import { expect, it } from 'vitest';
import { refreshLock } from '#services/dashboard/screens/shipment/verbs/verb-permission.ts';
import { pushedText, silenceWords } from '#services/dashboard/screens/shipment/words/pushed-words.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';

const now = Date.parse('2026-04-15T12:00:00Z');

function trackingOf(changes: Partial<NonNullable<WireShipment['tracking']>>) {
  return {
    mode: 'pushed',
    state: 'active',
    reason: null,
    freshness: 'fresh',
    last_succeeded_at: '2026-04-15T09:00:00Z',
    stale_after_hours: 48,
    ...changes,
  } as NonNullable<WireShipment['tracking']>;
}

it('shows that the carrier is not polled, when the last event came, and when silence makes the shipment stale', () => {
  const { label, text, tone } = pushedText(trackingOf({}), 'Union Pacific', now);
  expect([label, tone]).toEqual(['Up to date', 'good']);
  expect(text).toMatch(
    /^Last event received 3 h ago\. Landfall doesn't poll Union Pacific: events are pushed\. Stale without another one by 17 Apr \d\d:\d\d /,
  );
  expect(silenceWords(trackingOf({ stale_after_hours: 6 }))).toBe('6 h after the last event');
});

it('distinguishes a shipment that waits for its first event from a silent one', () => {
  const waiting = trackingOf({ state: 'awaiting_carrier', reason: 'awaiting_events', last_succeeded_at: null });
  expect(pushedText(waiting, 'Own fleet', now)).toEqual({
    label: 'Waiting',
    text: "No event received yet. Landfall doesn't poll Own fleet: events are pushed.",
    tone: 'warning',
  });
  const silent = pushedText(
    trackingOf({ freshness: 'stale', last_succeeded_at: '2026-04-12T09:00:00Z' }),
    'Own fleet',
    now,
  );
  expect(silent).toMatchObject({ label: 'Stale', tone: 'warning' });
  expect(silent.text).toMatch(/^No event received since 12 Apr .* for more than 2 d\. Landfall doesn't poll Own fleet/);
});

it('offers no refresh of a shipment whose carrier is not polled', () => {
  const known = { tracking: trackingOf({}), archived_at: null, carrier_name: 'Own fleet' };
  expect(refreshLock(known, false)).toBe('Events are pushed, so there is nothing to poll');
});
