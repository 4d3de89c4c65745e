import { proofMediaTypes } from '#shared/domain/carriers/proof.ts';
import type { Reading, StatedProof } from '#shared/domain/tracking/event.ts';
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
  if (url === null)
    throw new FetchFailure('not_found', 'the document is on a web page of the carrier, and not in its API');
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

/** Marks proofs at other addresses: DHL's own are on a web page (`webpod.dhl.com`). */
export function markElsewhere(ctx: CarrierContext, reading: Reading): Reading {
  const { proof, ...facts } = reading.facts ?? {};
  if (proof === undefined) return reading;
  const marked = proof.map(
    (one): StatedProof => (ownUrl(ctx, one.handle) === null ? { ...one, unavailable: true } : one),
  );
  return { ...reading, facts: { ...facts, proof: marked } };
}

/** Null: it is not at the API's own origin. */
function ownUrl({ settings }: CarrierContext, handle: string | null): string | null {
  const url = handle === null ? null : URL.parse(handle);
  return url !== null && url.origin === new URL(settings.baseUrl).origin ? url.href : null;
}
