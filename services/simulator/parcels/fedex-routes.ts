import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { tokenRoute } from '../carrier-route.ts';
import { tokenLifeS } from '../token-route.ts';
import { renderFedexResults } from './fedex-shape.ts';
import { type ParcelWorld, parcelRoute } from './parcel-world.ts';

const path = '/sim/fedex';
const formSchema = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
});
const bodySchema = z.object({
  includeDetailedScans: z.boolean().default(false),
  trackingInfo: z
    .array(z.object({ trackingNumberInfo: z.object({ trackingNumber: z.string() }) }))
    .min(1)
    .max(30),
});

/**
 * FedEx's token endpoint and Track v1: up to 30 numbers per call. An error about one number is reported inside the 200.
 */
export function addFedexRoutes(app: FastifyInstance, world: ParcelWorld): void {
  const { tokens } = world;
  app.post(`${path}/oauth/token`, tokenRoute('fedex'), async (request, reply) => {
    const form = formSchema.safeParse(request.body);
    if (!form.success) return refuse(reply, 400, 'BAD.REQUEST.ERROR', 'Missing or duplicate parameters.');
    if (form.data.client_secret === 'wrong')
      return refuse(reply, 401, 'NOT.AUTHORIZED.ERROR', 'The given client credentials were not valid.');
    return {
      access_token: tokens.issue(world.now(), form.data.client_id, 'fedex'),
      token_type: 'bearer',
      expires_in: tokenLifeS,
      scope: 'CXS',
    };
  });

  const route = parcelRoute(
    world,
    'fedex',
    ({ body }) => bodySchema.safeParse(body).data?.trackingInfo.map(numberOf) ?? [],
  );
  app.post(`${path}/track/v1/trackingnumbers`, route, async (request, reply) => {
    const nowMs = world.now();
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!token || !tokens.isAlive(token, nowMs, 'fedex'))
      return refuse(reply, 401, 'NOT.AUTHORIZED.ERROR', 'Access token expired.');
    const body = bodySchema.safeParse(request.body);
    if (!body.success)
      return refuse(reply, 400, 'TRACKING.TRACKINGNUMBER.INVALID', 'Please provide 1 to 30 tracking numbers.');
    const numbers = body.data.trackingInfo.map(numberOf);
    const completeTrackResults = numbers.map((trackingNumber) => {
      const view = world.parcels.viewAt('fedex', trackingNumber, world.now());
      return {
        trackingNumber,
        trackResults: view === null ? [unknownNumber(trackingNumber)] : renderFedexResults(view),
      };
    });
    request.completeFor = numbers;
    return {
      transactionId: '624deea6-b709-470c-8c39-4b5511281492',
      customerTransactionId: String(request.headers['x-customer-transaction-id'] ?? ''),
      output: { completeTrackResults },
    };
  });
}

function numberOf({ trackingNumberInfo }: { trackingNumberInfo: { trackingNumber: string } }): string {
  return trackingNumberInfo.trackingNumber;
}

function unknownNumber(trackingNumber: string): Record<string, unknown> {
  return {
    trackingNumberInfo: { trackingNumber, trackingNumberUniqueId: '', carrierCode: '' },
    error: {
      code: 'TRACKING.TRACKINGNUMBER.NOTFOUND',
      message: 'Tracking number cannot be found. Please correct the number and try again.',
    },
  };
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply
    .code(status)
    .send({ transactionId: '624deea6-b709-470c-8c39-4b5511281492', errors: [{ code, message }] });
}
