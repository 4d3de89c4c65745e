import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tokenRoute } from '../../carrier-route.ts';
import { type AccessTokens, tokenLifeS } from '../../token-route.ts';
import { hasQuirk } from '../parcel-at.ts';
import { type ParcelWorld, parcelRoute } from '../parcel-world.ts';
import { renderUpsPackages, type UpsImages } from './ups-shape.ts';

const path = '/sim/ups';

/**
 * UPS's token endpoint and Track v1: one number per call. An unknown number returns a warning inside a 200 or a 404,
 * always the same for a given number.
 */
export function addUpsRoutes(app: FastifyInstance, world: ParcelWorld): void {
  const { tokens } = world;
  app.post(`${path}/security/v1/oauth/token`, tokenRoute('ups'), async (request, reply) =>
    sendToken(request, reply, { tokens, nowMs: world.now() }),
  );

  const route = parcelRoute(world, 'ups', ({ params }) => [(params as { number: string }).number]);
  app.get<{ Params: { number: string } }>(`${path}/api/track/v1/details/:number`, route, async (request, reply) => {
    const { number } = request.params;
    const nowMs = world.now();
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!token || !tokens.isAlive(token, nowMs, 'ups'))
      return refuse(reply, 401, '250002', 'Invalid Authentication Information.');
    if (!request.headers.transid || !request.headers.transactionsrc)
      return refuse(reply, 400, 'TV1001', 'transId and transactionSrc are required');
    if (!/^[A-Za-z0-9]{7,34}$/.test(number)) return refuse(reply, 400, 'TV1002', 'Invalid inquiry number');

    const view = world.parcels.viewAt('ups', number, world.now());
    if (view === null && hasQuirk(0.5, 'ups 404', number))
      return refuse(reply, 404, 'TW0001', 'Tracking Information Not Found');
    const warnings = [{ code: 'TW0001', message: 'Tracking Information Not Found' }];
    const known = view === null ? { warnings } : { package: renderUpsPackages(view, imagesOf(request.query)) };
    request.completeFor = [number];
    return { trackResponse: { shipment: [{ inquiryNumber: number, ...known }] } };
  });
}

/** UPS returns images only on request. */
function imagesOf(query: unknown): UpsImages {
  const { returnSignature, returnPOD } = Object(query) as Record<string, unknown>;
  return { signature: returnSignature === 'true', pod: returnPOD === 'true' };
}

async function sendToken(
  request: FastifyRequest,
  reply: FastifyReply,
  context: { tokens: AccessTokens; nowMs: number },
): Promise<FastifyReply> {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const [id, secret] = Buffer.from(basic ?? '', 'base64')
    .toString()
    .split(':');
  const grant = (request.body as Record<string, string> | undefined)?.grant_type;
  if (grant !== 'client_credentials') return refuse(reply, 400, '10400', 'Invalid/Missing grant_type');
  if (!id || !secret || secret === 'wrong') return refuse(reply, 401, '10401', 'ClientId is Invalid');
  return reply.send({
    token_type: 'Bearer',
    issued_at: String(context.nowMs),
    client_id: id,
    access_token: context.tokens.issue(context.nowMs, id, 'ups'),
    expires_in: String(tokenLifeS),
    status: 'approved',
  });
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send({ response: { errors: [{ code, message }] } });
}
