import { disruptionOf, replanned } from './disruptions.ts';
import type { EventSubject } from './event.ts';
import { findLine, type Line } from './fleet.ts';
import { type Identifiers, identifiersOf, plainReference, type ReferenceKind, splitBl } from './identifiers.ts';
import { dayMs, hourMs, planItinerary, wholeMinutes } from './itinerary.ts';
import {
  documentMilestone,
  landMilestone,
  liftMilestone,
  type Milestone,
  type MilestoneContext,
  vesselMilestone,
} from './milestones.ts';
import type { Port } from './ports.ts';
import { createRandom, type Random, uuidOf } from './random.ts';

/** A shipment from booking to empty return, in ms since its start. It depends only on the seed and the number. */
export type Voyage = {
  key: string;
  line: Line;
  identifiers: Identifiers;
  forwarderReference: string;
  milestones: Milestone[];
  /** Duration until the last event is reported. */
  durationMs: number;
  /** Arrival of the last vessel. */
  arrivalMs: number;
  transshipments: number;
  /** The scenarios of this voyage, in words. */
  scenarios: string[];
  /** Share of the voyage that is complete at the first request, for a real-time voyage. */
  startFraction: number;
};

const isoTypes = ['22G1', '45G1', '42G1', '45R1'] as const;

/** Plans the voyage of the number `asked`, as the client gave it. Throws for an unknown line. */
export function planVoyage(seed: string, scac: string, kind: ReferenceKind, asked: string): Voyage {
  const line = findLine(scac);
  if (!line) throw new Error(`${scac} is not a line of the simulator`);
  const key = `${seed}|${line.scac}|${kind}|${kind === 'bl' ? splitBl(asked).bare : plainReference(asked)}`;
  const identifiers = identifiersOf(seed, line, kind, asked);
  const random = createRandom(key, 'voyage');
  const legs = planItinerary(random, line, latenessOf(key));
  const lastLeg = legs.at(-1) ?? legs[0];
  const origin = legs[0].from;
  const destination = lastLeg.to;
  const departureMs = legs[0].departure.actualMs;
  const arrivalMs = lastLeg.arrival.actualMs;
  const ctx: MilestoneContext = { key, line, booking: identifiers.booking, random, plannedAtMs: -50 * 60_000 };
  const boxes = identifiers.containers.map((container) => box(random, container));

  const milestones: Milestone[] = [
    documentMilestone(origin, -5 * hourMs, {
      shipmentEventTypeCode: 'RECE',
      documentTypeCode: 'CBR',
      documentID: uuidOf(key, 'CBR'),
    }),
    documentMilestone(origin, -hourMs, {
      shipmentEventTypeCode: 'CONF',
      documentTypeCode: 'BKG',
      documentID: identifiers.booking,
    }),
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
    documentMilestone(destination, noticeMs, {
      shipmentEventTypeCode: 'ISSU',
      documentTypeCode: 'ARN',
      documentID: `ARN${entry}`,
    }),
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
    documentMilestone(destination, releasedMs, {
      shipmentEventTypeCode: 'RELS',
      documentTypeCode: 'CUS',
      documentID: `CUS${entry}`,
    }),
  );
  const stages = stagesOf(key, boxes.length, heldMs > 0);
  for (const [index, subject] of boxes.entries()) {
    const lateMs = stages.lateMs[index] ?? 0;
    if (index === stages.inspected)
      milestones.push(...inspectionMoves(ctx, destination, subject, inspectionMs + heldMs / 2));
    milestones.push(
      ...importMoves(ctx, destination, subject, {
        noticeMs,
        plannedArrivalMs: lastLeg.arrival.plannedMs,
        releasedMs: releasedMs + lateMs,
      }),
    );
  }
  const disruption = disruptionOf(ctx, legs, boxes);

  const disrupted = disruption
    ? [
        ...milestones.map((milestone) => replanned(milestone, disruption)),
        ...disruption.withdrawn,
        ...disruption.documents,
      ]
    : milestones;
  disrupted.sort((one, other) => one.actualMs - other.actualMs || (one.id < other.id ? -1 : 1));
  const durationMs = Math.max(...milestones.map((milestone) => milestone.reportedMs));
  return {
    key,
    line,
    identifiers,
    forwarderReference: `FF-${random.whole(100_000, 999_999)}`,
    milestones: disrupted,
    durationMs,
    arrivalMs,
    transshipments: legs.length - 1,
    scenarios: [
      ['direct', 'one transshipment', 'two transshipments'][legs.length - 1] ?? 'many transshipments',
      `ETA slips: ${lastLeg.arrival.revisions.length}`,
      `containers: ${boxes.length}`,
      ...(disruption ? [disruption.kind] : []),
      ...(heldMs > 0 ? ['customs hold'] : []),
      ...(stages.inspected === null ? [] : ['inspection']),
      ...(stages.lateMs.some((lateMs) => lateMs > 0) ? ['containers apart'] : []),
      'empty return',
    ],
    startFraction: createRandom(key, 'start').between(0.03, (arrivalMs + dayMs) / durationMs),
  };
}

/** Containers at different stages (ms): one is inspected by customs, or the last one is picked up days later. */
/** One voyage in five waits off its last port for days. */
function latenessOf(key: string): number {
  const random = createRandom(key, 'lateness');
  return random.chance(0.2) ? random.between(2, 7) * dayMs : 0;
}

function stagesOf(key: string, count: number, isHeld: boolean): { inspected: number | null; lateMs: number[] } {
  const random = createRandom(key, 'stages');
  const inspected = isHeld && random.chance(0.5) ? 0 : null;
  const isApart = count > 1 && random.chance(0.3);
  const lateMs = Array.from({ length: count }, (_, index) =>
    index === inspected || (isApart && index === count - 1) ? wholeMinutes(random.between(1, 3) * dayMs) : 0,
  );
  return { inspected, lateMs };
}

/** Customs breaks the seal, inspects the container, and applies a new seal. */
function inspectionMoves(ctx: MilestoneContext, destination: Port, subject: EventSubject, atMs: number): Milestone[] {
  const random = createRandom(ctx.key, 'inspection');
  const sealed = {
    ...subject,
    seals: [
      { sealNumber: `CU${random.whole(100_000, 999_999)}`, sealSource: 'CUS' as const, sealType: 'BLT' as const },
    ],
  };
  const at = { sequence: 89, load: 'LADEN' as const };
  return [
    landMilestone(ctx, destination, 'POTE', subject, { ...at, code: 'INSP', actualMs: atMs }),
    landMilestone(ctx, destination, 'POTE', sealed, {
      ...at,
      code: 'RSEA',
      actualMs: atMs + random.between(1, 3) * hourMs,
    }),
  ];
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
    seals: [
      { sealNumber: `SH${random.whole(100_000, 999_999)}`, sealSource: 'SHI' as const, sealType: 'BLT' as const },
    ],
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
  const plan = (publishedMs: number, timeMs: number) => ({
    publishedMs: wholeMinutes(publishedMs),
    timeMs: wholeMinutes(timeMs),
  });
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
    landMilestone(ctx, destination, 'DEPO', subject, {
      sequence: 92,
      code: 'GTIN',
      load: 'EMPTY',
      actualMs: returnedMs,
    }),
  ];
}
