import type { EventSubject } from './event.ts';
import { findLine, type Line } from './fleet.ts';
import { type Identifiers, identifiersOf, plainReference, type ReferenceKind, splitBl } from './identifiers.ts';
import { dayMs, hourMs, planItinerary, wholeMinutes } from './itinerary.ts';
import { documentMilestone, landMilestone, liftMilestone, type Milestone, type MilestoneContext, vesselMilestone } from './milestones.ts';
import type { Port } from './ports.ts';
import { createRandom, type Random, uuidOf } from './random.ts';

/** A whole shipment from booking to empty return, in ms since its start; depends on the seed and the number asked for alone. */
export type Voyage = {
  key: string;
  line: Line;
  identifiers: Identifiers;
  forwarderReference: string;
  milestones: Milestone[];
  /** Until the last event is reported. */
  durationMs: number;
  /** Arrival of the last ship. */
  arrivalMs: number;
  transshipments: number;
  /** Share of the voyage that is over when a real-time voyage is first asked for. */
  startFraction: number;
};

const isoTypes = ['22G1', '45G1', '42G1', '45R1'] as const;

/** Plans the voyage of a number: `scac` is its line, `asked` the number as the client gave it. Throws for an unknown line. */
export function planVoyage(seed: string, scac: string, kind: ReferenceKind, asked: string): Voyage {
  const line = findLine(scac);
  if (!line) throw new Error(`${scac} is not a line of the simulator`);
  const key = `${seed}|${line.scac}|${kind}|${kind === 'bl' ? splitBl(asked).bare : plainReference(asked)}`;
  const identifiers = identifiersOf(seed, line, kind, asked);
  const random = createRandom(key, 'voyage');
  const legs = planItinerary(random, line);
  const lastLeg = legs.at(-1) ?? legs[0];
  const origin = legs[0].from;
  const destination = lastLeg.to;
  const departureMs = legs[0].departure.actualMs;
  const arrivalMs = lastLeg.arrival.actualMs;
  const ctx: MilestoneContext = { key, line, random, plannedAtMs: -50 * 60_000 };
  const boxes = identifiers.containers.map((container) => box(random, container));

  const milestones: Milestone[] = [
    documentMilestone(origin, -5 * hourMs, { shipmentEventTypeCode: 'RECE', documentTypeCode: 'CBR', documentID: uuidOf(key, 'CBR') }),
    documentMilestone(origin, -hourMs, { shipmentEventTypeCode: 'CONF', documentTypeCode: 'BKG', documentID: identifiers.booking }),
    documentMilestone(origin, departureMs + random.between(6, 30) * hourMs, {
      shipmentEventTypeCode: 'ISSU',
      documentTypeCode: 'TRD',
      documentID: identifiers.bl,
    }),
  ];
  for (const [index, leg] of legs.entries()) {
    milestones.push(vesselMilestone(ctx, leg, 2 * index + 1, 'DEPA'), vesselMilestone(ctx, leg, 2 * index + 2, 'ARRI'));
    for (const subject of boxes) {
      const loadedMs = leg.departure.actualMs - random.between(3, 9) * hourMs;
      const dischargedMs = leg.arrival.actualMs + random.between(3, 14) * hourMs;
      milestones.push(liftMilestone(ctx, leg, 2 * index + 1, 'LOAD', subject, wholeMinutes(loadedMs)));
      milestones.push(liftMilestone(ctx, leg, 2 * index + 2, 'DISC', subject, wholeMinutes(dischargedMs)));
    }
  }
  for (const subject of boxes) milestones.push(...exportMoves(ctx, origin, subject, departureMs));

  const noticeMs = arrivalMs - random.between(40, 60) * hourMs;
  const entry = String(random.whole(10_000_000, 99_999_999));
  const heldMs = random.chance(0.3) ? random.between(12, 40) * hourMs : 0;
  const inspectionMs = arrivalMs + random.between(15, 19) * hourMs;
  const releasedMs = inspectionMs + heldMs + random.between(1, 5) * hourMs;
  milestones.push(
    documentMilestone(destination, noticeMs, { shipmentEventTypeCode: 'ISSU', documentTypeCode: 'ARN', documentID: `ARN${entry}` }),
  );
  if (heldMs > 0) {
    milestones.push(
      documentMilestone(destination, inspectionMs, {
        shipmentEventTypeCode: 'HOLD',
        documentTypeCode: 'CUS',
        documentID: `CUS${entry}`,
        reason: 'Selected for customs examination',
      }),
    );
  }
  milestones.push(
    documentMilestone(destination, releasedMs, { shipmentEventTypeCode: 'RELS', documentTypeCode: 'CUS', documentID: `CUS${entry}` }),
  );
  for (const subject of boxes)
    milestones.push(...importMoves(ctx, destination, subject, { noticeMs, plannedArrivalMs: lastLeg.arrival.plannedMs, releasedMs }));

  milestones.sort((one, other) => one.actualMs - other.actualMs || (one.id < other.id ? -1 : 1));
  const durationMs = Math.max(...milestones.map((milestone) => milestone.reportedMs));
  return {
    key,
    line,
    identifiers,
    forwarderReference: `FF-${random.whole(100_000, 999_999)}`,
    milestones,
    durationMs,
    arrivalMs,
    transshipments: legs.length - 1,
    startFraction: createRandom(key, 'start').between(0.03, (arrivalMs + dayMs) / durationMs),
  };
}

