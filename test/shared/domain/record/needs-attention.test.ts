import { describe, expect, it } from 'vitest';
import {
  type AttentionSubject,
  attentionAfterHours,
  attentionCausesAt,
} from '#shared/domain/record/needs-attention.ts';

const nowMs = Date.parse('2026-05-10T12:00:00Z');
const ago = (hours: number) => new Date(nowMs - hours * 3_600_000).toISOString();
const causes = (subject: Partial<AttentionSubject>) =>
  attentionCausesAt(
    {
      ...{ hasException: false, state: 'active', reason: null, lastSucceededAt: ago(1), trackingSince: ago(500) },
      ...subject,
    },
    nowMs,
  );

describe('a shipment needs attention', () => {
  it('with an open exception, whatever its tracking', () => {
    expect(causes({})).toEqual([]);
    expect(causes({ hasException: true })).toEqual(['exception']);
    expect(causes({ hasException: true, state: 'completed' })).toEqual(['exception']);
  });

  it('without usable credentials, although nothing has failed', () => {
    const waiting = { state: 'awaiting_carrier', lastSucceededAt: null, trackingSince: ago(0) } as const;
    expect(causes({ ...waiting, reason: 'credentials_missing' })).toEqual(['credentials']);
    expect(causes({ ...waiting, state: 'degraded', reason: 'carrier_auth_failed' })).toEqual(['credentials']);
  });

  it('when the carrier rejects its number, or has not known it for two days', () => {
    const waiting = { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', lastSucceededAt: null } as const;
    expect(causes({ ...waiting, trackingSince: ago(attentionAfterHours.unknown - 1) })).toEqual([]);
    expect(causes({ ...waiting, trackingSince: ago(attentionAfterHours.unknown) })).toEqual(['unknown_number']);
    expect(causes({ state: 'failed', reason: 'not_found' })).toEqual(['unknown_number']);
    expect(causes({ ...waiting, reason: 'invalid_identifier', trackingSince: ago(0) })).toEqual(['unknown_number']);
  });

  it('when the carrier has not responded for a day, counted from the last response', () => {
    const degraded = { state: 'degraded', reason: 'carrier_unreachable' } as const;
    expect(causes({ ...degraded, lastSucceededAt: ago(attentionAfterHours.degraded - 1) })).toEqual([]);
    expect(causes({ ...degraded, lastSucceededAt: ago(attentionAfterHours.degraded) })).toEqual(['unanswered']);
  });

  it('when it is overdue, from the moment it becomes late', () => {
    expect(causes({ overdueAt: ago(-1) })).toEqual([]);
    expect(causes({ overdueAt: ago(0) })).toEqual(['overdue']);
    expect(causes({ overdueAt: ago(0), state: 'stopped' })).toEqual([]);
  });

  it('for each cause at once', () => {
    expect(causes({ hasException: true, state: 'failed', reason: 'no_updates_60d', overdueAt: ago(5) })).toEqual([
      ...['exception', 'tracking_failed', 'overdue'],
    ]);
  });
});
