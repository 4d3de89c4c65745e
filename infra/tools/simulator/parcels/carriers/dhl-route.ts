import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CarrierRoute } from '../../carrier-route.ts';
import { localTime } from '../../voyages/local-time.ts';
import { type ParcelWorld, parcelRoute } from '../parcel-world.ts';
import { proofPdf } from '../proof-images.ts';
import { deliveryKinds } from '../scans.ts';
import { renderDhlShipment } from './dhl-shape.ts';

const querySchema = z.object({
  trackingNumber: z.string().min(1).max(60),
  service: z
    .enum([
      'express',
      'parcel-de',
      'ecommerce',
      'dgf',
      'parcel-uk',
      'post-de',
      'sameday',
      'freight',
      'parcel-nl',
      'parcel-pl',
      'svb',
    ])
    .optional(),
  limit: z.coerce.number().int().min(1).default(5),
});

/**
 * DHL's Shipment Tracking Unified: a key in the header, one number per call, errors as RFC 7807. The key `wrong` is
 * rejected.
 */
export function addDhlRoute(app: FastifyInstance, world: ParcelWorld): void {
  const route = parcelRoute(world, 'dhl', ({ query }) => querySchema.safeParse(query).data?.trackingNumber ?? []);
  app.get('/sim/dhl/track/shipments', route, async (request, reply) => {
    const key = request.headers['dhl-api-key'];
    if (!key || key === 'wrong') return sendProblem(request, reply, 401, 'Unauthorized for given resource.');
    const query = querySchema.safeParse(request.query);
    if (!query.success)
      return sendProblem(request, reply, 400, 'Invalid or missing parameters: trackingNumber, service');
    const { trackingNumber, service } = query.data;
    const view = world.parcels.viewAt('dhl', trackingNumber, world.now());
    if (view === null) return sendProblem(request, reply, 404, 'No shipment with given tracking number found.');
    const address = `https://api-eu.dhl.com/track/shipments?trackingNumber=${encodeURIComponent(trackingNumber)}`;
    request.completeFor = [trackingNumber];
    return {
      // DHL's page addresses contain two question marks.
      url: `${address}?offset=0&limit=${query.data.limit}`,
      firstUrl: `${address}?offset=0&limit=${query.data.limit}`,
      shipments: [
        renderDhlShipment(view, { service: service ?? 'express', proofUrl: proofUrlOf(request, trackingNumber) }),
      ],
      possibleAdditionalShipmentsUrl: [`${address}&service=parcel-de`],
    };
  });
  addDhlProofRoute(app, world);
}

const proofPath = '/sim/dhl/webpod';

/** DHL returns the address of the document, on a server of its own that needs no key. */
function addDhlProofRoute(app: FastifyInstance, world: ParcelWorld): void {
  const carrier: CarrierRoute = {
    connector: 'dhl',
    kind: 'object',
    numbers: ({ params }) => [(params as { number: string }).number],
  };
  app.get<{ Params: { number: string } }>(`${proofPath}/:number`, { config: { carrier } }, async (request, reply) => {
    const { number } = request.params;
    const view = world.parcels.viewAt('dhl', number, world.now());
    const delivered = view?.scans.findLast(({ kind }) => deliveryKinds.includes(kind));
    if (view === null || delivered === undefined)
      return sendProblem(request, reply, 404, 'No proof of delivery for the given tracking number.');
    const { goods } = view.parcel;
    const signed = delivered.kind === 'delivered_neighbour' ? goods.neighbour : goods.recipient;
    const lines = ['DHL proof of delivery', `Waybill ${number}`, localTime(delivered.atMs, delivered.city.zone)];
    return reply.type('application/pdf').send(proofPdf([...lines, `Signed by ${signed}`]));
  });
}

function proofUrlOf(request: FastifyRequest, number: string): string {
  return `${request.protocol}://${request.host}${proofPath}/${encodeURIComponent(number)}`;
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, status: number, detail: string): FastifyReply {
  const titles: Record<number, string> = { 400: 'Bad Request', 401: 'Unauthorized', 404: 'No result found' };
  return reply
    .code(status)
    .type('application/problem+json')
    .send(JSON.stringify({ title: titles[status], status, detail, instance: `/shipment/${request.id}` }));
}
