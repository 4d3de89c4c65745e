import { maxProofBytes } from '#shared/domain/carriers/proof.ts';
import type { CarrierResponse, DocumentRequest } from './carrier.ts';
import { FetchFailure } from './fetch-failure.ts';
import { unrecognized } from './json-response.ts';
import type { LenientObject } from './lenient-object.ts';

/** The document itself. */
export const fileRequest: DocumentRequest = { maxBytes: maxProofBytes, asBytes: true };

/** JSON that contains a document in Base64, which takes four characters for three bytes, and as much as a reading has. */
export const jsonRequest: DocumentRequest = {
  maxBytes: Math.ceil((maxProofBytes * 4) / 3) + 1024 * 1024,
  asBytes: false,
};

/**
 * The bytes of a document that a field holds in Base64. Not by `text`, which shortens what it reads. Throws
 * `FetchFailure`.
 */
export function documentOf(
  object: LenientObject | null,
  name: string,
  { status }: Pick<CarrierResponse, 'status'>,
): Uint8Array {
  const text = object?.get(name.toLowerCase()) ?? null;
  if (text === null) throw noDocument({ status });
  if (typeof text !== 'string') throw unrecognized({ status }, 'the carrier returned a document that is not Base64');
  if ((text.length / 4) * 3 > maxProofBytes + 3) throw tooLarge(status);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0) throw unrecognized({ status }, 'the carrier returned a document that is not Base64');
  return bytes;
}

/** The carrier answered, and has no such document. */
export function noDocument({ status }: Pick<CarrierResponse, 'status'>): FetchFailure {
  return new FetchFailure('not_found', 'the carrier has no such document', { httpStatus: status });
}

function tooLarge(httpStatus: number): FetchFailure {
  const detail = `the document is larger than ${maxProofBytes / 1024 / 1024} MiB`;
  return new FetchFailure('unrecognized_response', detail, { httpStatus });
}
