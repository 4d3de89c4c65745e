import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tokenRoute } from '../carrier-route.ts';
import { type AccessTokens, tokenLifeS } from '../token-route.ts';
import { keyRefusal, type Refusal } from './dialect.ts';
import { oneUnauthorized } from './one-dialect.ts';

const invalidClient: Refusal = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'Invalid client credentials' },
};
const invalidRequest: Refusal = {
  status: 400,
  body: { error: 'invalid_request', error_description: 'A parameter is missing' },
};

const secretForm = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
});
const assertionForm = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().min(1),
  client_assertion_type: z.literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  client_assertion: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  scope: z.string().endsWith('/.default'),
});
const assertionHeader = z.object({ alg: z.literal('RS256'), x5t: z.string().length(27) });
const assertionClaims = z.object({
  aud: z.string(),
  iss: z.string(),
  sub: z.string(),
  jti: z.string().min(1),
  exp: z.number(),
  nbf: z.number(),
});

/**
 * The token endpoints of CMA CGM and Evergreen (secret in a form), ONE (Basic, lifetime as text) and MSC (assertion
 * signed with a certificate).
 */
export function addLineTokenRoutes(app: FastifyInstance, tokens: AccessTokens, now: () => number): void {
  const granted = (client: string, expires: number | string) => ({
    access_token: tokens.issue(now(), client),
    token_type: 'Bearer',
    expires_in: expires,
  });
  const serve = (
    connector: string,
    path: string,
    check: (request: FastifyRequest) => Refusal | null,
    expires: number | string = tokenLifeS,
  ): void => {
    app.post(`/sim/${connector}${path}`, tokenRoute(connector), async (request, reply) => {
      const refusal = check(request);
      return reply
        .code(refusal?.status ?? 200)
        .header('Cache-Control', 'no-store')
        .send(refusal?.body ?? granted(clientOf(request), expires));
    });
  };
  serve('cma-cgm', '/as/token.oauth2', ({ body }) => secretRefusal(body));
  serve('evergreen', '/oauth2/token', ({ body }) => secretRefusal(body));
  serve('one', '/v1/oauth/accesstoken', basicRefusal, String(tokenLifeS));
  serve('msc', '/oauth2/v2.0/token', ({ body }) => assertionRefusal(body, now()));
}

function secretRefusal(body: unknown): Refusal | null {
  const form = secretForm.safeParse(body);
  if (!form.success) return invalidRequest;
  return form.data.client_secret === 'wrong' ? invalidClient : null;
}

function basicRefusal(request: FastifyRequest): Refusal | null {
  const grant = z.object({ grant_type: z.literal('client_credentials') }).safeParse(request.query);
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const [id, secret] = Buffer.from(encoded, 'base64').toString().split(':');
  if (!grant.success)
    return { status: 400, body: { ErrorCode: 'invalid_request', Error: 'Required param : grant_type' } };
  return (
    keyRefusal(request.headers.apikey, oneUnauthorized) ?? (id ? keyRefusal(secret, oneUnauthorized) : oneUnauthorized)
  );
}

/** The simulator doesn't have the certificate, so it checks only the format of the signature. */
function assertionRefusal(body: unknown, nowMs: number): Refusal | null {
  const form = assertionForm.safeParse(body);
  if (!form.success)
    return {
      status: 400,
      body: { error: 'invalid_request', error_description: 'AADSTS900144: A parameter is missing.' },
    };
  const [header, claims] = form.data.client_assertion.split('.').map(decoded);
  const parsed = assertionClaims.safeParse(claims).data;
  const isRight =
    assertionHeader.safeParse(header).success &&
    parsed?.iss === form.data.client_id &&
    parsed.sub === form.data.client_id &&
    parsed.aud.endsWith('/oauth2/v2.0/token') &&
    parsed.exp * 1000 > nowMs;
  if (isRight && form.data.client_id !== 'wrong') return null;
  return {
    status: 401,
    body: { error: 'invalid_client', error_description: 'AADSTS700027: Client assertion failed signature validation.' },
  };
}

/** The client id in the form, or else the one in the Authorization header. */
function clientOf({ body, headers }: FastifyRequest): string {
  const form = z.object({ client_id: z.string() }).safeParse(body);
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return form.data?.client_id ?? Buffer.from(encoded, 'base64').toString().split(':')[0] ?? '';
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}
