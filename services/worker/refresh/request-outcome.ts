import type { CarrierResponse } from '../carriers/carrier.ts';

/** How a call to a carrier ended, as the metric of such calls tells it. */
export type RequestOutcome =
  | 'ok'
  | 'not_found'
  | 'rate_limited'
  | 'unauthorized'
  | 'client_error'
  | 'server_error'
  | 'timeout'
  | 'connection'
  | 'unreadable';

/** Every carrier speaks JSON: what does not begin like it, as a gateway's web page, cannot be read. An empty answer says nothing wrong. */
export function outcomeOfAnswer({ status, text }: Pick<CarrierResponse, 'status' | 'text'>): RequestOutcome {
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 408) return 'timeout';
  if (status >= 500) return 'server_error';
  if (status >= 400) return 'client_error';
  return text === '' || /^\s*["[{]/.test(text) ? 'ok' : 'unreadable';
}

/** For a call without an answer; `signal` is the one it was sent with. */
export function outcomeOfFault(signal: AbortSignal): RequestOutcome {
  return signal.aborted ? 'timeout' : 'connection';
}
