import type { FastifyReply } from 'fastify';
import type { Fault } from './faults.ts';

type Rendered = Record<string, unknown>;

const errorPage = '<!DOCTYPE html><html><head><title>Service Unavailable</title></head><body><h1>We will be back soon</h1></body></html>';
/** A host that must never be called: a client that follows this link has a hole. */
const foreignLink = 'http://attacker.invalid/events?cursor=1';

/** The list of events as a faulty carrier would have it. */
export function disturbEvents(events: Rendered[], fault: Fault | null): Rendered[] {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) return events;
  if (fault?.kind === 'duplicates') return [...events, ...events];
  if (fault?.kind === 'shuffled') return events.map((_event, index) => events[(index * stepFor(events.length)) % events.length] ?? first);
  if (fault?.kind === 'vanished_event') return events.filter((event) => event !== lastActual(events));
  if (fault?.kind === 'unknown_event_type') return [{ ...last, eventType: 'WEATHER', weatherEventTypeCode: 'FOGG' }, ...events];
  if (fault?.kind === 'time_without_offset')
    return events.map((event) => ({ ...event, eventDateTime: String(event.eventDateTime).slice(0, 19) }));
  return events;
}

/** The cursor of the next page as a faulty carrier would give it. */
export function disturbLink(next: string | null, current: string, fault: Fault | null): string | null {
  if (fault?.kind === 'cursor_loop') return current;
  return fault?.kind === 'foreign_next_link' ? foreignLink : next;
}

/** The body as a faulty carrier would wrap it. */
export function disturbWrap(body: unknown, events: Rendered[], fault: Fault | null): unknown {
  return fault?.kind === 'wrapper_object' ? { metadata: { count: events.length }, data: { items: events } } : body;
}

/** Answers with the JSON text, or the way the fault says. */
export async function sendAnswer(reply: FastifyReply, body: string, fault: Fault | null, nowMs: number): Promise<FastifyReply> {
  switch (fault?.kind) {
    case 'too_many_requests':
      if (fault.retryAfter === 'seconds') reply.header('Retry-After', String(fault.seconds));
      if (fault.retryAfter === 'date') reply.header('Retry-After', new Date(nowMs + fault.seconds * 1000).toUTCString());
      return reply.code(429).send({ message: 'Too many requests' });
    case 'status':
      return reply.code(fault.status).send({ message: `Simulated ${fault.status}` });
    case 'html':
      return reply.type('text/html; charset=utf-8').send(errorPage);
    case 'invalid_json':
      return reply.type('application/json').send(`${body.slice(0, Math.max(1, Math.floor(body.length * 0.6)))}`);
    case 'empty_body':
      return reply.type('application/json').send('');
    case 'cut_connection':
      startRaw(reply, body);
      // The first half must have left before the cut, or nothing arrives at all.
      reply.raw.write(half(body), () => reply.raw.destroy());
      return reply;
    case 'slow_body':
      startRaw(reply, body);
      reply.raw.write(half(body));
      endLater(reply, body.slice(half(body).length), fault.ms);
      return reply;
    default:
      return reply.type(String(reply.getHeader('content-type') ?? 'application/json')).send(body);
  }
}

function startRaw(reply: FastifyReply, body: string): void {
  reply.hijack();
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
  reply.raw.writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
}

function endLater(reply: FastifyReply, rest: string, ms: number): void {
  const timer = setTimeout(() => reply.raw.end(rest), ms);
  reply.raw.once('close', () => clearTimeout(timer));
}

function half(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}

function lastActual(events: Rendered[]): Rendered | undefined {
  return events.findLast((event) => event.eventClassifierCode === 'ACT');
}

/** A step that visits every place of a list of this length once, out of order. */
function stepFor(length: number): number {
  let step = Math.floor(length * 0.618) || 1;
  while (commonDivisor(step, length) !== 1) step += 1;
  return step;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}
