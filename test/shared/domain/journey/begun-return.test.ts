import { expect, test } from 'vitest';
import type { EventCode, LegRole } from '#shared/domain/events/event.ts';
import { foldStatus } from '#shared/domain/journey/status.ts';
import { nowMs } from './event-sets.ts';
import { trackingEvent } from './journey-events.ts';

function statusAfter(...codes: (EventCode | [EventCode, LegRole])[]): string {
  const events = codes.map((each, hour) => {
    const [code, legRole] = typeof each === 'string' ? [each, 'unknown' as const] : each;
    return trackingEvent({ id: `${hour}`, code, legRole, hour: hour * 2 });
  });
  return foldStatus(events.reverse(), nowMs).status;
}

test('a return that only began may still end in a delivery', () => {
  expect(statusAfter('picked_up', 'return_started')).toBe('returned');
  expect(statusAfter('picked_up', 'return_started', 'delivered')).toBe('delivered');
  expect(statusAfter('picked_up', 'return_started', 'in_transit', 'delivered')).toBe('delivered');
});

test('a delivery of a return to its sender is none', () => {
  expect(statusAfter('picked_up', 'return_started', ['delivered', 'origin'])).toBe('returned');
});

test('a completed return is final', () => {
  expect(statusAfter('picked_up', 'returned', 'delivered')).toBe('returned');
  expect(statusAfter('picked_up', 'return_started', 'returned', 'delivered')).toBe('returned');
});

test('a delivery before the return began is older than it', () => {
  expect(statusAfter('picked_up', 'delivered', 'return_started')).toBe('returned');
});
