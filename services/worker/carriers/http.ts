import { Agent, fetch } from 'undici';
import type { CarrierFetch, CarrierResponse, CarrierSettings } from './carrier.ts';

const maxBodyBytes = 8 * 1024 * 1024;

/** The network, not the carrier's answer, failed: refused, cut, timed out, or a body over the cap. The message is safe to log. */
export class CarrierUnreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = 'CarrierUnreachable';
  }
}

/** Connections to the carriers, kept alive; closed when the worker stops. */
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
  const origins = new Set([settings.baseUrl, settings.authUrl].filter((url) => url !== null).map((url) => new URL(url).origin));
  return async (url, request) => {
    const target = new URL(url);
    if (!origins.has(target.origin)) throw new CarrierUnreachable(`refused to call ${target.origin}: it is not the configured carrier`);
    try {
      // fetch undoes the content coding, so that the cap counts what would be kept in memory.
      const response = await fetch(target, {
        method: request.method ?? 'GET',
        headers: { 'user-agent': 'landfall', ...request.headers },
        body: request.body ?? null,
        redirect: 'manual',
        signal: request.signal,
        dispatcher: agent,
      });
      return { status: response.status, headers: new Headers([...response.headers]), text: await readText(response.body) };
    } catch (error) {
      if (error instanceof CarrierUnreachable) throw error;
      throw new CarrierUnreachable(describeFailure(error, target.host), error);
    }
  };
}

async function readText(body: AsyncIterable<Uint8Array> | null): Promise<CarrierResponse['text']> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw new CarrierUnreachable(`the answer is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function describeFailure(error: unknown, host: string): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return `${host} gave no answer in time`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'network error';
  return `${host} could not be reached (${code})`;
}
