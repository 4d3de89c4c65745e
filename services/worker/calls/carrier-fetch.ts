import { Agent, type Dispatcher } from 'undici';
import type { CarrierFetch, CarrierResponse, CarrierSettings, DocumentRequest } from '../carriers/carrier.ts';
import { CarrierUnreachable } from '../carriers/fetch-failure.ts';
import { acceptedCodings, BodyUnreadable, decodeBody } from './decode-body.ts';

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

/** An error page or a token response is never longer. */
const maxSmallBodyBytes = 65_536;

export type CarrierFetchOptions = {
  settings: Pick<CarrierSettings, 'baseUrl' | 'authUrl'>;
  /** The connector's limit for a decoded response body. */
  maxBodyBytes: number;
};

/** HTTP for one connector: only to the origins of its own settings, without following redirects. */
export function createCarrierFetch(agent: Agent, { settings, maxBodyBytes }: CarrierFetchOptions): CarrierFetch {
  const { baseUrl, authUrl } = settings;
  const origins = new Set([baseUrl, authUrl].filter((url) => url !== null).map((url) => new URL(url).origin));
  return async (url, request) => {
    const target = new URL(url);
    if (!origins.has(target.origin))
      throw new CarrierUnreachable(`blocked a call to ${target.origin}: not the configured carrier`);
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: request.method ?? 'GET',
        headers: { 'user-agent': 'landfall', 'accept-encoding': acceptedCodings, ...request.headers },
        body: request.body ?? null,
        signal: request.signal,
      });
      // A destroyed body emits an error, which would end the process if only the iterator listened.
      body.on('error', () => {});
      const isSmall = statusCode >= 400 || (authUrl !== null && url.startsWith(authUrl));
      const { maxBytes: ofAnswer = maxBodyBytes, asBytes = false } = request.document ?? {};
      const maxBytes = isSmall ? Math.min(maxSmallBodyBytes, maxBodyBytes) : ofAnswer;
      const read = await bodyOf(body, headers, { maxBytes, asBytes: asBytes && !isSmall });
      return { status: statusCode, headers: headersOf(headers), ...read };
    } catch (error) {
      if (error instanceof CarrierUnreachable) throw error;
      throw new CarrierUnreachable(describeFailure(error, target.host), error);
    }
  };
}

type ResponseFields = Dispatcher.ResponseData['headers'];

function headersOf(fields: ResponseFields): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each);
  }
  return headers;
}

/** The decoded body, or why it can't be read: a status says enough without its body. */
async function bodyOf(
  body: AsyncIterable<Uint8Array>,
  fields: ResponseFields,
  { maxBytes, asBytes }: DocumentRequest,
): Promise<Pick<CarrierResponse, 'text' | 'bytes' | 'unreadable'>> {
  try {
    const encoded = await readBytes(body, maxBytes);
    const bytes = await decodeBody(encoded, String(fields['content-encoding'] ?? ''), maxBytes);
    if (asBytes) return { text: '', bytes };
    return { text: decoderOf(String(fields['content-type'] ?? '')).decode(bytes) };
  } catch (error) {
    if (error instanceof BodyUnreadable) return { text: '', unreadable: error.message };
    throw error;
  }
}

async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw BodyUnreadable.tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** For the charset that the type states, which is UTF-8 by default (RFC 8259). */
function decoderOf(contentType: string): { decode: (bytes: Uint8Array) => string } {
  const charset = /;\s*charset\s*=\s*"?([^\s";,]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    throw new BodyUnreadable(`the response of the carrier has an unknown charset (${charset})`);
  }
}

function describeFailure(error: unknown, host: string): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `${host} did not respond in time`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'network error';
  return `${host} is unreachable (${code})`;
}
