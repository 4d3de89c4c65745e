import { Agent, type Dispatcher } from 'undici';
import type { CarrierFetch, CarrierResponse, CarrierSettings } from './carrier.ts';

const maxBodyBytes = 8 * 1024 * 1024;

/**
 * A network failure: connection refused or reset, timeout, or a response body over the limit. The message is safe to
 * log.
 */
export class CarrierUnreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = 'CarrierUnreachable';
  }
}

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
        text: await readText(decoded(body, headers['content-encoding'])),
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

async function readText(body: AsyncIterable<Uint8Array>): Promise<CarrierResponse['text']> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw new CarrierUnreachable(`the response is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

function describeFailure(error: unknown, host: string): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `${host} did not respond in time`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'network error';
  return `${host} is unreachable (${code})`;
}
