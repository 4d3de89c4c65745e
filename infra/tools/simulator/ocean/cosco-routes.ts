import { createHash, createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CarrierRoute } from '../carrier-route.ts';
import type { ReferenceKind } from '../voyages/identifiers.ts';
import { isPublishedByCosco, renderCoscoBill, renderCoscoContainer } from './cosco-shape.ts';
import type { SimulatorWorld } from './event-routes.ts';
import { oceanTruth } from './ocean-truth.ts';

const scac = 'COSU';
const kinds: Readonly<Record<string, ReferenceKind>> = { bl: 'bl', bkg: 'booking', cntr: 'container' };

/** The worker's settings for calls to the simulator. Another key may have any secret. */
const simulated = { key: 'simulated-key', secret: 'simulated-secret' };
const maxSkewMs = 120_000;

/**
 * COSCO's cargo tracking: one number per call, signed with HMAC, an unknown number as the type `none` inside a 200. The
 * key `wrong` is rejected.
 */
export function addCoscoRoute(app: FastifyInstance, world: SimulatorWorld): void {
  const carrier: CarrierRoute = {
    connector: 'cosco',
    kind: 'events',
    numbers: ({ params }) => [(params as { number: string }).number],
    aliases: (number) =>
      world.known.lookUp(number, scac).flatMap((record) => {
        const { bl, booking, containers } = world.known.voyageOf(record).identifiers;
        return [bl, booking, ...containers];
      }),
    truth: (number, nowMs) => {
      const [record] = world.known.lookUp(number, scac);
      return record ? oceanTruth(world.known.publishedAt(record, nowMs).filter(isPublishedByCosco)) : null;
    },
  };
  app.get<{ Params: { number: string }; Querystring: { numberType?: string } }>(
    '/sim/cosco/info/tracking/:number',
    { config: { carrier } },
    async (request, reply) => {
      if (!isSigned(request, world.now())) return reply.code(401).send({ message: 'HMAC signature does not match' });
      const { number } = request.params;
      const numberType = request.query.numberType ?? '';
      const kind = kinds[numberType];
      if (kind === undefined) return { code: 5400, message: 'numberType is not valid', data: null };
      const record = world.known.find({ kind, reference: number }, scac);
      if (record === null) return succeeded({ type: 'none', numberType: 'none', content: null });
      const voyage = world.known.voyageOf(record);
      const events = world.known.publishedAt(record, world.now()).filter(isPublishedByCosco);
      const content = kind === 'container' ? renderCoscoContainer(number, events) : renderCoscoBill(voyage, events);
      return succeeded({ type: numberType, numberType: kind === 'container' ? 'cntr' : 'both', content });
    },
  );
}

function succeeded(data: unknown): unknown {
  return { code: 0, message: 'success', data };
}

/**
 * True when the headers are complete, recent and of this request, and for the simulator's own key also correctly
 * signed.
 */
function isSigned(request: FastifyRequest, nowMs: number): boolean {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const [date, digest, id] = [header('x-coscon-date'), header('x-coscon-digest'), header('x-coscon-content-md5')];
  const stated = /^hmac username="([^"]+)",\s*algorithm="hmac-sha1",\s*headers="([^"]+)",\s*signature="([^"]+)"$/.exec(
    header('x-coscon-authorization'),
  );
  const emptyDigest = `SHA-256=${createHash('sha256').update('').digest('base64')}`;
  const isRecent = Math.abs(Date.parse(date) - nowMs) <= maxSkewMs;
  if (stated === null || !isRecent || digest !== emptyDigest || id === '' || header('x-coscon-hmac') !== id)
    return false;
  if (stated[2] !== 'X-Coscon-Date X-Coscon-Digest X-Coscon-Content-Md5 request-line') return false;
  if (stated[1] !== simulated.key) return stated[1] !== 'wrong';
  const line = `${request.method} ${request.url} HTTP/1.1`;
  const signed = `X-Coscon-Date: ${date}\nX-Coscon-Digest: ${digest}\nX-Coscon-Content-Md5: ${id}\n${line}`;
  return createHmac('sha1', simulated.secret).update(signed).digest('base64') === stated[3];
}
