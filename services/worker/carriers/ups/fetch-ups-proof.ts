import type { ProofKind } from '#shared/domain/tracking/event.ts';
import type { CarrierContext, Connector, ProofRequest } from '../carrier.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';
import { trackingNumberOf } from '../parcel-reading.ts';
import { documentOf, jsonRequest, noDocument } from '../proof-document.ts';
import { askUps, packageOf } from './ask-ups.ts';

/**
 * Where a package's `deliveryInformation` has each kind of document, in Base64, and the parameter that includes it
 * (Tracking.yaml, `DeliveryInformation`). A photo needs none.
 */
const places = {
  signature: { query: { returnSignature: true }, parent: 'signature', field: 'image' },
  photo: { query: {}, parent: 'deliveryPhoto', field: 'photo' },
  document: { query: { returnPOD: true }, parent: 'pod', field: 'content' },
} as const satisfies Record<ProofKind, { query: object; parent: string; field: string }>;

/** Asks for the details of the package again, this time with its document. */
export const fetchUpsProof: NonNullable<Connector['fetchProof']> = async (ctx, request, signal) => {
  const number = numberOf(request);
  const { query, parent, field } = places[request.proof.kind];
  const response = await askUps(ctx, number, { query, document: jsonRequest, signal });
  if (response.status === 404) throw noDocument(response);
  return documentOf(child(deliveryOf(ctx, response, number), parent), field, response);
};

function numberOf({ proof, identifiers }: ProofRequest): string {
  return proof.piece ?? trackingNumberOf({ identifiers });
}

/** Of the package itself: another one's signature is none. */
function deliveryOf(
  ctx: CarrierContext,
  response: Parameters<typeof packageOf>[1],
  number: string,
): LenientObject | null {
  const { parcel } = packageOf(ctx, response, number);
  const isOwn = parcel !== undefined && (text(parcel, 'trackingNumber')?.toUpperCase() ?? number) === number;
  return isOwn ? child(parcel, 'deliveryInformation') : null;
}
