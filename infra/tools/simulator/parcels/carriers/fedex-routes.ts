import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type CarrierRoute, tokenRoute } from '../../carrier-route.ts';
import { tokenLifeS } from '../../token-route.ts';
import { type ParcelWorld, parcelRoute } from '../parcel-world.ts';
import { proofPdf, signaturePng } from '../proof-images.ts';
import { deliveryKinds } from '../scans.ts';
import { renderFedexResults } from './fedex-shape.ts';

const path = '/sim/fedex';
const transactionId = '624deea6-b709-470c-8c39-4b5511281492';
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
    if (!isSignedIn(request, world)) return refuseToken(reply);
    const body = bodySchema.safeParse(request.body);
    if (!body.success)
      return refuse(reply, 400, 'TRACKING.TRACKINGNUMBER.INVALID', 'Please provide 1 to 30 tracking numbers.');
    const numbers = body.data.trackingInfo.map(numberOf);
    const completeTrackResults = numbers.map((trackingNumber) => {
      const view = world.parcels.viewAt('fedex', trackingNumber, world.now());
      return view === null ? notFound(trackingNumber) : { trackingNumber, trackResults: renderFedexResults(view) };
    });
    request.completeFor = numbers;
    return answer(request, { completeTrackResults });
  });
  addDocumentRoute(app, world);
}

const documentSchema = z.object({
  trackDocumentDetail: z.object({
    documentType: z.literal('SIGNATURE_PROOF_OF_DELIVERY'),
    documentFormat: z.enum(['PDF', 'PNG']).default('PDF'),
  }),
  trackDocumentSpecification: z
    .array(z.object({ trackingNumberInfo: z.object({ trackingNumber: z.string() }) }))
    .min(1)
    .max(30),
});

/** Proofs of delivery, as base64 texts. */
function addDocumentRoute(app: FastifyInstance, world: ParcelWorld): void {
  const numbersIn = (body: unknown) =>
    documentSchema.safeParse(body).data?.trackDocumentSpecification.map(numberOf) ?? [];
  const carrier: CarrierRoute = { connector: 'fedex', kind: 'object', numbers: ({ body }) => numbersIn(body) };
  app.post(`${path}/track/v1/trackingdocuments`, { config: { carrier } }, async (request, reply) => {
    if (!isSignedIn(request, world)) return refuseToken(reply);
    const body = documentSchema.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'TRACKING.DOCUMENTTYPE.INVALID', 'Please provide a valid document.');
    const { documentType, documentFormat } = body.data.trackDocumentDetail;
    const documents = numbersIn(request.body).flatMap((number) => proofsOf(world, number, documentFormat));
    if (documents.length === 0) return refuse(reply, 400, 'TRACKING.DATA.NOTFOUND', 'Tracking data unavailable.');
    return answer(request, { localization: { languageCode: 'en' }, documentType, documentFormat, document: documents });
  });
}

function proofsOf(world: ParcelWorld, number: string, format: 'PDF' | 'PNG'): string[] {
  const view = world.parcels.viewAt('fedex', number, world.now());
  const delivered = view?.scans.find(({ kind }) => deliveryKinds.includes(kind));
  if (!view || delivered === undefined || delivered.kind === 'left_at_door') return [];
  const { goods } = view.parcel;
  const signed = delivered.kind === 'delivered_neighbour' ? goods.neighbour : goods.recipient;
  const lines = ['FedEx signature proof of delivery', `Tracking number ${number}`, `Signed for by ${signed}`];
  const bytes = format === 'PNG' ? signaturePng(number) : proofPdf(lines);
  return [bytes.toString('base64')];
}

function isSignedIn({ headers }: FastifyRequest, { tokens, now }: ParcelWorld): boolean {
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && tokens.isAlive(token, now(), 'fedex');
}

function answer(request: FastifyRequest, output: Record<string, unknown>): Record<string, unknown> {
  return {
    transactionId,
    customerTransactionId: String(request.headers['x-customer-transaction-id'] ?? ''),
    output,
  };
}

function notFound(trackingNumber: string): Record<string, unknown> {
  return { trackingNumber, trackResults: [unknownNumber(trackingNumber)] };
}

function refuseToken(reply: FastifyReply): FastifyReply {
  return refuse(reply, 401, 'NOT.AUTHORIZED.ERROR', 'Access token expired.');
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
  return reply.code(status).send({ transactionId, errors: [{ code, message }] });
}
