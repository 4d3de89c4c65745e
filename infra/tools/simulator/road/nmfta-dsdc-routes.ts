import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Truth } from '../carrier-route.ts';
import { type FreightWorld, freightRoute, type PlayedNow, playNow } from '../freight-world.ts';
import { proofPdf } from '../parcels/proof-images.ts';
import { localTime, utcTime } from '../voyages/local-time.ts';
import { numberOf, uuidOf } from '../voyages/random.ts';
import type { City } from './cities.ts';
import { planRoadJourney, type RoadJourney, type RoadMilestone } from './road-journey.ts';

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const querySchema = z.object({
  shipmentId: z.string().min(1).max(100),
  eventTypes: z.union([z.string(), z.array(z.string())]).optional(),
  occurredFrom: instant.optional(),
  occurredTo: instant.optional(),
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(500).default(100),
  order: z.enum(['asc', 'desc']).default('asc'),
});

/**
 * In-Transit Visibility 1.0.0-public-preview: `GET /v1/events` of one shipment. The key goes in the header `x-api-key`;
 * the key `wrong` is rejected. A number that contains `404` has no events.
 */
export function addNmftaDsdcRoutes(app: FastifyInstance, world: FreightWorld): void {
  const play = (number: string) => playNow(world, 'road', number, (plain) => planRoadJourney(world.seed, plain));
  const route = freightRoute('nmfta-dsdc', {
    numbers: ({ query }) => querySchema.safeParse(query).data?.shipmentId ?? [],
    truth: (number) => {
      const played = play(number);
      return played === null ? null : roadTruth(played);
    },
  });
  addProofRoute(app, play);
  app.get('/sim/nmfta-dsdc/v1/events', route, async (request, reply) => {
    if (!isSignedIn(request))
      return sendProblem(reply, request, 401, 'Unauthorized', 'The API key is missing or wrong');
    const parsed = querySchema.safeParse(request.query);
    if (!parsed.success) return sendProblem(reply, request, 400, 'Bad Request', z.prettifyError(parsed.error));
    const query = parsed.data;
    const played = play(query.shipmentId);
    const types = query.eventTypes === undefined ? null : [query.eventTypes].flat().flatMap((text) => text.split(','));
    const reports = played === null ? [] : reportsOf(played);
    const events = reports.filter(
      ({ milestone: { type, atMs } }) =>
        (types?.includes(type) ?? true) &&
        (played?.startMs ?? 0) + atMs >= (query.occurredFrom ?? Number.NEGATIVE_INFINITY) &&
        (played?.startMs ?? 0) + atMs < (query.occurredTo ?? Number.POSITIVE_INFINITY),
    );
    if (query.order === 'desc') events.reverse();
    const page = events.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
    const isLast = query.page * query.pageSize >= events.length;
    if (isLast && events.length === reports.length) request.completeFor = [query.shipmentId];
    return {
      data:
        played === null
          ? []
          : page.map((event) => renderEvent(played, query.shipmentId, event, proofUrlOf(request, query.shipmentId))),
      page: query.page,
      pageSize: query.pageSize,
      totalPages: Math.ceil(events.length / query.pageSize),
      totalCount: events.length,
    };
  });
}

const proofPath = '/sim/nmfta-dsdc/v1/documents';

/** The proof of delivery, at the carrier's own address and with the same key. */
function addProofRoute(app: FastifyInstance, play: (number: string) => PlayedNow<RoadJourney> | null): void {
  const route = freightRoute('nmfta-dsdc', {
    kind: 'object',
    numbers: ({ params }) => (params as { number: string }).number,
  });
  app.get<{ Params: { number: string } }>(`${proofPath}/:number`, route, async (request, reply) => {
    const { number } = request.params;
    if (!isSignedIn(request))
      return sendProblem(reply, request, 401, 'Unauthorized', 'The API key is missing or wrong');
    const played = play(number);
    const proof = played && reportsOf(played).find(({ milestone }) => milestone.type === 'PROOF_OF_DELIVERY');
    if (!played || !proof) return sendProblem(reply, request, 404, 'Not Found', 'There is no proof of delivery');
    const { atMs, city, facility } = proof.milestone;
    const { pieces, weightLb } = played.journey;
    return reply
      .type('application/pdf')
      .send(
        proofPdf([
          'Proof of delivery',
          `Shipment ${number}: ${pieces} pieces, ${weightLb} lb`,
          `${facility}, ${localTime(played.startMs + atMs, city.zone)}`,
        ]),
      );
  });
}

function proofUrlOf(request: FastifyRequest, number: string): string {
  return `${request.protocol}://${request.host}${proofPath}/${encodeURIComponent(number)}`;
}

