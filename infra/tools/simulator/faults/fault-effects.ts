import type { ServerResponse } from 'node:http';
import { sleep } from '#shared/async/sleep.ts';
import { eventShapeOf } from './event-shapes.ts';
import type { Fault } from './faults.ts';
import { splitInDocument, spoilContent, withOtherDocument } from './spoil-content.ts';
import { foreignLink, spoilBody } from './spoil-events.ts';

/** A response before it is sent. */
export type Answer = { status: number; headers: Record<string, string>; body: string };

/** The effect of a fault: another response, or bytes that no HTTP library would send. */
export type Effect = { answer: Answer } | { raw: (response: ServerResponse) => Promise<void> };

const errorPage =
  '<!DOCTYPE html><html><head><title>Service Unavailable</title></head><body><h1>We will be back soon</h1></body></html>';
const filler = ' '.repeat(65_536);
const hugeBytes = 40 * 1024 * 1024;

/** Applies a fault to a response of this connector. */
export function effectOf(fault: Fault, answer: Answer, context: { connector: string; nowMs: number }): Effect {
  const json = { 'content-type': 'application/json' };
  const { body } = answer;
  switch (fault.kind) {
    case 'too_many_requests':
      return {
        answer: {
          status: 429,
          headers: { ...json, ...retryAfter(fault, context.nowMs) },
          body: '{"message":"Too many requests"}',
        },
      };
    case 'status':
      return {
        answer: { status: fault.status, headers: json, body: JSON.stringify({ message: `Simulated ${fault.status}` }) },
      };
    case 'secret_changed':
      return { answer: { status: 401, headers: json, body: '{"message":"Unauthorized"}' } };
    case 'html':
      return { answer: { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: errorPage } };
    case 'invalid_json':
      return { answer: { ...answer, body: body.length > 2 ? `${body.slice(0, -1)},,${body.slice(-1)}` : '{,}' } };
    case 'truncated_json':
      return { answer: { ...answer, body: body.slice(0, Math.max(1, Math.floor(body.length * 0.6))) } };
    case 'empty_body':
      return { answer: { ...answer, status: 200, body: '' } };
    case 'gzip_lie':
      return { answer: { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' } } };
    case 'cut_connection':
      return { raw: (response) => sendAndCut(response, answer) };
    case 'reset':
      return { raw: async (response) => void response.socket?.resetAndDestroy() };
    case 'timeout':
      return { raw: (response) => waitAndCut(response, fault.ms) };
    case 'slow_body':
      return { raw: (response) => sendParts(response, answer, { parts: 2, ms: fault.ms }) };
    case 'drip':
      return { raw: (response) => sendParts(response, answer, { parts: 40, ms: fault.ms }) };
    case 'endless_body':
      return { raw: (response) => sendForever(response, answer) };
    case 'reversed_window':
    case 'negative_weight':
    case 'worded_weight':
    case 'many_pieces': {
      const parsed = parse(body);
      return {
        answer:
          parsed === undefined
            ? answer
            : { ...answer, body: JSON.stringify(spoilContent(parsed, context.connector, fault.kind)) },
      };
    }
    case 'proof_not_image':
      return { answer: { ...answer, body: withOtherDocument(body) } };
    case 'huge_proof':
      return { raw: (response) => sendHuge(response, answer) };
    case 'hold':
    case 'token_expired':
      return { answer };
    default:
      return { answer: spoilAnswer(fault, answer, context.connector) };
  }
}

function spoilAnswer(fault: Fault, answer: Answer, connector: string): Answer {
  const headers = { ...answer.headers };
  const current = headers['current-page'];
  if (fault.kind === 'cursor_loop' && current !== undefined)
    Object.assign(headers, { 'next-page': current, 'next-page-cursor': current });
  if (fault.kind === 'foreign_next_link') {
    delete headers['next-page-cursor'];
    Object.assign(headers, { 'next-page': foreignLink, link: `<${foreignLink}>; rel="next"` });
  }
  const body = parse(answer.body);
  return body === undefined
    ? { ...answer, headers }
    : { ...answer, headers, body: JSON.stringify(spoilBody(body, eventShapeOf(connector), fault)) };
}

function retryAfter(fault: Extract<Fault, { kind: 'too_many_requests' }>, nowMs: number): Record<string, string> {
  if (fault.retryAfter === 'none') return {};
  return {
    'retry-after':
      fault.retryAfter === 'seconds' ? String(fault.seconds) : new Date(nowMs + fault.seconds * 1000).toUTCString(),
  };
}

function writeHead(response: ServerResponse, { status, headers }: Answer, length: number | null): void {
  const known = Object.entries(headers).filter(([name]) => name !== 'content-length');
  response.writeHead(status, {
    ...Object.fromEntries(known),
    ...(length === null ? {} : { 'content-length': length }),
  });
}

async function sendAndCut(response: ServerResponse, answer: Answer): Promise<void> {
  const bytes = Buffer.from(answer.body);
  writeHead(response, answer, bytes.length + 1);
  // The bytes must reach the client before the connection is cut.
  await new Promise((resolve) => response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), resolve));
  response.destroy();
}

async function waitAndCut(response: ServerResponse, ms: number): Promise<void> {
  await wait(response, ms);
  response.destroy();
}

async function sendParts(
  response: ServerResponse,
  answer: Answer,
  { parts, ms }: { parts: number; ms: number },
): Promise<void> {
  const bytes = Buffer.from(answer.body);
  const size = Math.max(1, Math.ceil(bytes.length / parts));
  writeHead(response, answer, bytes.length);
  for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
    if (from > 0) await wait(response, ms / (parts - 1));
    response.write(bytes.subarray(from, from + size));
  }
  response.end();
}

/** Sends the response and then blanks until the client disconnects. */
async function sendForever(response: ServerResponse, answer: Answer): Promise<void> {
  writeHead(response, answer, null);
  // A response to HEAD has no body, so it would never fill a buffer and this loop would never end.
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.write(answer.body);
  while (!response.destroyed) {
    if (!response.write(filler)) await roomIn(response);
  }
}

/** Sends the response with 40 MB more in its document. */
async function sendHuge(response: ServerResponse, answer: Answer): Promise<void> {
  const { before, after } = splitInDocument(answer.body);
  const more = Buffer.alloc(65_536, 'A');
  writeHead(response, answer, null);
  response.write(before);
  for (let sent = 0; sent < hugeBytes && !response.destroyed; sent += more.length) {
    if (!response.write(more)) await roomIn(response);
  }
  response.end(after);
}

/** Resolves after this time, or as soon as the client disconnects. */
async function wait(response: ServerResponse, ms: number): Promise<void> {
  const disconnected = new AbortController();
  const end = (): void => disconnected.abort();
  response.once('close', end);
  await sleep(ms, { signal: disconnected.signal });
  response.off('close', end);
}

function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.on('drain', end).on('close', end);
  });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
