import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tokenRoute } from '../carrier-route.ts';
import { type FreightWorld, freightRoute, type PlayedNow, playNow } from '../freight-world.ts';
import { tokenLifeS } from '../token-route.ts';
import { localTime, utcTime } from '../voyages/local-time.ts';
import { numberOf, uuidOf } from '../voyages/random.ts';
import { type AirJourney, planAirJourney, weightOf } from './air-journey.ts';
import { type AirReport, airReportsAt, airTruth } from './air-reports.ts';
import { basePath, kilograms, location, objectIri, shipment, waybill } from './one-record-objects.ts';
import { stationByCode } from './stations.ts';

const contentType = 'application/ld+json; version=2.3.0';
const context = { cargo: 'https://onerecord.iata.org/ns/cargo#', api: 'https://onerecord.iata.org/ns/api#' };
const statusCodes = 'https://onerecord.iata.org/ns/code-lists/StatusCode#';

const formSchema = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
});
const timestamp = z
  .string()
  .regex(/^\d{8}T\d{6}Z$/)
  .transform((text) =>
    Date.parse(text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z')),
  );
const querySchema = z.object({
  'event-code': z.string().optional(),
  'created-after': timestamp.optional(),
  'created-before': timestamp.optional(),
  'occurred-after': timestamp.optional(),
  'occurred-before': timestamp.optional(),
  sort: z.enum(['ASC-creationDate', 'DESC-creationDate', 'ASC-eventDate', 'DESC-eventDate']).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100),
  skip: z.coerce.number().int().min(0).default(0),
});

const names: Readonly<Record<string, string>> = {
  BKD: 'Booked on flight',
  MAN: 'Manifested on flight',
  DEP: 'Departed on flight',
  ARR: 'Arrived on flight',
  RCF: 'Received from flight',
};

/**
 * A ONE Record server (API 2.3.0): `HEAD` and `GET …/logistics-events` of an air waybill, the waybill itself with
 * its shipment, and the airports that its events reference. Requires a bearer token from `/sim/one-record/oauth/token`.
 */
export function addOneRecordRoutes(app: FastifyInstance, world: FreightWorld): void {
  app.post(`${basePath}/oauth/token`, tokenRoute('one-record'), async (request, reply) => {
    const form = formSchema.safeParse(request.body);
    if (!form.success) return reply.code(400).send({ error: 'invalid_request' });
    if (form.data.client_secret === 'wrong') return reply.code(401).send({ error: 'invalid_client' });
    return reply.header('Cache-Control', 'no-store').send({
      access_token: world.tokens.issue(world.now(), form.data.client_id),
      token_type: 'Bearer',
      expires_in: tokenLifeS,
    });
  });
  const route = freightRoute('one-record', {
    numbers: ({ params }) =>
      playWaybill(world, (params as { id: string }).id) ? [awbOf((params as { id: string }).id)] : [],
    truth: (number) => {
      const played = playNow(world, 'air', number, (awb) => planAirJourney(world.seed, awb));
      return played === null ? null : airTruth(played, () => true);
    },
  });
  // Fastify answers HEAD on every GET route.
  app.get<{ Params: { id: string } }>(
    `${basePath}/logistics-objects/:id/logistics-events`,
    route,
    async (request, reply) => {
      if (!isSignedIn(world, request)) return sendError(reply, 401, 'Not authenticated');
      const played = playWaybill(world, request.params.id);
      const query = querySchema.safeParse(request.query);
      if (played === null) return sendError(reply, 404, 'Logistics Object not found');
      if (!query.success) return sendError(reply, 400, 'Invalid query');
      const reports = airReportsAt(played.journey, played.startMs, played.virtualMs);
      const newestMs = Math.max(played.startMs, ...reports.map((report) => report.publishedMs));
      reply.headers({
        'Content-Type': contentType,
        'Last-Modified': new Date(Math.min(world.now(), played.realMs(newestMs))).toUTCString(),
        Date: new Date(world.now()).toUTCString(),
      });
      const chosen = choose(reports, query.data);
      const page = chosen.slice(query.data.skip, query.data.skip + query.data.limit);
      if (
        request.method === 'GET' &&
        chosen.length === reports.length &&
        query.data.skip + page.length === chosen.length
      )
        request.completeFor = [played.journey.awb];
      const items = page.map((report) => renderEvent(request, played.journey, report));
      const collection = {
        '@context': context,
        '@id': `${objectIri(request, request.params.id)}/logistics-events`,
        '@type': 'api:Collection',
        'api:hasTotalItems': chosen.length,
        // As published: a list for two or more, a single object for one, nothing for none.
        ...(items.length === 0 ? {} : { 'api:hasItem': items.length === 1 ? items[0] : items }),
      };
      return reply.send(JSON.stringify(collection));
    },
  );
  const objectRoute = freightRoute('one-record', { kind: 'object', numbers: () => [] });
  app.get<{ Params: { id: string } }>(`${basePath}/logistics-objects/:id`, objectRoute, async (request, reply) => {
    if (!isSignedIn(world, request)) return sendError(reply, 401, 'Not authenticated');
    const { id } = request.params;
    const airport = stationByCode.get(id.replace(/^airport-/, ''));
    const played = playWaybill(world, id.replace(/^shipment-(\d{3})(\d{8})$/, 'waybill-$1-$2'));
    if (!airport && played === null) return sendError(reply, 404, 'Logistics Object not found');
    const render = id.startsWith('shipment-') ? shipment : waybill;
    const object = airport ? location(airport) : played ? render(request, played.journey) : {};
    return reply
      .headers({ 'Content-Type': contentType })
      .send(JSON.stringify({ '@context': context, '@id': objectIri(request, id), ...object }));
  });
}

