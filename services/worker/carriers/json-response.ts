import { hash } from 'node:crypto';
import { cutText } from '#shared/domain/cut-text.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import type { CarrierContext, CarrierResponse } from './carrier.ts';
import { FetchFailure } from './fetch-failure.ts';
import { children, type LenientObject, readObject, text } from './lenient-object.ts';
import { JsonUnreadable, readJson, readJsonOrNull } from './read-json.ts';

const maxMessageLength = 200;

/** The response body as JSON. Throws `FetchFailure` when it isn't JSON, or can't be read within limits. */
export function jsonValue(response: CarrierResponse): unknown {
  if (response.unreadable !== undefined) throw unrecognized(response, response.unreadable);
  try {
    return readJson(response.text);
  } catch (error) {
    if (error instanceof JsonUnreadable) throw unrecognized(response, error.message);
    throw error;
  }
}

/** The response body as a JSON object. Throws `FetchFailure` for anything else. */
export function jsonObject(response: CarrierResponse): LenientObject {
  const object = readObject(jsonValue(response));
  if (object === null) throw unrecognized(response, 'the carrier returned JSON that is not an object');
  return object;
}

/** Longer responses are kept as the beginning of their text. */
const maxKeptLength = 16_384;

/** The failure for a response that violates the carrier's protocol. JSON is kept, and other text is not. */
export function unrecognized(
  { status, text: body = '' }: Pick<CarrierResponse, 'status'> & { text?: string },
  detail: string,
): FetchFailure {
  const raw = keptOf(body);
  if (raw === undefined) return new FetchFailure('unrecognized_response', detail, { httpStatus: status });
  return new FetchFailure('unrecognized_response', detail, {
    httpStatus: status,
    unreadable: [{ raw, reason: detail }],
  });
}

function keptOf(body: string): unknown {
  try {
    const parsed = readJson(body);
    return body.length > maxKeptLength ? body.slice(0, maxKeptLength) : parsed;
  } catch (error) {
    return error instanceof JsonUnreadable && error.isExcessive ? body.slice(0, maxKeptLength) : undefined;
  }
}

/** The error message in the body of a carrier's response, on one line. Null when the body contains none. */
export function carrierMessage(body: string): string | null {
  const error = readObject(readJsonOrNull(body));
  if (!error) return null;
  const nested = [
    ...children(error, 'errors'),
    ...children(error, 'error'),
    ...children(error, 'subErrors'),
    ...children(error, 'feedbackElements'),
  ];
  const messages = [error, ...nested].map((each) =>
    text(
      each,
      'message',
      'reason',
      'error_description',
      'errorMessage',
      'moreInformation',
      'detail',
      'title',
      'error',
      'code',
    ),
  );
  const first = messages.find((message) => message !== null)?.replace(/\s+/g, ' ');
  return first ? cutText(first, maxMessageLength) : null;
}

/**
 * Hash of a response (byte for byte), of the build that parses it and of its source. Equal hashes mean equal readings,
 * because parsing depends on nothing else. Null where every response is parsed.
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

/** True when the record's last reading came from an identical response, which then isn't parsed again. */
export function isKnownAnswer({ polling }: Pick<RefreshSubject, 'polling'>, answerHash: string | null): boolean {
  // Without a stored reading, the response is parsed in full.
  return answerHash !== null && polling.readingHash !== null && polling.answerHash === answerHash;
}
