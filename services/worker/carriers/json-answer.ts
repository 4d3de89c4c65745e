import type { CarrierResponse } from './carrier.ts';
import { type LenientObject, readObject } from './lenient-object.ts';
import { LookFailure } from './look-failure.ts';

/** The JSON object that a carrier answered with; throws `LookFailure` for anything else. */
export function jsonObject(response: CarrierResponse): LenientObject {
  let body: unknown;
  try {
    body = JSON.parse(response.text);
  } catch {
    const isPage = /^\s*</.test(response.text);
    throw unrecognized(response, isPage ? 'the carrier sent a web page instead of JSON' : 'the carrier sent something that is not JSON');
  }
  const object = readObject(body);
  if (object === null) throw unrecognized(response, 'the carrier sent JSON that is not an object');
  return object;
}

/** The failure of an answer that is not what the carrier's protocol says. */
export function unrecognized(response: Pick<CarrierResponse, 'status'>, detail: string): LookFailure {
  return new LookFailure('unrecognized_response', detail, { httpStatus: response.status });
}