/** The air waybill (11 digits) in a logistics object's id. */
function awbOf(id: string): string {
  return id.replace(/\D/g, '');
}

function playWaybill(world: FreightWorld, id: string): PlayedNow<AirJourney> | null {
  const [, prefix, number] = /^waybill-(\d{3})-(\d{8})$/.exec(id) ?? [];
  return prefix && number
    ? playNow(world, 'air', `${prefix}${number}`, (awb) => planAirJourney(world.seed, awb))
    : null;
}

function isSignedIn(world: FreightWorld, request: FastifyRequest): boolean {
  return world.tokens.isAlive(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '', world.now());
}

function choose(reports: AirReport[], query: z.output<typeof querySchema>): AirReport[] {
  const codes = query['event-code']?.split(',');
  const within = (ms: number, after: number | undefined, before: number | undefined) =>
    ms >= (after ?? ms) && ms <= (before ?? ms);
  const chosen = reports.filter(
    (report) =>
      (codes?.includes(report.milestone.code) ?? true) &&
      within(report.publishedMs, query['created-after'], query['created-before']) &&
      within(report.timeMs, query['occurred-after'], query['occurred-before']),
  );
  const key = query.sort?.endsWith('eventDate') ? 'timeMs' : 'publishedMs';
  const sign = query.sort?.startsWith('DESC') ? -1 : 1;
  return query.sort ? chosen.sort((one, other) => sign * (one[key] - other[key])) : chosen;
}

function renderEvent(
  request: FastifyRequest,
  journey: AirJourney,
  { milestone, classifier, timeMs, publishedMs }: AirReport,
): Record<string, unknown> {
  const { code, station, flight, pieces } = milestone;
  const id = uuidOf(
    journey.key,
    code,
    station.iata,
    flight ?? '',
    classifier,
    String(timeMs - publishedMs),
    String(pieces),
  );
  const habit = (kinds: number, name: string) => numberOf(kinds, name, id);
  const type = classifier.toUpperCase();
  const named = names[code];
  // The count is mandatory for a part.
  const isCounted = pieces < journey.pieces || habit(2, 'counted') === 0;
  const awb = `waybill-${journey.awb.slice(0, 3)}-${journey.awb.slice(3)}`;
  return {
    '@id': `${objectIri(request, awb)}/logistics-events/${id}`,
    '@type': isCounted ? 'cargo:StatusUpdateEvent' : 'cargo:LogisticsEvent',
    'cargo:creationDate': dateTime(utcTime(publishedMs)),
    'cargo:eventDate': dateTime(habit(3, 'local') === 0 ? localTime(timeMs, station.zone) : utcTime(timeMs)),
    'cargo:eventCode': { '@id': `${statusCodes}${code}` },
    'cargo:eventName': named && flight ? `${named} ${flight}` : `${code} at ${station.iata}`,
    'cargo:eventTimeType': habit(2, 'type') === 0 ? type : { '@id': `cargo:${type}`, '@type': 'cargo:EventTimeType' },
    'cargo:partialEventIndicator': pieces < journey.pieces,
    ...(isCounted && {
      'cargo:recordedPieceCount': pieces,
      'cargo:recordedWeight': kilograms(weightOf(journey, pieces)),
    }),
    'cargo:eventFor':
      flight && habit(2, 'about') === 0
        ? { '@type': 'cargo:TransportMovement', 'cargo:transportIdentifier': flight }
        : { '@type': 'cargo:Shipment', '@id': objectIri(request, `shipment-${journey.awb}`) },
    'cargo:eventLocation':
      habit(4, 'place') === 0
        ? { '@type': 'cargo:Location', '@id': objectIri(request, `airport-${station.iata}`) }
        : location(station),
  };
}

function dateTime(value: string): Record<string, string> {
  return { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': value };
}

function sendError(reply: FastifyReply, status: number, title: string): FastifyReply {
  const detail = { '@type': 'api:ErrorDetail', 'api:hasCode': String(status), 'api:hasMessage': title };
  return reply
    .code(status)
    .headers({ 'Content-Type': contentType })
    .send(
      JSON.stringify({
        '@context': context,
        '@type': 'api:Error',
        'api:hasTitle': title,
        'api:hasErrorDetail': [detail],
      }),
    );
}
