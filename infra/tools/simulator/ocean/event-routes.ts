import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CarrierRoute } from '../carrier-route.ts';
import type { FaultWorld } from '../faults/fault-hooks.ts';
import type { FirstSeen } from '../first-seen.ts';
import { isFast } from '../voyages/clock.ts';
import type { Dialect } from './dialect.ts';
import { type EventQuery, pageCursor, type QueryTexts, readEventQuery } from './event-query.ts';
import type { KnownVoyages, VoyageRecord } from './known-voyages.ts';
import { oceanTruth } from './ocean-truth.ts';

/** Dependencies that the routes share. */
export type SimulatorWorld = FaultWorld & { known: KnownVoyages; firstSeen: FirstSeen };

/** Maximum number of voyages in the response to a query without a number. */
const voyagesWithoutNumber = 200;

/** Serves a carrier's list of events in its dialect. */
export function addEventRoute(app: FastifyInstance, world: SimulatorWorld, dialect: Dialect): void {
  const carrier: CarrierRoute = {
    connector: connectorOf(dialect),
    kind: 'events',
    numbers: (request) =>
      readEventQuery(queryTexts(request), dialect.style).query.asked.map(({ reference }) => reference),
    aliases: (number) => world.known.lookUp(number, dialect.scac).flatMap((record) => numbersOf(world, record)),
    truth: (number, nowMs) => {
      const [record] = world.known.lookUp(number, dialect.scac);
      return record ? oceanTruth(world.known.publishedAt(record, nowMs).filter(dialect.select)) : null;
    },
  };
  app.get(dialect.path, { config: { carrier } }, async (request, reply) => {
    const nowMs = world.now();
    reply.headers(dialect.headers);
    const { query, mistakes } = readEventQuery(queryTexts(request), dialect.style);
    const refusal = dialect.authenticate(request, nowMs) ?? dialect.check(request, query, mistakes, nowMs);
    if (refusal) return reply.code(refusal.status).send(refusal.body);

    const records = findRecords(world, query, dialect.scac);
    if (dialect.holdsS !== undefined)
      reply.header('Cache-Control', `max-age=${isFastAnswer(query, records) ? 0 : dialect.holdsS}`);
    const missing = query.asked.length > 0 && records.length === 0 ? dialect.notFound(request, nowMs) : null;
    if (missing) return reply.code(missing.status).send(missing.body);
    return sendPage(reply, { world, dialect, query, records });
  });
}

type PageInput = { world: SimulatorWorld; dialect: Dialect; query: EventQuery; records: VoyageRecord[] };

async function sendPage(reply: FastifyReply, input: PageInput): Promise<FastifyReply> {
  const { world, dialect, query, records } = input;
  const atMs = query.atMs ?? world.now();
  const all = records.flatMap((record) => world.known.publishedAt(record, atMs)).filter(dialect.select);
  const published = all.filter(query.matches);
  if (query.compare) published.sort(query.compare);

  const rendered = dialect.render(published, reply.request);
  const page = rendered.slice(query.offset, query.offset + query.limit);
  const more = query.offset + query.limit < rendered.length;
  if (dialect.style.cursor !== 'none') {
    const current = pageCursor(query, dialect.style, query.offset, atMs);
    reply.header('Current-Page', current);
    const next = more ? pageCursor(query, dialect.style, query.offset + query.limit, atMs) : null;
    if (next) reply.headers({ 'Next-Page': next, 'Next-Page-Cursor': next });
  }
  if (!more && published.length === all.length)
    reply.request.completeFor = query.asked.map(({ reference }) => reference);
  return reply.type('application/json').send(JSON.stringify(dialect.wrap(page)));
}

function findRecords(world: SimulatorWorld, query: EventQuery, scac: string | null): VoyageRecord[] {
  const [first] = query.asked;
  if (!first) return world.known.latest(voyagesWithoutNumber, scac);
  const record = world.known.find(first, scac);
  return record ? [record] : [];
}

function connectorOf({ path }: Dialect): string {
  return path.split('/')[2] ?? '';
}

function isFastAnswer(query: EventQuery, records: readonly VoyageRecord[]): boolean {
  return (records.length > 0 ? records : query.asked).some(({ reference }) => isFast(reference));
}

function numbersOf(world: SimulatorWorld, record: VoyageRecord): string[] {
  const { bl, booking, containers } = world.known.voyageOf(record).identifiers;
  return [bl, booking, ...containers];
}

function queryTexts(request: FastifyRequest): QueryTexts {
  const texts: QueryTexts = {};
  for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>))
    texts[name] = [value].flat().join(',');
  return texts;
}
