import type { ProofKind } from '#shared/domain/events/event.ts';
import type { Connector } from '../carrier.ts';
import { child, children, type LenientObject, text } from '../lenient-object.ts';
import { documentOf, jsonRequest, noDocument } from '../proof-document.ts';
import { trackingNumberOf } from '../reading/parcel-reading.ts';
import { askUps, shipmentsOf } from './ask-ups.ts';

/**
 * Fields of a package's `deliveryInformation` that contain each kind of document, in Base64, and the parameter that
 * includes it (Tracking.yaml, `DeliveryInformation`). A photo needs none.
 */
const places = {
  signature: { query: { returnSignature: true }, parent: 'signature', field: 'image' },
  photo: { query: {}, parent: 'deliveryPhoto', field: 'photo' },
  document: { query: { returnPOD: true }, parent: 'pod', field: 'content' },
} as const satisfies Record<ProofKind, { query: object; parent: string; field: string }>;

/** Asks for the details of the package again, this time with its document. */
export const fetchUpsProof: NonNullable<Connector['fetchProof']> = async (ctx, request, signal) => {
  const number = request.proof.piece ?? trackingNumberOf(request);
  const { query, parent, field } = places[request.proof.kind];
  const response = await askUps(ctx, number, { query, document: jsonRequest, signal });
  if (response.status === 404) throw noDocument(response);
  const delivery = child(packageOf(shipmentsOf(ctx, response), number), 'deliveryInformation');
  return documentOf(child(delivery, parent), field, response);
};

/** Of the package itself: another one's signature is none. */
function packageOf(shipments: readonly LenientObject[], number: string): LenientObject | null {
  const packages = shipments.flatMap((shipment) => children(shipment, 'package'));
  return packages.find((each) => text(each, 'trackingNumber')?.toUpperCase() === number) ?? null;
}
