import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { gatewayError } from './maersk-dialect.ts';

/** Seconds that an access token lives: short, so that clients meet expired ones. */
export const tokenLifeS = 120;

const formSchema = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
});

/** Tokens that need no memory: their expiry, signed with the seed. */
export type AccessTokens = { issue: (nowMs: number) => string; isAlive: (token: string, nowMs: number) => boolean };

/** Access tokens of this seed. */
export function createAccessTokens(seed: string): AccessTokens {
  const sign = (expiry: string): string => createHmac('sha256', `access tokens of ${seed}`).update(expiry).digest('base64url');
  return {
    issue: (nowMs) => {
      const expiry = String(nowMs + tokenLifeS * 1000);
      return `${expiry}.${sign(expiry)}`;
    },
    isAlive: (token, nowMs) => {
      const [expiry = '', signature = ''] = token.split('.');
      const expected = Buffer.from(sign(expiry));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected) && Number(expiry) > nowMs;
    },
  };
}

/** Maersk's OAuth 2.0 endpoint (client credentials in a form, `Consumer-Key` header); the client secret `wrong` is refused. */
export function addTokenRoute(app: FastifyInstance, tokens: AccessTokens, now: () => number): void {
  app.post('/sim/maersk/customer-identity/oauth/v2/access_token', async (request, reply) => {
    if (!request.headers['consumer-key']) {
      const refusal = gatewayError('ERR_GW_001', 'Unauthorized: Consumer-Key is missing');
      return reply.code(refusal.status).send(refusal.body);
    }
    const form = formSchema.safeParse(request.body);
    if (!form.success)
      return reply.code(400).send({ error: 'invalid_request', error_description: 'grant_type, client_id and client_secret are required' });
    if (form.data.client_secret === 'wrong')
      return reply.code(401).send({ error: 'invalid_client', error_description: 'Invalid client credentials' });
    return reply
      .header('Cache-Control', 'no-store')
      .send({ access_token: tokens.issue(now()), token_type: 'Bearer', expires_in: tokenLifeS, scope: 'openid' });
  });
}
