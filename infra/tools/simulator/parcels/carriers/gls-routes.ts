import type { FastifyInstance } from 'fastify';
import { tokenRoute } from '../../carrier-route.ts';
import { tokenLifeS } from '../../token-route.ts';
import { type ParcelWorld, parcelRoute } from '../parcel-world.ts';
import { renderGlsParcel } from './gls-shape.ts';

const path = '/sim/gls';
const maxNumbers = 10;

/**
 * GLS's token endpoint and Track And Trace V1: up to 10 numbers per call, an unknown one with an error of its own inside
 * a 200. The secret `wrong` is rejected.
 */
export function addGlsRoutes(app: FastifyInstance, world: ParcelWorld): void {
  const { tokens } = world;
  app.post(`${path}/oauth2/v2/token`, tokenRoute('gls'), async (request, reply) => {
    const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const [id, secret] = Buffer.from(basic ?? '', 'base64')
      .toString()
      .split(':');
    const grant = (request.body as Record<string, string> | undefined)?.grant_type;
    if (grant !== 'client_credentials' || !id || !secret || secret === 'wrong')
      return reply.code(400).send({ errors: [{ message: 'Invalid client identifier', type: '400' }] });
    return { token_type: 'Bearer', access_token: tokens.issue(world.now(), id, 'gls'), expires_in: tokenLifeS };
  });

  const numbersOf = (params: unknown): string[] => (params as { numbers: string }).numbers.split(',');
  const route = parcelRoute(world, 'gls', ({ params }) => numbersOf(params));
  app.get<{ Params: { numbers: string } }>(
    `${path}/track-and-trace-v1/tracking/simple/trackids/:numbers`,
    route,
    async (request, reply) => {
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
      if (!token || !tokens.isAlive(token, world.now(), 'gls')) {
        const detail = { errorcode: 'steps.jwt.TokenExpired' };
        return reply.code(401).send({ fault: { faultstring: 'The Token has expired: policy(Verify-JWT)', detail } });
      }
      const numbers = numbersOf(request.params);
      if (numbers.length > maxNumbers) {
        const detail = `Provided references of size '${numbers.length}' is more than allowed limit of ${maxNumbers}`;
        return reply.code(400).send({ type: 'about:blank', title: 'Bad Request', status: 400, detail });
      }
      const views = numbers.map((number) => ({ number, view: world.parcels.viewAt('gls', number, world.now()) }));
      request.completeFor = views.filter(({ view }) => view !== null).map(({ number }) => number);
      return {
        parcels: views.map(({ number, view }) =>
          view === null
            ? { requested: number, errorCode: 'E_404_01', errorMessage: 'Resource Not Found' }
            : renderGlsParcel(view, number),
        ),
      };
    },
  );
}
