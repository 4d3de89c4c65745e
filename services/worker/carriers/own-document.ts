import { proofMediaTypes } from '#shared/domain/carriers/proof.ts';
import type { Reading, StatedProof } from '#shared/domain/events/event.ts';
import { type CarrierRequest, callCarrier, unexpectedStatus } from './call-carrier.ts';
import type { CarrierContext } from './carrier.ts';
import { FetchFailure } from './fetch-failure.ts';
import { unrecognized } from './json-response.ts';
import { fileRequest, noDocument } from './proof-document.ts';

/**
 * The file at the address that a response named, if it is at the API's own origin: no other address is requested, and
 * no redirect is followed. Throws `FetchFailure`.
 */
export async function fetchOwnDocument(
  ctx: CarrierContext,
  { handle }: Pick<StatedProof, 'handle'>,
  { headers, oauth, signal }: Pick<CarrierRequest, 'headers' | 'oauth' | 'signal'>,
): Promise<Uint8Array> {
  const url = ownUrl(ctx, handle);
  if (url === null)
    throw new FetchFailure('not_found', 'the document is on a web page of the carrier, and not in its API');
  const response = await callCarrier(ctx, {
    url,
    headers: (...each) => ({ ...headers(...each), accept: proofMediaTypes.join(', ') }),
    oauth,
    document: fileRequest,
    signal,
  });
  if (response.status === 404) throw noDocument(response);
  if (response.status !== 200) throw unexpectedStatus(ctx, response);
  if (response.unreadable !== undefined) throw unrecognized(response, response.unreadable);
  if (response.bytes === undefined || response.bytes.length === 0) throw noDocument(response);
  return response.bytes;
}

/** Marks proofs at other addresses, such as those on a web page of the carrier. */
export function markElsewhere<Read extends Pick<Reading, 'facts'>>(ctx: CarrierContext, reading: Read): Read {
  const { proof, ...facts } = reading.facts ?? {};
  if (proof === undefined) return reading;
  const marked = proof.map(
    (one): StatedProof => (ownUrl(ctx, one.handle) === null ? { ...one, unavailable: true } : one),
  );
  return { ...reading, facts: { ...facts, proof: marked } };
}

/** Null: it is not at the API's own origin. */
export function ownUrl({ settings }: CarrierContext, handle: string | null): string | null {
  const url = handle === null ? null : URL.parse(handle);
  return url !== null && url.origin === new URL(settings.baseUrl).origin ? url.href : null;
}
