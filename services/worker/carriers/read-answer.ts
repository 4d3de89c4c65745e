import { hash } from 'node:crypto';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { CarrierContext, CarrierResponse } from './carrier.ts';
import { FetchFailure } from './fetch-failure.ts';
import { type LenientObject, readObject } from './lenient-object.ts';

/** The JSON that a carrier answered with; throws `FetchFailure` for anything else. */
export function jsonValue(response: CarrierResponse): unknown {
  try {
    return JSON.parse(response.text);
  } catch {
    const isPage = /^\s*</.test(response.text);
    throw unrecognized(
      response,
      isPage ? 'the carrier sent a web page instead of JSON' : 'the carrier sent something that is not JSON',
    );
  }
}

/** The JSON object that a carrier answered with; throws `FetchFailure` for anything else. */
export function jsonObject(response: CarrierResponse): LenientObject {
  const object = readObject(jsonValue(response));
  if (object === null) throw unrecognized(response, 'the carrier sent JSON that is not an object');
  return object;
}

/** The failure of an answer that is not what the carrier's protocol says. */
export function unrecognized(response: Pick<CarrierResponse, 'status'>, detail: string): FetchFailure {
  return new FetchFailure('unrecognized_response', detail, { httpStatus: response.status });
}

/**
 * The hash of an answer byte for byte, of what reads it and of whose answer it is; null where it is always read. Two answers with one hash give one
 * reading, for reading depends on nothing else.
 */
export function hashAnswer(
  ctx: Pick<CarrierContext, 'readerIdentity'>,
  source: string,
  texts: readonly string[],
): string | null {
  const identity = ctx.readerIdentity;
  return identity === undefined
    ? null
    : hash('sha256', JSON.stringify([identity, source, texts.length]) + texts.join('\n'));
}

/** Whether this is the answer that the record was read from, so that it need not be read again. */
export function isKnownAnswer({ polling }: Pick<RefreshSubject, 'polling'>, answerHash: string | null): boolean {
  // A reading that was forgotten is to be read in full.
  return answerHash !== null && polling.readingHash !== null && polling.answerHash === answerHash;
}
