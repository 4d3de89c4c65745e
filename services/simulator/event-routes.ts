import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from './dialect.ts';
import { type EventQuery, pageCursor, type QueryTexts, readEventQuery } from './event-query.ts';
import { disturbEvents, disturbLink, disturbWrap, sendAnswer } from './fault-effects.ts';
import type { Fault, FaultScript } from './faults.ts';
import type { FirstSeen } from './first-seen.ts';
import type { KnownVoyages, VoyageRecord } from './known-voyages.ts';
import { isFast } from './voyages/clock.ts';

/** What the routes share. */
export type SimulatorWorld = { known: KnownVoyages; firstSeen: FirstSeen; faults: FaultScript; now: () => number };

/** Voyages that a query without any number is answered from. */
const voyagesWithoutNumber = 200;

/** Serves a carrier's list of events in its dialect. */
export function addEventRoute(app: FastifyInstance, world: SimulatorWorld, dialect: Dialect): void {
  app.get(dialect.path, async (request, reply) => {
    const nowMs = world.now();
    reply.headers(dialect.headers);
    const { query, mistakes } = readEventQuery(queryTexts(request), dialect.style);
    for (const { reference } of query.asked) world.faults.countServed(reference);

    const refusal = dialect.authenticate(request, nowMs) ?? dialect.check(request, query, mistakes, nowMs);
    if (refusal) return reply.code(refusal.status).send(refusal.body);

    const records = findRecords(world, query, dialect.scac);
    const references = [...query.asked.map((asked) => asked.reference), ...records.flatMap((record) => numbersOf(world, record))];
    const fault = query.asked.length > 0 ? world.faults.take(references) : null;
    if (fault?.kind === 'hold') await world.faults.hold(references);

    if (dialect.holdsS !== undefined) reply.header('Cache-Control', `max-age=${isFastAnswer(query, records) ? 0 : dialect.holdsS}`);
    const missing = query.asked.length > 0 && records.length === 0 ? dialect.notFound(request, nowMs) : null;
    if (missing) return reply.code(missing.status).send(missing.body);
    return sendPage(reply, { world, dialect, query, records, fault });
  });
}

type PageInput = { world: SimulatorWorld; dialect: Dialect; query: EventQuery; records: VoyageRecord[]; fault: Fault | null };

async function sendPage(reply: FastifyReply, input: PageInput): Promise<FastifyReply> {
  const { world, dialect, query, records, fault } = input;
  const atMs = query.atMs ?? world.now();
  const published = records
    .flatMap((record) => world.known.publishedAt(record, atMs))
    .filter((event) => dialect.select(event) && query.matches(event));
  if (query.compare) published.sort(query.compare);

  const rendered = disturbEvents(dialect.render(published, reply.request), fault);
  const page = rendered.slice(query.offset, query.offset + query.limit);
  const more = query.offset + query.limit < rendered.length;
  if (dialect.style.cursor !== 'none') {
    const current = pageCursor(query, dialect.style, query.offset, atMs);
    const next = disturbLink(more ? pageCursor(query, dialect.style, query.offset + query.limit, atMs) : null, current, fault);
    reply.header('Current-Page', current);
    if (next) reply.headers({ 'Next-Page': next, 'Next-Page-Cursor': next });
  }
  const body = JSON.stringify(disturbWrap(dialect.wrap(page), page, fault));
  return sendAnswer(reply, body, fault, world.now());
}

function findRecords(world: SimulatorWorld, query: EventQuery, scac: string | null): VoyageRecord[] {
  const [first] = query.asked;
  if (!first) return world.known.latest(voyagesWithoutNumber);
  const record = world.known.find(first, scac);
  return record ? [record] : [];
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
  for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>)) texts[name] = [value].flat().join(',');
  return texts;
}
