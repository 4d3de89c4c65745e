import type { TrackingReason, TrackingState } from './shipment.ts';

/** Reasons why a shipment needs attention. */
export const attentionCauses = [
  'exception',
  'tracking_failed',
  'credentials',
  'unknown_number',
  'unanswered',
  'overdue',
] as const;
export type AttentionCause = (typeof attentionCauses)[number];

const hourMs = 3_600_000;

/**
 * Hours for which tracking may be impaired before someone has to look at it. `unknown`: the carrier does not know the
 * number; most numbers appear within two days of the booking. `degraded`: since the last response.
 */
export const attentionAfterHours = { unknown: 48, degraded: 24 } as const;

/** Reasons that no retry removes: the user has to act at once. */
const actionableCauses: Partial<Record<TrackingReason, AttentionCause>> = {
  credentials_missing: 'credentials',
  carrier_auth_failed: 'credentials',
  data_withheld: 'credentials',
  not_found: 'unknown_number',
  invalid_identifier: 'unknown_number',
  wrong_identifier_type: 'unknown_number',
  carrier_not_supported: 'tracking_failed',
};

/** Input of the rule. Times are ISO UTC. */
export type AttentionSubject = {
  hasException: boolean;
  state: TrackingState;
  reason: TrackingReason | null;
  lastSucceededAt: string | null;
  /** The registration, or the last time tracking was resumed. */
  trackingSince: string;
  /** From when on the shipment is overdue. Null: nothing is expected. */
  overdueAt?: string | null;
};

type Condition = { cause: AttentionCause /** ISO UTC. Null: since always. */; from: string | null };

/**
 * The one definition of "needs attention", as a list of conditions with the time from which each one applies:
 * an open exception, failed tracking, missing or refused credentials, a number that the carrier does not know, a
 * carrier that has not responded for long, an overdue arrival. The store's SQL function `attention_from` is the same
 * rule; lists, counts and filters use what it stored.
 */
export function attentionConditions(subject: AttentionSubject): Condition[] {
  const { hasException, state, reason, overdueAt = null } = subject;
  const found: Condition[] = [];
  const since = (hours: number) => new Date(impairedSinceMs(subject) + hours * hourMs).toISOString();
  const isImpaired = state === 'awaiting_carrier' || state === 'degraded';
  const actionable = isImpaired && reason !== null ? actionableCauses[reason] : undefined;
  if (hasException) found.push({ cause: 'exception', from: null });
  if (state === 'failed') found.push({ cause: (reason && actionableCauses[reason]) ?? 'tracking_failed', from: null });
  else if (actionable !== undefined) found.push({ cause: actionable, from: null });
  else if (state === 'awaiting_carrier') {
    const isUnknown = reason === null || reason === 'carrier_not_found_yet';
    found.push({ cause: isUnknown ? 'unknown_number' : 'unanswered', from: since(attentionAfterHours.unknown) });
  } else if (state === 'degraded') found.push({ cause: 'unanswered', from: since(attentionAfterHours.degraded) });
  // The arrival of a shipment whose tracking the client stopped is never confirmed.
  if (overdueAt !== null && state !== 'stopped') found.push({ cause: 'overdue', from: overdueAt });
  return found;
}

/** Returns the reasons why the shipment needs attention at this moment. Empty: it needs none. */
export function attentionCausesAt(subject: AttentionSubject, nowMs: number): AttentionCause[] {
  return attentionConditions(subject)
    .filter(({ from }) => from === null || Date.parse(from) <= nowMs)
    .map(({ cause }) => cause);
}

export function needsAttentionAt(subject: AttentionSubject, nowMs: number): boolean {
  return attentionCausesAt(subject, nowMs).length > 0;
}

function impairedSinceMs({ lastSucceededAt, trackingSince }: AttentionSubject): number {
  return Math.max(Date.parse(trackingSince), lastSucceededAt === null ? 0 : Date.parse(lastSucceededAt));
}
