import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { disturbWrap, sendAnswer } from '../fault-effects.ts';
import { type AccessTokens, createAccessTokens, tokenLifeS } from '../token-route.ts';
import { hasHabit } from './parcel-at.ts';
import type { ParcelWorld } from './parcel-routes.ts';
import { renderUpsPackage } from './ups-shape.ts';

const path = '/sim/ups';

/** UPS's token endpoint and Track v1: one number a call; an unknown one is a warning inside a 200, or a 404, always the same. */
export function addUpsRoutes(app: FastifyInstance, world: ParcelWorld): void {
  const tokens = createAccessTokens(`${world.seed} ups`);
  app.post(`${path}/security/v1/oauth/token`, async (request, reply) => sendToken(request, reply, { tokens, nowMs: world.now() }));

  app.get<{ Params: { number: string } }>(`${path}/api/track/v1/details/:number`, async (request, reply) => {
    const { number } = request.params;
    const nowMs = world.now();
    world.faults.countServed(number);
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!token || !tokens.isAlive(token, nowMs)) return refuse(reply, 401, '250002', 'Invalid Authentication Information.');
    if (!request.headers.transid || !request.headers.transactionsrc)
      return refuse(reply, 400, 'TV1001', 'transId and transactionSrc are required');
    if (!/^[A-Za-z0-9]{7,34}$/.test(number)) return refuse(reply, 400, 'TV1002', 'Invalid inquiry number');

    const fault = world.faults.take([number]);
    if (fault?.kind === 'hold') await world.faults.hold([number]);
    if (fault?.kind === 'too_many_requests' && fault.retryAfter === 'none') return refuse(reply, 429, '10429', 'Too Many Requests');
    const view = world.parcels.viewAt('ups', number, world.now());
    if (view === null && hasHabit(0.5, 'ups 404', number)) return refuse(reply, 404, 'TW0001', 'Tracking Information Not Found');
    const warnings = [{ code: 'TW0001', message: 'Tracking Information Not Found' }];
    const known = view === null ? { warnings } : { package: [renderUpsPackage(view, fault)] };
    const body = { trackResponse: { shipment: [{ inquiryNumber: number, ...known }] } };
    return sendAnswer(reply, JSON.stringify(disturbWrap(body, [], fault)), fault, nowMs);
  });
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
    access_token: context.tokens.issue(context.nowMs),
    expires_in: String(tokenLifeS),
    status: 'approved',
  });
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send({ response: { errors: [{ code, message }] } });
}
