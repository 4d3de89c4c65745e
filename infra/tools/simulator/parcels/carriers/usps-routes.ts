import type { FastifyInstance, FastifyReply } from 'fastify';
import { tokenRoute } from '../../carrier-route.ts';
import { tokenLifeS } from '../../token-route.ts';
import { type ParcelWorld, parcelRoute } from '../parcel-world.ts';
import { renderUspsPackage } from './usps-shape.ts';

const path = '/sim/usps';

/** USPS's token endpoint and Tracking v3: one number per call, 404 for an unknown one. The secret `wrong` is rejected. */
export function addUspsRoutes(app: FastifyInstance, world: ParcelWorld): void {
  const { tokens } = world;
  app.post(`${path}/oauth2/v3/token`, tokenRoute('usps'), async (request, reply) => {
    const form = (request.body ?? {}) as Record<string, string>;
    if (form.grant_type !== 'client_credentials')
      return reply.code(400).send({ error: 'unsupported_grant_type', error_description: 'Invalid grant_type' });
    if (!form.client_id || !form.client_secret || form.client_secret === 'wrong')
      return reply.code(401).send({ error: 'invalid_client', error_description: 'Client authentication failed.' });
    return {
      access_token: tokens.issue(world.now(), form.client_id, 'usps'),
      token_type: 'Bearer',
      issued_at: world.now(),
      expires_in: tokenLifeS,
      status: 'approved',
      scope: 'tracking',
    };
  });

  const route = parcelRoute(world, 'usps', ({ params }) => [(params as { number: string }).number]);
  app.get<{ Params: { number: string }; Querystring: { expand?: string } }>(
    `${path}/tracking/v3/tracking/:number`,
    route,
    async (request, reply) => {
      const { number } = request.params;
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
      if (!token || !tokens.isAlive(token, world.now(), 'usps')) return refuse(reply, 401, 'Invalid access token');
      if (request.query.expand !== 'DETAIL') return refuse(reply, 400, 'expand must be DETAIL here');
      const view = world.parcels.viewAt('usps', number, world.now());
      if (view === null) return refuse(reply, 404, 'Tracking is not available for this item.');
      request.completeFor = [number];
      return renderUspsPackage(view);
    },
  );
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  const error = { code: String(status), message, errors: [] };
  return reply.code(status).send({ apiVersion: '/tracking/v3', error });
}
