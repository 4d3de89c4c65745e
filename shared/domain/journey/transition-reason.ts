import type { TrackingEvent } from '../events/event.ts';
import { eventTimeMs, futureToleranceMs, isLive } from '../events/event-order.ts';
import type { Journey, Status } from '../record/shipment.ts';
import { isClientCancellation } from './client-cancellation.ts';
import { statusRanks, transitionRule } from './status-transitions.ts';

/**
 * Reason for a change of the published status. `event`: an event arrived that the table allows.
 * `suspect_became_eligible`: an event that had been too far ahead became eligible. `container_added`: a container or a
 * piece joined the active ones and is behind them. `event_voided`: a deciding event was voided, replaced, or is
 * interpreted differently now that more of the journey is known. `client_cancelled`, `client_resumed`: the client did
 * it.
 */
export const transitionReasons = [
  'event',
  'suspect_became_eligible',
  'container_added',
  'event_voided',
  'client_cancelled',
  'client_resumed',
] as const;
export type TransitionReason = (typeof transitionReasons)[number];

export type TransitionContext = {
  /** Every stored event that `after` was composed from, including voided and superseded ones. */
  events: readonly TrackingEvent[];
  /** Ids of those that this step added. The others existed when `before` was composed. */
  addedIds: readonly string[];
};

/** The unit that the fold tracks separately: a container, a piece, or the whole cargo if none is named (number ''). */
type Thread = { number: string; status: Status; decidingEventId: string | null };

/**
 * The reason of the transition from `before.status` to `after.status`, which differ. A regression is only `event` if
 * the table allows it.
 */
export function transitionReason(before: Journey, after: Journey, context: TransitionContext): TransitionReason {
  const byId = new Map(context.events.map((event) => [event.id, event]));
  const added = new Set(context.addedIds);
  const oldThreads = threadsOf(before);
  const newThreads = threadsOf(after);
  const find = (thread: Thread) =>
    thread.decidingEventId === null ? null : (byId.get(thread.decidingEventId) ?? null);

  const oldDeciders = [...oldThreads, wholeOf(before)].map(find).filter((event) => event !== null);
  const newDeciders = [...newThreads, wholeOf(after)].map(find).filter((event) => event !== null);
  if (oldDeciders.some((event) => isClientCancellation(event) && !isLive(event))) return 'client_resumed';
  if (newDeciders.some((event) => isClientCancellation(event) && !oldDeciders.includes(event)))
    return 'client_cancelled';

  const wasSuspect = (event: TrackingEvent) =>
    before.nextEligibleAt !== null && eventTimeMs(event) - futureToleranceMs >= Date.parse(before.nextEligibleAt);
  const reasonOfMove = (from: Thread, to: Thread): TransitionReason => {
    const decider = find(to);
    const former = find(from);
    if (decider === null || former?.supersededBy === decider.id) return 'event_voided';
    const isNews = added.has(decider.id) || wasSuspect(decider);
    // An event from before a loss or a cancellation may arrive after it and then stands: that is no regression.
    const isLateEnding = (former === null || isLive(former)) && statusRanks[to.status] >= statusRanks.delivered;
    if (!isNews || !(isAllowed(from.status, to.status) || isLateEnding)) return 'event_voided';
    return added.has(decider.id) ? 'event' : 'suspect_became_eligible';
  };

  const known = new Map(oldThreads.map((thread) => [thread.number, thread]));
  if (progressOf(after.status) < progressOf(before.status)) {
    const holdingBack = newThreads.filter((thread) => thread.status === after.status);
    const reasons = holdingBack.map((thread) => {
      const old = known.get(thread.number);
      if (old === undefined || (!isActive(old.status) && old.status !== before.status)) return 'container_added';
      return reasonOfMove(old, thread);
    });
    return pick(reasons, ['event_voided', 'container_added', 'suspect_became_eligible', 'event']);
  }
  const moved = newThreads.flatMap((thread) => {
    const old = known.get(thread.number);
    return old === undefined || old.status === thread.status ? [] : [reasonOfMove(old, thread)];
  });
  const whole = reasonOfMove(wholeOf(before), wholeOf(after));
  return whole === 'event_voided' ? pick(moved, ['event', 'suspect_became_eligible', 'event_voided']) : whole;
}

function threadsOf(journey: Journey): Thread[] {
  const parts = [
    ...journey.containers,
    ...journey.pieces.map(({ trackingNumber, ...piece }) => ({ number: trackingNumber, ...piece })),
  ];
  if (parts.length === 0) return [wholeOf(journey)];
  return parts.map(({ number, status, decidingEventId }) => ({ number, status, decidingEventId }));
}

function wholeOf(journey: Journey): Thread {
  return { number: '', status: journey.status, decidingEventId: journey.statusEvidence?.eventId ?? null };
}

function isAllowed(from: Status, to: Status): boolean {
  return ['same', 'always', 'newer', 'cancellation'].includes(transitionRule(from, to));
}

function isActive(status: Status): boolean {
  return statusRanks[status] <= statusRanks.delivered;
}

/** All ways of ending without a delivery rank alike. */
function progressOf(status: Status): number {
  return Math.min(statusRanks[status], statusRanks.delivered);
}

function pick(found: readonly TransitionReason[], order: readonly TransitionReason[]): TransitionReason {
  return order.find((reason) => found.includes(reason)) ?? 'event_voided';
}
