import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { tokenRoute } from './carrier-route.ts';
import { gatewayError } from './ocean/maersk-dialect.ts';

/** Lifetime of an access token in seconds. It is short, so that clients encounter expired tokens. */
export const tokenLifeS = 120;

const formSchema = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
});

/** Stateless tokens: client and expiry, signed with the seed. */
export type AccessTokens = {
  /** `carrier`: the only carrier that accepts the token. Default: all routes that name no carrier. */
  issue: (nowMs: number, client: string, carrier?: string) => string;
  isAlive: (token: string, nowMs: number, carrier?: string) => boolean;
  /** The token's client. Null for a token that was not issued here. */
  clientOf: (token: string) => string | null;
  /** Invalidates every token issued so far. */
  expireAll: () => void;
};

/** Access tokens of this seed. */
export function createAccessTokens(seed: string): AccessTokens {
  let generation = 0;
  const sign = (claims: string): string =>
    createHmac('sha256', `access tokens of ${seed}`).update(claims).digest('base64url');
  const read = (token: string): { expiry: number; generation: number; client: string; carrier: string } | null => {
    const [expiry = '', born = '', client = '', carrier = '', signature = ''] = token.split('.');
    const expected = Buffer.from(sign(`${expiry}.${born}.${client}.${carrier}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return {
      expiry: Number(expiry),
      generation: Number(born),
      client: Buffer.from(client, 'base64url').toString(),
      carrier,
    };
  };
  return {
    issue: (nowMs, client, carrier = '') => {
      const claims = `${nowMs + tokenLifeS * 1000}.${generation}.${Buffer.from(client).toString('base64url')}.${carrier}`;
      return `${claims}.${sign(claims)}`;
    },
    isAlive: (token, nowMs, carrier = '') => {
      const claims = read(token);
      return claims !== null && claims.generation === generation && claims.carrier === carrier && claims.expiry > nowMs;
    },
    clientOf: (token) => read(token)?.client ?? null,
    expireAll: () => {
      generation += 1;
    },
  };
}

/**
 * Maersk's OAuth 2.0 endpoint (client credentials in a form, `Consumer-Key` header). The client secret `wrong` is
 * rejected.
 */
export function addTokenRoute(app: FastifyInstance, tokens: AccessTokens, now: () => number): void {
  app.post('/sim/maersk/customer-identity/oauth/v2/access_token', tokenRoute('maersk'), async (request, reply) => {
    if (!request.headers['consumer-key']) {
      const refusal = gatewayError('ERR_GW_001', 'Unauthorized: Consumer-Key is missing');
      return reply.code(refusal.status).send(refusal.body);
    }
    const form = formSchema.safeParse(request.body);
    if (!form.success)
      return reply
        .code(400)
        .send({ error: 'invalid_request', error_description: 'grant_type, client_id and client_secret are required' });
    if (form.data.client_secret === 'wrong')
      return reply.code(401).send({ error: 'invalid_client', error_description: 'Invalid client credentials' });
    return reply.header('Cache-Control', 'no-store').send({
      access_token: tokens.issue(now(), form.data.client_id),
      token_type: 'Bearer',
      expires_in: tokenLifeS,
      scope: 'openid',
    });
  });
}
