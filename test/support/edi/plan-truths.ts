import { planAirJourney } from '#infra/tools/simulator/air/air-journey.ts';
import { planRoadJourney } from '#infra/tools/simulator/road/road-journey.ts';
import { localTime } from '#infra/tools/simulator/voyages/local-time.ts';
import { planVoyage } from '#infra/tools/simulator/voyages/voyage.ts';
import { awbCheckDigit } from '#shared/domain/registration/check-digits.ts';
import { type Kind, kinds, type Move, type Statement, type Truth } from './statement.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Voyages take some fifty days. */
const voyageStartMs = Date.UTC(2025, 1, 3, 7, 20);

/** Moves of a container and a vessel by the simulator's codes: at sea, and where the same legs are trains. */
const atSea: Readonly<Record<string, Move>> = {
  DEPA: 'vessel left',
  ARRI: 'vessel came',
  LOAD: 'put on vessel',
  DISC: 'taken off vessel',
  'GTIN LADEN': 'gated in full',
  'GTOT LADEN': 'gated out full',
  'GTOT EMPTY': 'picked empty',
  'GTIN EMPTY': 'given back empty',
  'HOLD CUS': 'held by customs',
  'RELS CUS': 'cleared by customs',
};
const onRails: Readonly<Record<string, Move>> = {
  ...atSea,
  DEPA: 'train left',
  ARRI: 'train came',
  LOAD: 'put on train',
  DISC: 'taken off train',
};

const roadMoves: Readonly<Record<string, Move>> = {
  PICKED_UP: 'collected',
  ARRIVED_AT_TERMINAL: 'came to terminal',
  DEPARTED_TERMINAL: 'left terminal',
  IN_TRANSIT: 'on its way',
  DELAY: 'late',
  CUSTOMS_HOLD: 'held by customs',
  CUSTOMS_CLEARED: 'cleared by customs',
  DELIVERY_ATTEMPTED: 'tried in vain',
  DELIVERED: 'handed over',
};

const airMoves: Readonly<Record<string, Move>> = {
  BKD: 'booked',
  RCS: 'received',
  MAN: 'listed',
  DEP: 'flown out',
  ARR: 'flown in',
  RCF: 'off the plane',
  NFD: 'papers notified',
  CCD: 'cleared by customs',
  DLV: 'handed over',
};

/**
 * Journeys of the simulator, as many of each kind, with at least `count` statements together. `nowMs`: air journeys end
 * before it, because their messages have no year.
 */
export function planTruths(seed: string, count: number, nowMs: number): Truth[] {
  const truths: Truth[] = [];
  const reported = new Map<Kind, number>();
  for (let index = 0; ; index++) {
    const kind = kinds[index % kinds.length] ?? '315';
    if (kinds.every((each) => (reported.get(each) ?? 0) >= count / kinds.length)) return truths;
    if ((reported.get(kind) ?? 0) >= count / kinds.length) continue;
    const truth = planTruth(seed, kind, index, nowMs);
    truths.push(truth);
    reported.set(kind, (reported.get(kind) ?? 0) + truth.statements.length);
  }
}

function planTruth(seed: string, kind: Kind, index: number, nowMs: number): Truth {
  const serial = String(index).padStart(6, '0');
  if (kind === '214') return planRoad(seed, `${seed}${serial}`);
  if (kind === 'FSU') return planAir(seed, index, nowMs);
  return planSea(seed, kind, `${seed}${serial}`);
}

