import { Agent, type Dispatcher } from 'undici';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingReason } from '#shared/domain/shipments/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { recordSeconds } from '#shared/telemetry/instruments.ts';
import type { CarrierFetch, CarrierResponse, CarrierSettings } from '../carriers/carrier.ts';
import { CarrierUnreachable, isRefusingPage } from '../carriers/fetch-failure.ts';
import type { CarrierRecorder } from '../credentials/carrier-health.ts';
import { type Circuit, CircuitOpen } from '../pacing/circuit.ts';
import { describeOpenCircuit, notAskedAttribute } from './why-not-asked.ts';

export type CircuitOptions = {
  connector: ConnectorCode;
  settings: Pick<CarrierSettings, 'authUrl'>;
  circuit: Circuit;
  recorder: CarrierRecorder;
  /** The carrier's name in metrics. */
  label: string;
};

/**
 * HTTP to a carrier through its circuit, measured. Refusals (400, 401, 404) don't count as failures. A failed sign-in
 * does, but a successful one doesn't close the circuit, because another host may serve it. A call that we abort
 * ourselves counts as neither.
 */
export function throughCircuit(fetch: CarrierFetch, options: CircuitOptions): CarrierFetch {
  const { connector, settings, circuit, recorder, label } = options;
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
        if (isAborted(request.signal)) throw error;
        const outcome = outcomeOfFault(request.signal);
        measure(outcome);
        const failure = outcome === 'timeout' ? 'a timeout' : 'a connection failure';
        recorder.failed(performance.now() - startedAt, 'carrier_unreachable', failure);
        throw error;
      }
    };
    const isFailure = (response: CarrierResponse): boolean => reasonOf(response) !== null;
    const isFault = (): boolean => !isAborted(request.signal);
    try {
      if (!isSignIn(url, settings)) return await circuit.run(send, isFailure, isFault);
      if (circuit.isPaused()) throw new CircuitOpen();
      return await signIn(send, { circuit, isFailure, isFault });
    } catch (error) {
      if (!(error instanceof CircuitOpen)) throw error;
      annotateSpan({ [notAskedAttribute]: describeOpenCircuit(connector, { circuit, recorder }) });
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

/** Why a response counts as a failure of the carrier; null if it doesn't. */
function reasonOf(response: CarrierResponse): TrackingReason | null {
  const { status } = response;
  if (status === 429) return 'carrier_rate_limited';
  if (isRefusingPage(response)) return 'carrier_unreachable';
  return status === 408 || status >= 500 ? 'carrier_unreachable' : null;
}

function isSignIn(url: string, { authUrl }: Pick<CarrierSettings, 'authUrl'>): boolean {
  return authUrl !== null && url.startsWith(authUrl);
}

/** Aborted because the worker stops or the job was lost, and not by a timeout. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof Error && signal.reason.name === 'TimeoutError');
}

/** How a call to a carrier ended, in the metric of calls. */
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

/** All carriers send JSON, so a response that doesn't start like JSON, such as a gateway's page, is unreadable. */
export function outcomeOfAnswer({
  status,
  text,
  unknownCharset,
}: Pick<CarrierResponse, 'status' | 'text' | 'unknownCharset'>): RequestOutcome {
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 408) return 'timeout';
  if (status >= 500) return 'server_error';
  if (status >= 400) return 'client_error';
  if (unknownCharset !== undefined) return 'unreadable';
  return text === '' || /^\s*["[{]/.test(text) ? 'ok' : 'unreadable';
}

/** For a call without a response; `signal` is the one it was sent with. */
export function outcomeOfFault(signal: AbortSignal): RequestOutcome {
  return signal.aborted ? 'timeout' : 'connection';
}

const maxBodyBytes = 8 * 1024 * 1024;

/** Keep-alive connections to the carriers. Close it when the worker stops. */
export function openCarrierAgent(): Agent {
  return new Agent({
    connections: 32,
    connectTimeout: 5000,
    headersTimeout: 20_000,
    bodyTimeout: 20_000,
    keepAliveTimeout: 20_000,
    maxHeaderSize: 32_768,
  });
}

/** HTTP for one connector: only to the origins of its own settings, without following redirects. */
export function createCarrierFetch(agent: Agent, settings: Pick<CarrierSettings, 'baseUrl' | 'authUrl'>): CarrierFetch {
  const origins = new Set(
    [settings.baseUrl, settings.authUrl].filter((url) => url !== null).map((url) => new URL(url).origin),
  );
  return async (url, request) => {
    const target = new URL(url);
    if (!origins.has(target.origin))
      throw new CarrierUnreachable(`blocked a call to ${target.origin}: not the configured carrier`);
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: request.method ?? 'GET',
        headers: { 'user-agent': 'landfall', 'accept-encoding': 'gzip, deflate', ...request.headers },
        body: request.body ?? null,
        signal: request.signal,
      });
      return {
        status: statusCode,
        headers: headersOf(headers),
        ...textOf(await readBytes(decoded(body, headers['content-encoding'])), headers['content-type']),
      };
    } catch (error) {
      if (error instanceof CarrierUnreachable) throw error;
      throw new CarrierUnreachable(describeFailure(error, target.host), error);
    }
  };
}

function headersOf(fields: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each);
  }
  return headers;
}

/** Decompressed here, so that the size limit applies to the decompressed body. */
function decoded(
  body: Dispatcher.ResponseData['body'],
  coding: string | string[] | undefined,
): AsyncIterable<Uint8Array> {
  const name = String(coding ?? '').toLowerCase();
  if (name === '' || name === 'identity') return body;
  const format = name === 'gzip' || name === 'x-gzip' ? 'gzip' : name === 'deflate' ? 'deflate' : null;
  if (format === null) {
    body.destroy();
    throw new CarrierUnreachable(`the response has an unsupported content encoding (${name.slice(0, 40)})`);
  }
  return ReadableStream.from<Uint8Array>(body).pipeThrough(new DecompressionStream(format));
}

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw new CarrierUnreachable(`the response is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body in the charset that its type states, which is UTF-8 by default (RFC 8259). */
function textOf(
  bytes: Uint8Array,
  contentType: string | string[] | undefined,
): Pick<CarrierResponse, 'text' | 'unknownCharset'> {
  const charset = /;\s*charset\s*=\s*"?([^\s";,]{1,40})/i.exec(String(contentType ?? ''))?.[1] ?? 'utf-8';
  try {
    return { text: new TextDecoder(charset).decode(bytes) };
  } catch {
    return { text: '', unknownCharset: charset };
  }
}

function describeFailure(error: unknown, host: string): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `${host} did not respond in time`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'network error';
  return `${host} is unreachable (${code})`;
}
