import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { batch } from '#shared/async/batch.ts';
import { streamFrames } from '#shared/contract/feed/stream-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { openFeedHub } from '#shared/core/feed/feed-hub.ts';
import type { FeedStream } from '#shared/core/feed/feed-stream.ts';
import { beyondTheEnd } from '#shared/core/feed/list-changes.ts';
import { findEndedAccess, holderOf, type StreamAccess } from '#shared/core/feed/stream-access.ts';
import { type StreamConditions, streamFilterOf } from '#shared/core/feed/stream-filter.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { readFeedEnds } from '#shared/store/feed/feed.ts';
import { openFeedListener } from '#shared/store/feed/feed-listener.ts';
import { openPermits, type PermitLimits } from './open-permits.ts';

/** The open streams of this process. */
export type Streams = {
  /**
   * Opens a stream as the bytes of its response. Throws LandfallError `rate_limited` if too many are open,
   * `validation_failed` if `after` is beyond the end, or `unavailable`.
   */
  open: (stream: NewStream) => Promise<Readable>;
  /** Number of open permits. */
  count: () => number;
  /** Ends all streams, so that their clients reconnect elsewhere, and opens no more. */
  drain: () => void;
  close: () => Promise<void>;
};

export type NewStream = {
  access: StreamAccess;
  test: boolean;
  conditions: StreamConditions;
  after: number | 'latest';
};

export type StreamSettings = {
  databaseUrl: string;
  limits: PermitLimits;
  /** Ends all streams when it aborts. */
  stopping: AbortSignal;
};

type OpenStream = {
  feed: FeedStream;
  body: Readable;
  access: StreamAccess;
  /** Second within the interval in which its heartbeat is due, so that those of all streams are spread. */
  beatsAt: number;
  /** The sequence of its last heartbeat. */
  announced: number;
};

/** All periodic work of all streams: access is looked up once a second, as often as that of requests. */
const tickMs = 1000;
const heartbeatTicks = 15;
/**
 * Ticks between two polls for changes. Polling continues despite notifications, which can be lost with their
 * connection.
 */
const pollTicks = 15;
/** Ticks between two attempts to reconnect the listener. Until it listens again, every tick polls for changes. */
const connectTicks = 5;
const retryAfterS = 5;
/** Of a stream's own buffer; its socket has another one of 64 KiB. */
const bufferBytes = 16_384;
/** Streams of a process that stops come back within this time, not all at once. */
const returnMs = { min: 500, max: 3000 };

export function openStreams(ctx: CoreContext, { databaseUrl, limits, stopping }: StreamSettings): Streams {
  const streams = new Set<OpenStream>();
  const permits = openPermits(limits, tooMany);
  const apart = AsyncLocalStorage.snapshot();
  const hub = openFeedHub(ctx, { encode: streamFrames.change, apart });
  const listener = openFeedListener({
    databaseUrl,
    applicationName: 'landfall-api-feed',
    onGrown: hub.notify,
    onError: (error) => ctx.log.warn({ err: error }, 'feed notifications interrupted; polling'),
  });
  const readEnd = batch<string, number>({
    maxSize: 500,
    maxRunning: 1,
    run: async (accountIds) => {
      const ends = await readFeedEnds(ctx.store, [...new Set(accountIds)]);
      return accountIds.map((accountId) => ends.get(accountId) ?? 0);
    },
  });
  let timer: NodeJS.Timeout | null = null;
  let ticks = 0;
  let isDraining = false;

  const inBackground = (name: string, work: () => Promise<void>): void => {
    work().catch((error: unknown) => ctx.log.warn({ err: error }, `${name} failed; retrying`));
  };

  const tick = (): void => {
    ticks += 1;
    hub.retry();
    const isListening = listener.isListening();
    if (ticks % (isListening ? pollTicks : connectTicks) === 0) inBackground('listening to the feed', listenAgain);
    if (!isListening || ticks % pollTicks === 0) inBackground('polling the feed', hub.poll);
    inBackground('checking the access of streams', endWithoutAccess);
    for (const stream of streams) if (ticks % heartbeatTicks === stream.beatsAt) beat(stream);
  };
  const listenAgain = singly(() => listener.check(ctx.store));

  const endWithoutAccess = singly(async () => {
    const ended = await findEndedAccess(
      ctx,
      [...streams].map(({ access }) => access),
    );
    for (const stream of streams) if (ended.has(stream.access)) stream.body.push(null);
  });

  const start = (): void => {
    timer ??= apart(() => setInterval(tick, tickMs));
    if (!listener.isListening()) apart(() => inBackground('listening to the feed', listenAgain));
  };

  const drain = (): void => {
    isDraining = true;
    for (const { body } of streams) {
      body.push(streamFrames.end(Math.round(returnMs.min + Math.random() * (returnMs.max - returnMs.min))));
      body.push(null);
    }
  };
  stopping.addEventListener('abort', drain, { once: true });

  return {
    open: async ({ access, test, conditions, after }) => {
      const release = permits.take(access.accountId, holderOf(access));
      try {
        if (isDraining) throw restarting();
        const { accountId } = access;
        const given = await readEnd(accountId);
        if (isDraining) throw restarting();
        if (after !== 'latest' && after > given) throw beyondTheEnd(given);
        const sequence = after === 'latest' ? given : after;
        const opened = createStream({ access, test, conditions, sequence, given });
        opened.body.once('close', release);
        return opened.body;
      } catch (error) {
        release();
        throw error;
      }
    },
    count: () => streams.size,
    drain,
    close: async () => {
      drain();
      clearInterval(timer ?? undefined);
      await listener.close();
    },
  };

  function createStream(of: Omit<NewStream, 'after'> & { sequence: number; given: number }): OpenStream {
    const { access, test, conditions, sequence, given } = of;
    const body = new Readable({
      highWaterMark: bufferBytes,
      read: () => hub.resume(stream.feed),
      destroy: (error, done) => {
        hub.close(stream.feed);
        streams.delete(stream);
        if (streams.size === 0 && timer !== null) {
          clearInterval(timer);
          timer = null;
        }
        done(error);
      },
    });
    const write = (frame: Uint8Array): boolean => body.push(frame);
    const stream: OpenStream = {
      feed: hub.open(
        { accountId: access.accountId, test },
        {
          filter: streamFilterOf(conditions),
          output: { change: write, gap: (gap) => write(streamFrames.gap(gap)) },
          sequence,
          given,
        },
      ),
      body,
      access,
      beatsAt: streams.size % heartbeatTicks,
      announced: sequence,
    };
    body.push(streamFrames.start(sequence));
    streams.add(stream);
    start();
    return stream;
  }

  /** Moves the sequence of a client that no change has reached, so that it never resumes from long ago. */
  function beat(stream: OpenStream): void {
    const { feed, body } = stream;
    if (feed.isFull) return;
    if (!body.push(streamFrames.heartbeat(feed.sequence === stream.announced ? null : feed.sequence)))
      feed.isFull = true;
    stream.announced = feed.sequence;
  }
}

function restarting(): LandfallError {
  return new LandfallError('unavailable', 'The server is restarting. Reconnect.', { retryAfterS: 1 });
}

/** Runs the work unless it is running. */
function singly(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    await work().finally(() => {
      isRunning = false;
    });
  };
}

function tooMany(of: string, max: number): LandfallError {
  const detail = `Too many open streams ${of} (limit ${max}). Close one first.`;
  return new LandfallError('rate_limited', detail, { retryAfterS });
}
