import type { WireChange } from '#shared/contract/feed/change-wire.ts';
import { createStreamReader } from '#shared/contract/feed/stream-reader.ts';
import { readJson } from './call.ts';
import { problemOf } from './problem-error.ts';

/** Changes of one read of the stream. `lastId` null: no event with an id. */
export type StreamPart = { changes: WireChange[]; gap: boolean; lastId: number | null; retryMs: number | null };

/**
 * Reason for the end of a stream. `isWithheld`: nothing has arrived, so something on the way probably buffers it.
 * `retryMs`: the server's delay before the next request.
 */
export type StreamEnd = { isWithheld: boolean; retryMs: number };

/** The server sends its first bytes at once. */
const firstBytesMs = 5000;
/** It sends something every 15 s. */
const maxSilenceMs = 25_000;
const defaultRetryMs = 1000;

/**
 * Reads a stream of server-sent events until it ends, falls silent, or the signal aborts. Throws `ProblemError` if it is
 * refused, and when the connection breaks before the first bytes.
 */
export async function followStream(
  open: (signal: AbortSignal) => Promise<Response>,
  onPart: (part: StreamPart) => void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const silence = new AbortController();
  const joined = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), firstBytesMs);
  let hasBytes = false;
  let retryMs = defaultRetryMs;
  try {
    const response = await open(joined);
    if (!response.ok || response.body === null)
      throw problemOf(response.status, readJson(await response.text()), response.headers);
    const readPart = createPartReader();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      hasBytes = true;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), maxSilenceMs);
      const part = readPart(value);
      retryMs = part.retryMs ?? retryMs;
      onPart(part);
    }
  } catch (error) {
    // Received changes count: the next stream continues after them.
    if (!hasBytes && !joined.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return { isWithheld: !hasBytes && !signal.aborted, retryMs };
}

/** Returns a function that parses chunks and keeps the incomplete rest of each for the next one. */
export function createPartReader(): (chunk: Uint8Array) => StreamPart {
  const read = createStreamReader();
  return (chunk) => {
    const part: StreamPart = { changes: [], gap: false, lastId: null, retryMs: null };
    for (const { id, event, data, retryMs } of read(chunk)) {
      part.lastId = id ?? part.lastId;
      part.retryMs = retryMs ?? part.retryMs;
      if (event === 'feed.gap') part.gap = true;
      else if (data !== null) part.changes.push(JSON.parse(data) as WireChange);
    }
    return part;
  };
}
