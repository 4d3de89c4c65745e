import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type FreightWorld, freightRoute, playNow } from '../freight-world.ts';
import { localTime, utcTime } from '../voyages/local-time.ts';
import { type AirJourney, type AirMilestone, planAirJourney } from './air-journey.ts';
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
      totals: { noOfPieces: String(journey.pieces), weight: journey.pieces * 12.5 },
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
              events.length === 1 ? renderEvent(events[0], startMs) : events.map((each) => renderEvent(each, startMs)),
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
function milestonesAt({ journey, startMs, virtualMs }: Moment): Record<string, unknown>[] {
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
        plannedTotals: { noOfPieces: String(pieces), weight: pieces * 12.5 },
        actualTotals: [
          { noOfPieces: isDone ? String(pieces) : '0', weight: isDone ? pieces * 12.5 : 0, isComplete: String(isDone) },
        ],
        ...flightField(milestone, startMs),
        events: isDone ? { event: [renderEvent(milestone, startMs)] } : '',
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

function renderEvent(milestone: AirMilestone | undefined, startMs: number): Record<string, unknown> {
  if (!milestone) return {};
  const { code, station, actual, pieces, flight } = milestone;
  return {
    type: code.slice(0, 3),
    station: station.iata,
    actualTime: utcTime(startMs + (actual?.timeMs ?? 0)),
    actualTotals: { noOfPieces: String(pieces), weight: pieces * 12.5 },
    category: flight ? 'F' : 'S',
    ...(code.startsWith('DIS_') && { classifier: code.slice(4) }),
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
