import type { CarrierResponse } from './carrier.ts';
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
