import type { LegRole, TrackingEvent } from '../events/event.ts';
import { isLive } from '../events/event-order.ts';
import { isOfWhole, isRelated, isSameSubject, type PartKind, subjectOf } from '../events/event-subject.ts';
import { placeKey } from '../events/place-key.ts';
import type { Status } from '../record/shipment.ts';
import { compareFoldEvents, type PartFold } from './status.ts';
import { statusRanks } from './status-transitions.ts';

export type Outcome = {
  status: Status;
  /** The event that decided the status. */
  decidedBy: { id: string } | null;
  containers: readonly Pick<PartFold, 'number'>[];
  pieces: readonly Pick<PartFold, 'number'>[];
};

/** Roles that a journey has once: a plan and its actual meet there, however the carrier writes the place. */
const singleRoles: readonly LegRole[] = ['pol', 'pod', 'destination'];

/**
 * The plans and estimates whose actual event has come, with its id. A plan for the whole shipment ends with the actual
 * of its last part. Whatever was planned ends with the event that ended the journey. `events` have roles and
 * unique keys; `happened` are those that count.
 */
export function fulfilledPlans(
  events: readonly TrackingEvent[],
  happened: readonly TrackingEvent[],
  outcome: Outcome,
): Map<string, string> {
  const byCode = Map.groupBy(happened, (event) => event.code);
  const endedBy = statusRanks[outcome.status] >= statusRanks.delivered ? outcome.decidedBy : null;
  const fulfilled = new Map<string, string>();
  for (const plan of events) {
    if (plan.classifier === 'actual' || !isLive(plan)) continue;
    const own = (byCode.get(plan.code) ?? []).filter((event) => isOfPlan(event, plan));
    const by = lastOfAll(own, plan, outcome) ?? endedBy;
    if (by !== null) fulfilled.set(plan.id, by.id);
  }
  return fulfilled;
}

function isOfPlan(actual: TrackingEvent, plan: TrackingEvent): boolean {
  if (!isRelated(subjectOf(actual), subjectOf(plan))) return false;
  if (plan.code === 'delivered') return true;
  const [at, planned] = [placeKey(actual.location), placeKey(plan.location)];
  if (at === null || planned === null || at === planned) return true;
  return actual.legRole === plan.legRole && singleRoles.includes(plan.legRole);
}

/** Null while a part of the plan has no such event yet. */
function lastOfAll(
  actual: readonly TrackingEvent[],
  plan: TrackingEvent,
  { containers, pieces }: Outcome,
): TrackingEvent | null {
  const has = (kind: PartKind) => new Set(actual.map((event) => subjectOf(event)[kind]));
  const hasAll = (parts: Outcome['pieces'], named: ReadonlySet<string | null>) =>
    parts.every(({ number }) => named.has(number));
  const isComplete =
    actual.some(isOfWhole) ||
    (isOfWhole(plan)
      ? hasAll(containers, has('container')) && hasAll(pieces, has('piece'))
      : actual.some((event) => isSameSubject(subjectOf(event), subjectOf(plan))));
  return isComplete ? ([...actual].sort(compareFoldEvents).at(-1) ?? null) : null;
}
