import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingReason } from '#shared/domain/shipments/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { recordSeconds } from '#shared/telemetry/instruments.ts';
import type { CarrierFetch, CarrierResponse, CarrierSettings } from '../carriers/carrier.ts';
import { CarrierUnreachable } from '../carriers/http.ts';
import type { CarrierRecorder } from '../credentials/carrier-record.ts';
import { type Circuit, CircuitOpen } from '../pacing/circuit.ts';
import { outcomeOfAnswer, outcomeOfFault, type RequestOutcome } from './request-outcome.ts';
import { circuitWords, notAskedAttribute } from './why-not-asked.ts';

export type Watch = {
  connector: ConnectorCode;
  settings: Pick<CarrierSettings, 'authUrl'>;
  circuit: Circuit;
  recorder: CarrierRecorder;
  /** The carrier as the metrics name it. */
  label: string;
};

/**
 * HTTP to a carrier through its circuit, counted. Refusals (400, 401, 404) are answers. A sign-in that fails is a failure, but one that works
 * does not close the circuit: it may be another machine. A call that we broke off ourselves says nothing.
 */
export function watchFetch(
  fetch: CarrierFetch,
  { connector, settings, circuit, recorder, label }: Watch,
): CarrierFetch {
  return async (url, request) => {
    const startedAt = performance.now();
    const measure = (outcome: RequestOutcome): void => {
      recordSeconds('landfall.carrier.request.duration', (performance.now() - startedAt) / 1000, {
        carrier: label,
        outcome,
      });
    };
    const send = async (): Promise<CarrierResponse> => {
      try {
        const response = await fetch(url, request);
        const reason = reasonOf(response);
        measure(outcomeOfAnswer(response));
        if (reason === null) recorder.succeeded(performance.now() - startedAt);
        else recorder.failed(performance.now() - startedAt, reason, `HTTP ${response.status}`);
        return response;
      } catch (error) {
        if (isBrokenOff(request.signal)) throw error;
        const outcome = outcomeOfFault(request.signal);
        measure(outcome);
        const found = outcome === 'timeout' ? 'no answer in time' : 'a connection that failed';
        recorder.failed(performance.now() - startedAt, 'carrier_unreachable', found);
        throw error;
      }
    };
    const isFailure = (response: CarrierResponse): boolean => reasonOf(response) !== null;
    const isFault = (): boolean => !isBrokenOff(request.signal);
    try {
      if (!isSignIn(url, settings)) return await circuit.run(send, isFailure, isFault);
      if (circuit.isPaused()) throw new CircuitOpen();
      return await signIn(send, { circuit, isFailure, isFault });
    } catch (error) {
      if (!(error instanceof CircuitOpen)) throw error;
      annotateSpan({ [notAskedAttribute]: circuitWords(connector, { circuit, recorder }) });
      throw new CarrierUnreachable(error.message);
    }
  };
}

type SignIn = { circuit: Circuit; isFailure: (response: CarrierResponse) => boolean; isFault: () => boolean };

async function signIn(
  send: () => Promise<CarrierResponse>,
  { circuit, isFailure, isFault }: SignIn,
): Promise<CarrierResponse> {
  let response: CarrierResponse;
  try {
    response = await send();
  } catch (error) {
    return circuit.run(() => Promise.reject(error), isFailure, isFault);
  }
  return isFailure(response) ? circuit.run(() => Promise.resolve(response), isFailure, isFault) : response;
}

/** Why an answer counts as a failure of the carrier; null: it does not. */
function reasonOf({ status }: CarrierResponse): TrackingReason | null {
  if (status === 429) return 'carrier_rate_limited';
  return status === 408 || status >= 500 ? 'carrier_unreachable' : null;
}

function isSignIn(url: string, { authUrl }: Pick<CarrierSettings, 'authUrl'>): boolean {
  return authUrl !== null && url.startsWith(authUrl);
}

/** Aborted because the worker stops or the job was lost, not because the carrier took too long. */
function isBrokenOff(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof Error && signal.reason.name === 'TimeoutError');
}
