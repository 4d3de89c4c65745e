import { proofMediaTypes } from '#shared/domain/carriers/proof.ts';
import { callCarrier, requireSettings, unexpectedStatus } from '../call-carrier.ts';
import type { CarrierContext, Connector } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { unrecognized } from '../json-response.ts';
import { fileRequest, noDocument } from '../proof-document.ts';
import { waitForTurn } from './wait-for-turn.ts';

/**
 * The file at the address that the response named (`details.proofOfDelivery.documentUrl` and `signatureUrl`), if it is
 * at the API's own origin: no other address is requested, and no redirect is followed.
 */
export const fetchDhlProof: NonNullable<Connector['fetchProof']> = async (ctx, { proof }, signal) => {
  requireSettings(ctx.settings, ['apiKey']);
  const url = ownUrl(ctx, proof.handle);
  if (!ctx.settings.simulated) await waitForTurn(ctx, signal);
  const response = await callCarrier(ctx, {
    url,
    headers: () => ({ 'DHL-API-Key': ctx.settings.apiKey ?? '', accept: proofMediaTypes.join(', ') }),
    oauth: null,
    document: fileRequest,
    signal,
  });
  if (response.status === 404) throw noDocument(response);
  if (response.status !== 200) throw unexpectedStatus(ctx, response);
  if (response.unreadable !== undefined) throw unrecognized(response, response.unreadable);
  if (response.bytes === undefined || response.bytes.length === 0) throw noDocument(response);
  return response.bytes;
};

function ownUrl({ settings }: CarrierContext, handle: string | null): string {
  const url = handle === null ? null : URL.parse(handle);
  if (url !== null && url.origin === new URL(settings.baseUrl).origin) return url.href;
  throw new FetchFailure('not_found', 'the document is on a web page of the carrier, and not in its API');
}
