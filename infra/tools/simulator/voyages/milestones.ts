import { type EventSubject, inlandLocation, type TransportCall, terminalLocation } from './event.ts';
import type { Line } from './fleet.ts';
import { type Forecast, hourMs, type Leg, type Movement, wholeMinutes } from './itinerary.ts';
import type { Port } from './ports.ts';
import { createRandom, type Random, uuidOf } from './random.ts';

/** Something that is planned, forecast and happens at a place. Times in ms since the voyage's start. */
export type Milestone = {
  id: string;
  subject: EventSubject;
  zone: string;
  /** The first plan and when it was published. Null for a milestone that isn't announced. */
  plan: { publishedMs: number; timeMs: number } | null;
  revisions: Forecast[];
  actualMs: number;
  /** When the carrier reports the actual event. */
  reportedMs: number;
  /** From this time on, the carrier no longer publishes the milestone because its plan was withdrawn. */
  withdrawnMs?: number;
};

/** Arguments of every milestone function. */
export type MilestoneContext = { key: string; line: Line; booking: string; random: Random; plannedAtMs: number };

/** Arrival or departure of a leg's vessel. */
export function vesselMilestone(ctx: MilestoneContext, leg: Leg, sequence: number, code: 'ARRI' | 'DEPA'): Milestone {
  const movement = code === 'DEPA' ? leg.departure : leg.arrival;
  const port = code === 'DEPA' ? leg.from : leg.to;
  return {
    id: `${code}-${sequence}`,
    subject: { transportEventTypeCode: code, transportCall: vesselCall(ctx, leg, sequence, port) },
    zone: port.zone,
    plan: { publishedMs: ctx.plannedAtMs, timeMs: movement.plannedMs },
    revisions: movement.revisions,
    actualMs: movement.actualMs,
    reportedMs: reported(ctx, movement.actualMs),
  };
}

/** A container loaded on or discharged from a leg's vessel, `gapMs` from the vessel's own movement. */
export function liftMilestone(
  ctx: MilestoneContext,
  leg: Leg,
  sequence: number,
  code: 'LOAD' | 'DISC',
  box: EventSubject,
  actualMs: number,
): Milestone {
  const movement: Movement = code === 'LOAD' ? leg.departure : leg.arrival;
  const port = code === 'LOAD' ? leg.from : leg.to;
  const gapMs = wholeMinutes(code === 'LOAD' ? -10 * hourMs : 10 * hourMs);
  const revisions = movement.revisions.map((revision) => ({
    ...revision,
    timeMs: revision.timeMs + gapMs,
    delayReason: null,
  }));
  return {
    id: `${code}-${sequence}-${box.equipmentReference}`,
    subject: {
      ...box,
      equipmentEventTypeCode: code,
      emptyIndicatorCode: 'LADEN',
      eventLocation: terminalLocation(port),
      transportCall: vesselCall(ctx, leg, sequence, port),
    },
    zone: port.zone,
    plan: { publishedMs: ctx.plannedAtMs, timeMs: movement.plannedMs + gapMs },
    revisions: revisions.filter((revision) => revision.timeMs > revision.publishedMs),
    actualMs,
    reportedMs: reported(ctx, actualMs),
  };
}

/** A container move on land: at a terminal, a depot or the customer's site. */
export function landMilestone(
  ctx: MilestoneContext,
  port: Port,
  place: TransportCall['facilityTypeCode'],
  box: EventSubject,
  what: {
    sequence: number;
    code: 'GTIN' | 'GTOT' | 'STUF' | 'DROP' | 'INSP' | 'RSEA';
    load: 'EMPTY' | 'LADEN';
    actualMs: number;
    plan?: Milestone['plan'];
  },
): Milestone {
  const name =
    place === 'POTE'
      ? port.terminal
      : place === 'DEPO'
        ? `${port.name} Empty Depot`
        : `${port.name} Distribution Centre`;
  const location = place === 'POTE' ? terminalLocation(port) : inlandLocation(port, name);
  const facility =
    place === 'POTE'
      ? { facilityCode: port.facility, facilityCodeListProvider: 'SMDG' as const }
      : { otherFacility: name };
  const actualMs = wholeMinutes(what.actualMs);
  return {
    id: `${what.code}-${what.load}-${box.equipmentReference}`,
    subject: {
      ...box,
      equipmentEventTypeCode: what.code,
      emptyIndicatorCode: what.load,
      eventLocation: location,
      transportCall: {
        transportCallID: uuidOf(ctx.key, 'call', place, port.unlocode, what.code, what.load),
        modeOfTransport: 'TRUCK',
        transportCallSequenceNumber: what.sequence,
        UNLocationCode: port.unlocode,
        ...facility,
        facilityTypeCode: place,
        location,
      },
    },
    zone: port.zone,
    plan: what.plan ?? null,
    revisions: [],
    actualMs,
    reportedMs: reported(ctx, actualMs),
  };
}

/** A document's change of status. It happens when it is reported. */
export function documentMilestone(port: Port, atMs: number, subject: EventSubject): Milestone {
  const actualMs = wholeMinutes(atMs);
  return {
    id: `${subject.documentTypeCode}-${subject.shipmentEventTypeCode}`,
    subject,
    zone: port.zone,
    plan: null,
    revisions: [],
    actualMs,
    reportedMs: actualMs,
  };
}

function vesselCall(ctx: MilestoneContext, leg: Leg, sequence: number, port: Port): TransportCall {
  return {
    transportCallID: uuidOf(ctx.key, 'call', leg.vessel.imo, port.unlocode),
    modeOfTransport: 'VESSEL',
    transportCallSequenceNumber: sequence,
    UNLocationCode: port.unlocode,
    facilityCode: port.facility,
    facilityCodeListProvider: 'SMDG',
    facilityTypeCode: 'POTE',
    carrierServiceCode: leg.service,
    exportVoyageNumber: leg.exportVoyage,
    importVoyageNumber: leg.importVoyage,
    location: terminalLocation(port),
    vessel: {
      vesselIMONumber: leg.vessel.imo,
      vesselName: leg.vessel.name,
      vesselFlag: leg.vessel.flag,
      vesselCallSignNumber: leg.vessel.callSign,
      vesselOperatorCarrierCode: ctx.line.smdg,
      vesselOperatorCarrierCodeListProvider: 'SMDG',
    },
  };
}

function reported(ctx: MilestoneContext, actualMs: number): number {
  return actualMs + Math.round(createRandom(ctx.key, 'reported', String(actualMs)).between(240, 5400)) * 1000;
}