function planSea(seed: string, kind: '315' | '322' | 'IFTSTA', number: string): Truth {
  const voyage = planVoyage(seed, 'MAEU', 'bl', number);
  // One container: a message names one.
  const [container = ''] = voyage.identifiers.containers;
  const moves = kind === '322' ? onRails : atSea;
  const statements = voyage.milestones.flatMap(({ subject, actualMs, withdrawnMs, zone }): Statement[] => {
    const { transportCall: call, equipmentReference: box, eventLocation } = subject;
    const code =
      subject.transportEventTypeCode ??
      subject.equipmentEventTypeCode ??
      `${subject.shipmentEventTypeCode} ${subject.documentTypeCode}`;
    const move = moves[code] ?? moves[`${code} ${subject.emptyIndicatorCode}`];
    const port = eventLocation?.UNLocationCode ?? call?.UNLocationCode ?? lastPortOf(voyage.milestones);
    if (move === undefined || withdrawnMs !== undefined || (box !== undefined && box !== container)) return [];
    const onVessel = call?.vessel !== undefined && kind !== '322';
    const vessel = onVessel
      ? {
          imo: call.vessel?.vesselIMONumber ?? '',
          name: call.vessel?.vesselName ?? '',
          voyage: call.exportVoyageNumber ?? '',
        }
      : null;
    return [{ move, atMs: voyageStartMs + actualMs, spot: { port, zone }, container, vessel, flight: null }];
  });
  if (kind !== '322') expectArrival(statements);
  const registration =
    kind === '322'
      ? { transport_mode: 'rail', carrier: 'OWN', identifiers: { waybill: number }, tracking: { mode: 'pushed' } }
      : { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: number } };
  return { kind, number, registration, statements: oneOfEach(statements) };
}

/** On its last leg, the vessel is expected at the port of discharge, five hours before it comes. */
function expectArrival(statements: Statement[]): void {
  const departure = statements.findLast(({ move }) => move === 'vessel left');
  const arrival = statements.findLast(({ move }) => move === 'vessel came');
  if (departure !== undefined && arrival !== undefined)
    departure.next = { atMs: arrival.atMs - 5 * hourMs, spot: arrival.spot };
}

/** Customs act where the voyage ends. */
function lastPortOf(milestones: ReturnType<typeof planVoyage>['milestones']): string {
  const arrivals = milestones.filter(({ subject }) => subject.transportEventTypeCode === 'ARRI');
  return arrivals.at(-1)?.subject.transportCall?.UNLocationCode ?? 'NLRTM';
}

function planRoad(seed: string, number: string): Truth {
  const statements = planRoadJourney(seed, number).milestones.flatMap(({ type, city, atMs }): Statement[] => {
    const move = roadMoves[type];
    const spot = { city: city.city, state: city.state, country: city.country, zone: city.zone };
    return move === undefined
      ? []
      : [{ move, atMs: voyageStartMs + atMs, spot, container: null, vessel: null, flight: null }];
  });
  const registration = {
    transport_mode: 'road',
    carrier: 'OWN',
    identifiers: { pro: number },
    tracking: { mode: 'pushed' },
  };
  return { kind: '214', number, registration, statements: oneOfEach(statements) };
}

function planAir(seed: string, index: number, nowMs: number): Truth {
  const serial = String(1_000_000 + index);
  const awb = `020${serial}${awbCheckDigit(`020${serial}`)}`;
  const journey = planAirJourney(seed, awb);
  const startMs = Math.floor((nowMs - journey.durationMs - 20 * dayMs) / 60_000) * 60_000;
  const statements = journey.milestones.flatMap(({ code, station, actual, flight, pieces }): Statement[] => {
    const move = airMoves[code];
    // Parts of a shipment need their pieces, which rows don't have.
    if (move === undefined || actual === null || pieces !== journey.pieces) return [];
    const spot = { airport: station.iata, zone: station.zone };
    const onFlight = ['listed', 'flown out', 'flown in', 'off the plane'].includes(move);
    return [
      { move, atMs: startMs + actual.timeMs, spot, container: null, vessel: null, flight: onFlight ? flight : null },
    ];
  });
  const number = `${awb.slice(0, 3)}-${awb.slice(3)}`;
  return {
    kind: 'FSU',
    number,
    registration: { transport_mode: 'air', carrier: 'LH', identifiers: { awb: number } },
    statements: oneOfEach(statements),
  };
}

/**
 * Two statements that say the same are one. Where clocks are put back, a local time has two meanings: messages can't
 * determine which, so nothing happens then.
 */
function oneOfEach(statements: readonly Statement[]): Statement[] {
  const reported = statements.filter(({ atMs, spot: { zone } }) => {
    const at = (ms: number) => localTime(ms, zone).slice(0, 16);
    return at(atMs) !== at(atMs + hourMs) && at(atMs) !== at(atMs - hourMs);
  });
  return [...new Map(reported.map((each) => [JSON.stringify(each), each])).values()].sort(
    (left, right) => left.atMs - right.atMs,
  );
}
