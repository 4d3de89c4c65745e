import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type FreightWorld, freightRoute, playNow } from '../freight-world.ts';
import { localTime, utcTime } from '../voyages/local-time.ts';
import { type AirJourney, type AirMilestone, planAirJourney, weightOf } from './air-journey.ts';
import { airReportsAt, airTruth } from './air-reports.ts';

const querySchema = z.object({ aWBPrefix: z.string().regex(/^\d{3}$/), aWBNumber: z.string().regex(/^\d{8}$/) });
/** The statuses that this airline publishes. */
const publishedCodes = ['BKD', 'RCS', 'MAN', 'DEP', 'ARR', 'RCF', 'NFD', 'DLV', 'DDL', 'RCT', 'TFD', 'DIS'];
const planned = ['RCS', 'MAN', 'DEP', 'ARR', 'RCF', 'NFD', 'DLV'];

type Moment = { journey: AirJourney; startMs: number; virtualMs: number };

/** Lufthansa Cargo's shipment tracking. The key goes in the header `apikey`; the key `wrong` is rejected. */
export function addLufthansaCargoRoutes(app: FastifyInstance, world: FreightWorld): void {
  const play = (number: string) => playNow(world, 'air', number, (awb) => planAirJourney(world.seed, awb));
  const route = freightRoute('lufthansa-cargo', {
    numbers: (request) => numberOf(querySchema.safeParse(request.query).data),
    truth: (number) => {
      const played = play(number);
      return played === null ? null : airTruth(played, (code) => publishedCodes.includes(code.slice(0, 3)));
    },
  });
  app.get('/sim/lufthansa-cargo/lh/handling/shipment', route, async (request, reply) => {
    const key = request.headers.apikey;
    if (!key || key === 'wrong')
      return reply
        .code(401)
        .send({ fault: { faultstring: 'Invalid ApiKey', detail: { errorcode: 'oauth.v2.InvalidApiKey' } } });
    const query = querySchema.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ message: 'aWBPrefix and aWBNumber must be 3 and 8 digits' });
    const [number = ''] = numberOf(query.data);
    const played = play(number);
    if (played === null) return reply.code(404).send({ message: 'Shipment not found' });
    request.completeFor = [number];
    return { shipmentTrackingStatus: statusOf(played, milestonesAt(played)) };
  });
}

function numberOf(query: z.output<typeof querySchema> | undefined): string[] {
  return query ? [`${query.aWBPrefix}${query.aWBNumber}`] : [];
}

function statusOf(moment: Moment, milestones: Record<string, unknown>[]): Record<string, unknown> {
  const { journey, startMs, virtualMs } = moment;
  const events = happened(moment);
  const last = events.at(-1);
  const flying = airReportsAt(journey, startMs, virtualMs).findLast(
    ({ milestone, classifier }) =>
      classifier === 'estimated' && !(milestone.actual && startMs + milestone.actual.publishedMs <= virtualMs),
  );
  return {
    shipment: {
      shipmentId: {
        carrierNumericCode: journey.awb.slice(0, 3),
        aWBNumber: journey.awb.slice(3),
        isAWBNoCheckDigitUsed: 'true',
        aWBSequenceNumber: 1,
      },
      awbIssueStation: journey.origin.iata,
    },
    status: (last?.code ?? 'BKD').slice(0, 3),
    milestonePlan: { version: '0', milestones: { milestone: milestones } },
    booking: {
      product: {
        productName: 'td.Pro',
        productConditions: { productCode: 'YNZ', sPLList: { splCode: ['SPX', 'GEN'] } },
      },
      totals: totalsOf(journey, journey.pieces),
      originalTimeFrame: timeFrameOf(moment),
      origin: journey.origin.iata,
      destination: journey.destination.iata,
      bookingTime: utcTime(startMs),
      isSplitBooking: String(journey.isSplit),
      confirmationStatus: 'KK',
    },
    // One event is a plain object, no event is an empty string.
    events:
      events.length === 0
        ? ''
        : {
            event:
              events.length === 1 ? renderEvent(moment, events[0]) : events.map((each) => renderEvent(moment, each)),
          },
    ...(flying && {
      flightMovementDetails: {
        ...flightOf(flying.milestone, startMs),
        eta: localTime(flying.timeMs, flying.milestone.station.zone).slice(0, 19),
        etaUTC: utcTime(flying.timeMs),
      },
    }),
    shipmentStatusEvents: last
      ? { event: { category: last.flight ? 'F' : 'S', type: last.code.slice(0, 3), station: last.station.iata } }
      : '',
  };
}

