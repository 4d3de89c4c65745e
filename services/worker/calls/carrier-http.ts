import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { recordSeconds } from '#shared/telemetry/instruments.ts';
import type { CarrierFetch, CarrierResponse, CarrierSettings } from '../carriers/carrier.ts';
import { CarrierUnreachable, isRefusingPage } from '../carriers/fetch-failure.ts';
import type { CarrierRecorder } from '../pacing/carrier-health.ts';
import { type Circuit, CircuitOpen, type EvaluatedCall } from '../pacing/circuit.ts';
import { describeOpenCircuit, notAskedAttribute } from '../pacing/why-not-asked.ts';

export type CircuitCallOptions = {
  connector: ConnectorCode;
  settings: Pick<CarrierSettings, 'authUrl'>;
  circuit: Circuit;
  recorder: CarrierRecorder;
  /** The carrier's name in metrics. */
  label: string;
  /** The shipments that the calls are about. */
  about: readonly string[];
};

/**
 * HTTP to a carrier through its circuit, measured. Refusals (400, 401, 404) don't count as failures. A failed sign-in
 * does, but a successful one doesn't close the circuit, because another host may serve it. A call that we abort
 * ourselves counts as neither.
 */
export function throughCircuit(fetch: CarrierFetch, options: CircuitCallOptions): CarrierFetch {
  const { connector, settings, circuit, recorder, label, about } = options;
  return async (url, request) => {
    const startedAt = performance.now();
    const measure = (outcome: RequestOutcome): void => {
      recordSeconds('landfall.carrier.request.duration', (performance.now() - startedAt) / 1000, {
        carrier: label,
        outcome,
      });
    };
    // A document that is too large says nothing about the carrier, and anybody may ask for it again and again.
    const evaluate = (response: CarrierResponse) =>
      request.document !== undefined && response.status < 400 ? null : reasonOf(response);
    const send = async (): Promise<CarrierResponse> => {
      try {
        const response = await fetch(url, request);
        const reason = evaluate(response);
        measure(outcomeOfAnswer(response));
        if (reason === null) recorder.succeeded(performance.now() - startedAt);
        else recorder.failed(performance.now() - startedAt, reason, response.unreadable ?? `HTTP ${response.status}`);
        return response;
      } catch (error) {
        if (isAborted(request.signal)) throw error;
        const outcome = outcomeOfFault(request.signal);
        measure(outcome);
        const failure = outcome === 'timeout' ? 'a timeout' : 'a connection failure';
        recorder.failed(performance.now() - startedAt, 'carrier_unreachable', failure);
        throw error;
      }
    };
    const evaluated: EvaluatedCall<CarrierResponse> = {
      isFailure: (response) => evaluate(response) !== null,
      isFault: () => !isAborted(request.signal),
      about,
    };
    try {
      if (!isSignIn(url, settings)) return await circuit.run(send, evaluated);
      if (circuit.isPaused()) throw new CircuitOpen();
      // Whichever shipment asked for the token, all of them need it.
      return await signIn(send, circuit, { ...evaluated, about: [] });
    } catch (error) {
      if (!(error instanceof CircuitOpen)) throw error;
      annotateSpan({ [notAskedAttribute]: describeOpenCircuit(connector, { circuit, recorder }) });
      throw new CarrierUnreachable(error.message);
    }
  };
}

async function signIn(
  send: () => Promise<CarrierResponse>,
  circuit: Circuit,
  evaluated: EvaluatedCall<CarrierResponse>,
): Promise<CarrierResponse> {
  let response: CarrierResponse;
  try {
    response = await send();
  } catch (error) {
    return circuit.run(() => Promise.reject(error), evaluated);
  }
  return evaluated.isFailure(response) ? circuit.run(() => Promise.resolve(response), evaluated) : response;
}

/** Returns the reason why a response counts as a failure of the carrier, or null. */
function reasonOf(response: CarrierResponse): TrackingReason | null {
  const { status } = response;
  if (status === 429) return 'carrier_rate_limited';
  if (isRefusingPage(response) || status === 408 || status >= 500) return 'carrier_unreachable';
  return status < 400 && response.unreadable !== undefined ? 'unrecognized_response' : null;
}

function isSignIn(url: string, { authUrl }: Pick<CarrierSettings, 'authUrl'>): boolean {
  return authUrl !== null && url.startsWith(authUrl);
}

/** Aborted because the worker stops or the job was lost, and not by a timeout. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof Error && signal.reason.name === 'TimeoutError');
}

/** Outcome of a call to a carrier, in the metric of calls. */
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

/** All carriers send JSON, except documents, so a response that doesn't start like JSON, such as a gateway's page, is unreadable. */
export function outcomeOfAnswer({
  status,
  text,
  bytes,
  unreadable,
}: Pick<CarrierResponse, 'status' | 'text' | 'bytes' | 'unreadable'>): RequestOutcome {
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 408) return 'timeout';
  if (status >= 500) return 'server_error';
  if (status >= 400) return 'client_error';
  if (unreadable !== undefined) return 'unreadable';
  return bytes !== undefined || text === '' || /^\s*["[{]/.test(text) ? 'ok' : 'unreadable';
}

/** For a call without a response; `signal` is the one it was sent with. */
export function outcomeOfFault(signal: AbortSignal): RequestOutcome {
  return signal.aborted ? 'timeout' : 'connection';
}