function isSignedIn({ headers }: FastifyRequest): boolean {
  const key = headers['x-api-key'];
  return key !== undefined && key !== '' && key !== 'wrong';
}

type Report = { milestone: RoadMilestone; sequence: number };

function reportsOf({ journey, startMs, virtualMs }: PlayedNow<RoadJourney>): Report[] {
  return journey.milestones
    .map((milestone, sequence) => ({ milestone, sequence }))
    .filter(({ milestone }) => startMs + milestone.reportedMs <= virtualMs);
}

function renderEvent(
  { journey, startMs, virtualMs }: PlayedNow<RoadJourney>,
  shipmentId: string,
  { milestone, sequence }: Report,
  proofUrl: string,
): Record<string, unknown> {
  const { type, city, facility, notes } = milestone;
  const eventId = uuidOf(journey.key, type, String(sequence));
  const occurredMs = startMs + milestone.atMs;
  const deliveryPlan = journey.deliveryPlans.findLast(({ publishedMs }) => startMs + publishedMs <= virtualMs);
  return {
    eventId,
    type,
    occurredAt: numberOf(2, 'offset', eventId) === 0 ? localTime(occurredMs, city.zone) : utcTime(occurredMs),
    reportedAt: utcTime(startMs + milestone.reportedMs),
    sequence,
    location: locationOf(city, facility),
    ...(notes === null ? {} : { notes }),
    attributes: attributesOf(journey, milestone, startMs),
    ...(type === 'PROOF_OF_DELIVERY' && {
      documents: [{ type: 'POD', url: proofUrl, mimeType: 'application/pdf' }],
    }),
    shipment: {
      shipmentId,
      mode: 'LTL',
      scac: 'EXLA',
      references: [{ type: 'PO', value: `PO-${numberOf(1_000_000, journey.key)}` }],
      requestedPickupDate: utcTime(startMs + journey.pickupRequestedMs),
      startDate: utcTime(startMs + journey.pickupPlannedMs),
      ...(deliveryPlan && { endDate: utcTime(startMs + deliveryPlan.timeMs) }),
      origin: locationOf(journey.origin, `${journey.origin.city} Plant`),
      destination: locationOf(journey.destination, `${journey.destination.city} Store`),
    },
  };
}

/** The open attributes. Their names are those of the council's bill of lading; the standard has none. */
function attributesOf(
  journey: RoadJourney,
  { type, city, notes, reportedMs }: RoadMilestone,
  startMs: number,
): Record<string, unknown> {
  const isHandover = type === 'PICKED_UP' || type === 'DELIVERED';
  const appointment = journey.appointments.find(({ publishedMs }) => publishedMs === reportedMs);
  const timeOf = (ms: number) => localTime(startMs + ms, city.zone);
  return {
    terminalCode: city.city.slice(0, 3).toUpperCase(),
    ...(notes === null ? {} : { reasonCode: type === 'DELAY' && notes === 'Severe weather' ? 'WEA' : 'NRC' }),
    ...(isHandover && { pieces: journey.pieces, grossWeight: journey.weightLb, weightUnit: 'Pounds' }),
    ...(type === 'OUT_FOR_DELIVERY' &&
      appointment && {
        appointmentDetails: { delivery: { start: timeOf(appointment.startMs), end: timeOf(appointment.endMs) } },
      }),
  };
}

function locationOf({ zone: _zone, ...city }: City, name: string): Record<string, unknown> {
  return { name, type: 'FACILITY', ...city };
}

function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  status: number,
  title: string,
  detail: string,
): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title, status, detail, instance: request.url }));
}

/** The actual events of a road shipment. */
function roadTruth({ journey, startMs, virtualMs }: PlayedNow<RoadJourney>): Truth {
  const done = journey.milestones.filter(({ reportedMs }) => startMs + reportedMs <= virtualMs);
  const has = (type: string, city?: string) =>
    done.some((each) => each.type === type && (city === undefined || each.city.city === city));
  const status = has('DELIVERED')
    ? 'delivered'
    : has('OUT_FOR_DELIVERY')
      ? 'out_for_delivery'
      : has('ARRIVED_AT_TERMINAL', journey.destination.city)
        ? 'arrived'
        : has('PICKED_UP')
          ? 'in_transit'
          : done.length > 0
            ? 'booked'
            : 'pending';
  const events = done.map(({ type, city, atMs }) => ({
    code: type,
    at: new Date(startMs + atMs).toISOString(),
    place: city.city,
    container: null,
  }));
  return { status, events };
}
