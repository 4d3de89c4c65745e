import { readPositionsAnswer, toPositionsQuestion } from '#shared/contract/positions/positions-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import {
  askVesselPositions,
  type PositionQuestions,
  PositionsUnavailable,
} from '#shared/core/positions/ask-vessel-positions.ts';
import { annotateSpan, inSpan } from '#shared/telemetry/events.ts';
import type { CarrierFetch, CarrierResponse } from '../carriers/carrier.ts';
import { CarrierUnreachable } from '../carriers/fetch-failure.ts';
import { readJsonOrNull } from '../carriers/read-json.ts';

/** Source of ships' positions: `POSITIONS_URL` and `POSITIONS_TOKEN`. */
export type PositionSource = {
  url: string;
  token: string | null;
  everyMs: number;
  simulated: boolean;
  /** Only to the origin of `url`, without redirects, with a bounded body. */
  fetch: CarrierFetch;
};

const timeoutMs = 15_000;

/** The periodic job that asks where ships are. No refresh waits for it. */
export function positionsJob(
  core: CoreContext,
  { source, jitter, signal }: { source: PositionSource; jitter: number; signal: AbortSignal },
) {
  const { everyMs, simulated } = source;
  const ask: PositionQuestions['ask'] = (imos) =>
    inSpan('ask for positions', { kind: 'client', root: true, attributes: { 'landfall.vessels': imos.length } }, () =>
      askSource(source, imos, signal),
    );
  return {
    name: 'ask-positions',
    everyMs: Math.min(everyMs, 10_000),
    jitter,
    maxBackoffMs: 60_000,
    run: async (): Promise<undefined> => {
      try {
        const round = await askVesselPositions(core, { ask, simulated, everyMs, signal });
        if (round !== null && round.refused > 0)
          core.log.warn({ ...round }, 'POSITIONS_URL returned positions that were refused');
      } catch (error) {
        // The round is over: all workers pause.
        if (!(error instanceof PositionsUnavailable)) throw error;
        core.log.warn({ reason: error.message }, 'POSITIONS_URL failed; retrying after a pause');
      }
    },
  };
}

async function askSource({ url, token, fetch }: PositionSource, imos: readonly string[], signal: AbortSignal) {
  const response = await post(fetch, url, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(toPositionsQuestion(imos)),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  annotateSpan({ 'http.response.status_code': response.status });
  if (response.status !== 200) throw new PositionsUnavailable(`it responded with HTTP ${response.status}`);
  if (response.unreadable !== undefined)
    throw new PositionsUnavailable('its response is too large or can’t be decoded');
  const answer = readPositionsAnswer(readJsonOrNull(response.text));
  if (answer === null) throw new PositionsUnavailable('its response doesn’t have the documented form');
  return answer;
}

async function post(
  fetch: CarrierFetch,
  url: string,
  request: Omit<Parameters<CarrierFetch>[1], 'method'>,
): Promise<CarrierResponse> {
  try {
    return await fetch(url, { ...request, method: 'POST' });
  } catch (error) {
    if (error instanceof CarrierUnreachable) throw new PositionsUnavailable(error.message);
    throw error;
  }
}
