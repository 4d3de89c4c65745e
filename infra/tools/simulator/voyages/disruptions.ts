import type { EventSubject } from './event.ts';
import { dayMs, hourMs, type Leg, wholeMinutes } from './itinerary.ts';
import { lanes } from './lanes.ts';
import {
  documentMilestone,
  liftMilestone,
  type Milestone,
  type MilestoneContext,
  vesselMilestone,
} from './milestones.ts';
import { portOf } from './ports.ts';
import { createRandom } from './random.ts';

/** A change of plan: the plans before it, and when the actual calls are first planned. */
export type Disruption = {
  kind: 'rolled' | 'port omission';
  atMs: number;
  /** Plans that are withdrawn at `atMs`. */
  withdrawn: Milestone[];
  /** Milestones that are first planned at `atMs`. */
  isNew: (milestone: Milestone) => boolean;
  documents: Milestone[];
};

/** The disruption of this voyage, if any: the booking is rolled to a later vessel, or a vessel calls at another hub. */
export function disruptionOf(
  ctx: MilestoneContext,
  legs: readonly [Leg, ...Leg[]],
  boxes: readonly EventSubject[],
): Disruption | null {
  const random = createRandom(ctx.key, 'disruption');
  if (random.chance(0.12)) return rolled(ctx, legs, boxes);
  return legs.length > 1 && random.chance(0.25) ? portOmission(ctx, legs, boxes) : null;
}

function rolled(
  ctx: MilestoneContext,
  [first, ...others]: readonly [Leg, ...Leg[]],
  boxes: readonly EventSubject[],
): Disruption {
  const random = createRandom(ctx.key, 'rolled');
  const earlierMs = 4 * dayMs;
  const sailed = [first, ...others].map(({ vessel }) => vessel);
  const vessel = ctx.line.vessels.find((each) => !sailed.includes(each)) ?? ctx.line.vessels[0];
  const voyage = random.whole(101, 652);
  const missed: Leg = {
    ...first,
    vessel,
    exportVoyage: `${voyage}W`,
    importVoyage: `${voyage}E`,
    departure: planned(first.departure.plannedMs - earlierMs),
    arrival: planned(first.arrival.plannedMs - earlierMs),
  };
  const atMs = wholeMinutes(missed.departure.plannedMs - random.between(10, 20) * hourMs);
  const withdrawn = [
    vesselMilestone(ctx, missed, 1, 'DEPA'),
    vesselMilestone(ctx, missed, 2, 'ARRI'),
    ...boxes.flatMap((box) => [
      liftMilestone(ctx, missed, 1, 'LOAD', box, atMs),
      liftMilestone(ctx, missed, 2, 'DISC', box, atMs),
    ]),
  ];
  const reason = `Rolled to ${first.vessel.name} ${first.exportVoyage}`;
  const confirmation = {
    shipmentEventTypeCode: 'CONF' as const,
    documentTypeCode: 'BKG' as const,
    documentID: ctx.booking,
    reason,
  };
  const document = documentMilestone(first.from, atMs, confirmation);
  return {
    kind: 'rolled',
    atMs,
    withdrawn: withdrawn.map((milestone) => withoutActual(milestone, atMs)),
    isNew: ({ subject }) =>
      [1, 2].includes(subject.transportCall?.vessel ? subject.transportCall.transportCallSequenceNumber : 0),
    documents: [{ ...document, id: `${document.id}-rolled` }],
  };
}

function portOmission(
  ctx: MilestoneContext,
  [first, second]: readonly [Leg, ...Leg[]],
  boxes: readonly EventSubject[],
): Disruption | null {
  const random = createRandom(ctx.key, 'omission');
  const group = lanes
    .flatMap(({ hubs }) => hubs)
    .find((choices) => choices.includes(first.to.unlocode) && choices.length > 1);
  const omitted = group?.find((unlocode) => unlocode !== first.to.unlocode);
  if (omitted === undefined || second === undefined) return null;
  const hub = portOf(omitted);
  const arrivesMs = Math.min(first.arrival.plannedMs, first.arrival.actualMs);
  const atMs = wholeMinutes(
    first.departure.actualMs + (arrivesMs - first.departure.actualMs) * random.between(0.4, 0.7),
  );
  const inward: Leg = { ...first, to: hub, arrival: planned(first.arrival.plannedMs) };
  const onward: Leg = { ...second, from: hub, departure: planned(second.departure.plannedMs) };
  const withdrawn = [
    vesselMilestone(ctx, inward, 2, 'ARRI'),
    vesselMilestone(ctx, onward, 3, 'DEPA'),
    ...boxes.flatMap((box) => [
      liftMilestone(ctx, inward, 2, 'DISC', box, atMs),
      liftMilestone(ctx, onward, 3, 'LOAD', box, atMs),
    ]),
  ];
  return {
    kind: 'port omission',
    atMs,
    withdrawn: withdrawn.map((milestone) => withoutActual(milestone, atMs)),
    isNew: ({ subject }) =>
      [2, 3].includes(subject.transportCall?.vessel ? subject.transportCall.transportCallSequenceNumber : 0),
    documents: [],
  };
}

/** The milestone after the change of plan: its plan and forecasts are published later. */
export function replanned(milestone: Milestone, { atMs, isNew }: Disruption): Milestone {
  if (!isNew(milestone) || milestone.plan === null) return milestone;
  return {
    ...milestone,
    plan: { ...milestone.plan, publishedMs: atMs },
    revisions: milestone.revisions.filter(({ publishedMs }) => publishedMs > atMs),
  };
}

function withoutActual(milestone: Milestone, withdrawnMs: number): Milestone {
  return {
    ...milestone,
    id: `${milestone.id}-withdrawn`,
    revisions: [],
    reportedMs: Number.POSITIVE_INFINITY,
    withdrawnMs,
  };
}

function planned(ms: number): Leg['departure'] {
  return { plannedMs: wholeMinutes(ms), actualMs: wholeMinutes(ms), revisions: [] };
}