function box(random: Random, container: string): EventSubject {
  return { equipmentReference: container, ISOEquipmentCode: random.pick(isoTypes) };
}

function exportMoves(ctx: MilestoneContext, origin: Port, subject: EventSubject, departureMs: number): Milestone[] {
  const { random } = ctx;
  const releasedMs = departureMs - random.between(4.4, 5.6) * dayMs;
  const stuffedMs = releasedMs + random.between(8, 26) * hourMs;
  const sealed = {
    ...subject,
    seals: [{ sealNumber: `SH${random.whole(100_000, 999_999)}`, sealSource: 'SHI' as const, sealType: 'BLT' as const }],
  };
  return [
    landMilestone(ctx, origin, 'DEPO', subject, { sequence: 0, code: 'GTOT', load: 'EMPTY', actualMs: releasedMs }),
    landMilestone(ctx, origin, 'CLOC', sealed, { sequence: 0, code: 'STUF', load: 'LADEN', actualMs: stuffedMs }),
    landMilestone(ctx, origin, 'POTE', subject, {
      sequence: 1,
      code: 'GTIN',
      load: 'LADEN',
      actualMs: departureMs - random.between(1, 2.6) * dayMs,
    }),
  ];
}

function importMoves(
  ctx: MilestoneContext,
  destination: Port,
  subject: EventSubject,
  times: { noticeMs: number; plannedArrivalMs: number; releasedMs: number },
): Milestone[] {
  const { random } = ctx;
  const collectedMs = times.releasedMs + random.between(5, 26) * hourMs;
  const deliveredMs = collectedMs + random.between(3, 16) * hourMs;
  const returnedMs = deliveredMs + random.between(20, 50) * hourMs;
  const plan = (publishedMs: number, timeMs: number) => ({ publishedMs: wholeMinutes(publishedMs), timeMs: wholeMinutes(timeMs) });
  return [
    landMilestone(ctx, destination, 'POTE', subject, {
      sequence: 90,
      code: 'GTOT',
      load: 'LADEN',
      actualMs: collectedMs,
      plan: plan(times.noticeMs, Math.max(times.plannedArrivalMs, times.noticeMs + 2 * dayMs) + 2 * dayMs),
    }),
    landMilestone(ctx, destination, 'CLOC', subject, {
      sequence: 91,
      code: 'DROP',
      load: 'LADEN',
      actualMs: deliveredMs,
      plan: plan(ctx.plannedAtMs, times.plannedArrivalMs + 3 * dayMs),
    }),
    landMilestone(ctx, destination, 'DEPO', subject, { sequence: 92, code: 'GTIN', load: 'EMPTY', actualMs: returnedMs }),
  ];
}