/** The current plan, without flights that have been replaced. */
function milestonesAt(moment: Moment): Record<string, unknown>[] {
  const { journey, startMs, virtualMs } = moment;
  return journey.milestones
    .filter(({ code, plan, actual, withdrawnMs }) => {
      const isKnown = [plan, actual].some(
        (published) => published !== null && startMs + published.publishedMs <= virtualMs,
      );
      return planned.includes(code) && isKnown && !(withdrawnMs !== null && startMs + withdrawnMs <= virtualMs);
    })
    .map((milestone) => {
      const { code, station, plan, actual, pieces } = milestone;
      const isDone = actual !== null && startMs + actual.publishedMs <= virtualMs;
      return {
        type: code,
        station: station.iata,
        ...(plan && { plannedTime: utcTime(startMs + plan.timeMs) }),
        ...(isDone && { actualTime: utcTime(startMs + actual.timeMs) }),
        plannedTotals: totalsOf(journey, pieces),
        actualTotals: [{ ...totalsOf(journey, isDone ? pieces : 0), isComplete: String(isDone) }],
        ...flightField(milestone, startMs),
        events: isDone ? { event: [renderEvent(moment, milestone)] } : '',
      };
    });
}

function happened({ journey, startMs, virtualMs }: Moment): AirMilestone[] {
  return journey.milestones
    .filter(
      ({ code, actual }) =>
        publishedCodes.includes(code.slice(0, 3)) && actual !== null && startMs + actual.publishedMs <= virtualMs,
    )
    .sort((one, other) => (one.actual?.timeMs ?? 0) - (other.actual?.timeMs ?? 0));
}

function renderEvent({ journey, startMs }: Moment, milestone: AirMilestone | undefined): Record<string, unknown> {
  if (!milestone) return {};
  const { code, station, actual, pieces, flight } = milestone;
  return {
    type: code.slice(0, 3),
    station: station.iata,
    actualTime: utcTime(startMs + (actual?.timeMs ?? 0)),
    actualTotals: totalsOf(journey, pieces),
    category: flight ? 'F' : 'S',
    ...(code.startsWith('DIS_') && { classifier: code.slice(4) }),
  };
}

function totalsOf(journey: AirJourney, pieces: number): Record<string, unknown> {
  return { noOfPieces: String(pieces), weight: weightOf(journey, pieces) };
}

/** Latest acceptance and time of availability, as first planned. */
function timeFrameOf({ journey, startMs }: Moment): Record<string, string> {
  const first = (code: string) => journey.milestones.find((milestone) => milestone.code === code && milestone.plan);
  const [accepted, available] = [first('RCS')?.plan, first('NFD')?.plan];
  return {
    ...(accepted && { lAT: utcTime(startMs + accepted.timeMs) }),
    ...(available && { tOA: utcTime(startMs + available.timeMs) }),
  };
}

function flightField(milestone: AirMilestone, startMs: number): Record<string, unknown> {
  return milestone.flight === null ? {} : { flight: flightOf(milestone, startMs) };
}

function flightOf({ flight, plan, actual, station }: AirMilestone, startMs: number): Record<string, unknown> {
  const timeMs = startMs + (plan ?? actual ?? { timeMs: 0 }).timeMs;
  return {
    flightCarrierCode: flight?.slice(0, 2),
    flightNumber: flight?.slice(2),
    flightDate: localTime(timeMs, station.zone).slice(0, 10),
  };
}
