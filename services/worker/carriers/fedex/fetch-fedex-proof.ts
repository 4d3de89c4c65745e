import type { ProofKind } from '#shared/domain/events/event.ts';
import { requireSettings, unexpectedStatus } from '../call-carrier.ts';
import type { Connector } from '../carrier.ts';
import { jsonObject } from '../json-response.ts';
import { child, readObject } from '../lenient-object.ts';
import { documentOf, jsonRequest, noDocument } from '../proof-document.ts';
import { trackingNumberOf } from '../reading/parcel-reading.ts';
import { callFedex } from './call-fedex.ts';

/** A signature is fetched as an image, and the letter as a file. There is no document with a photo. */
const formats: Record<ProofKind, 'PNG' | 'PDF' | null> = { signature: 'PNG', photo: null, document: 'PDF' };

/**
 * FedEx's signature proof of delivery (Track v1, `POST /track/v1/trackingdocuments`, schemas `Full_Schema_SPOD` and
 * `SPODResponseVO`): `output.document` is a list of files in Base64, which is empty, beside an alert, if there is none.
 */
export const fetchFedexProof: NonNullable<Connector['fetchProof']> = async (ctx, { proof, identifiers }, signal) => {
  requireSettings(ctx.settings, ['clientId', 'clientSecret']);
  const trackingNumber = proof.piece ?? trackingNumberOf({ identifiers });
  const documentFormat = formats[proof.kind];
  if (documentFormat === null) throw noDocument({ status: 404 });
  const response = await callFedex(ctx, {
    path: 'trackingdocuments',
    body: {
      trackDocumentDetail: { documentType: 'SIGNATURE_PROOF_OF_DELIVERY', documentFormat },
      trackDocumentSpecification: [{ trackingNumberInfo: { trackingNumber } }],
    },
    document: jsonRequest,
    signal,
  });
  if (response.status === 404) throw noDocument(response);
  if (response.status !== 200) throw unexpectedStatus(ctx, response);
  const listed = child(jsonObject(response), 'output')?.get('document') ?? null;
  const [first = null] = Array.isArray(listed) ? listed : [listed];
  return documentOf(readObject({ first }), 'first', response);
};
