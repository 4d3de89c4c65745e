import process from 'node:process';
import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { endpointOf, keyOf, sendsKeyInClear } from './endpoint.ts';

/** A tool call ends after 10 s on the server. */
const timeoutMs = 30_000;
/** JSON-RPC 2.0: the server's own error. */
const internalError = -32_603;

/**
 * Runs inside the MCPB file: passes each message of the client to Landfall and each response back. It adds the
 * API key, and nothing else: the tools and their texts are always those of the server.
 */
async function main({ LANDFALL_ADDRESS = '', LANDFALL_KEY = '' }: NodeJS.ProcessEnv): Promise<void> {
  const client = new StdioServerTransport();
  const landfall = openTransport(LANDFALL_ADDRESS, LANDFALL_KEY);
  client.onclose = () => void landfall.transport?.close();
  client.onerror = report;
  client.onmessage = (message) => {
    landfall.send(message).catch((error: unknown) => {
      report(error);
      if ('method' in message && 'id' in message) void client.send(errorAnswer(message.id, error)).catch(report);
    });
  };
  if (landfall.transport !== null) {
    const { transport } = landfall;
    transport.onerror = report;
    transport.onmessage = (message) => {
      keepVersion(transport, message);
      client.send(message).catch(report);
    };
    await transport.start();
  }
  await client.start();
}

type Landfall = { transport: StreamableHTTPClientTransport | null; send: (message: JSONRPCMessage) => Promise<void> };

/** Invalid settings become the answer to every request, because clients don't show what a process prints. */
function openTransport(address: string, pasted: string): Landfall {
  try {
    const endpoint = endpointOf(address);
    const key = keyOf(pasted);
    if (sendsKeyInClear(endpoint)) report(`the key is sent unencrypted to ${endpoint.host}: use https://`);
    const transport = new StreamableHTTPClientTransport(endpoint, {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: (url, init) => fetchPlainly(new URL(url), init),
    });
    return { transport, send: (message) => transport.send(message) };
  } catch (error) {
    return { transport: null, send: () => Promise.reject(error) };
  }
}

/**
 * Passes on JSON-RPC errors, which Landfall sends with a status of HTTP, and turns other failures into a sentence for
 * the person in front of the client.
 */
async function fetchPlainly(url: URL, init: RequestInit = {}): Promise<Response> {
  if (init.method !== 'POST') return fetch(url, init);
  const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
  const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) }).catch((error: unknown) => {
    throw new Error(`Landfall can't be reached at ${url.origin}: ${causeOf(error)}`);
  });
  if (response.ok || response.status < 400) return response;
  const body = readJson(await response.text());
  if (body?.jsonrpc === '2.0') return Response.json(body);
  throw new Error(`Landfall refused the request (HTTP ${response.status}). ${body?.detail ?? ''}`.trim());
}

/** From the response to `initialize` on, requests carry the negotiated revision. */
function keepVersion(transport: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { protocolVersion } = message.result as { protocolVersion?: unknown };
  if (typeof protocolVersion === 'string') transport.setProtocolVersion(protocolVersion);
}

function errorAnswer(id: string | number, error: unknown): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: internalError, message: messageOf(error) } };
}

function readJson(text: string): { jsonrpc?: string; detail?: string } | null {
  try {
    return JSON.parse(text) as { jsonrpc?: string; detail?: string } | null;
  } catch {
    return null;
  }
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? messageOf(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The client's log. Standard output belongs to the protocol. */
function report(error: unknown): void {
  process.stderr.write(`landfall: ${messageOf(error)}\n`);
}

await main(process.env);
