import { createYield } from '#shared/async/yield-event-loop.ts';
import type { Change } from '#shared/domain/feed/change.ts';
import { type FeedPage, readFeed, readFeedEnds } from '#shared/store/feed/feed.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import {
  type FeedStream,
  fitting,
  framesOf,
  gapAfter,
  give,
  maxPageSize,
  type StreamChannel,
  type StreamOutput,
} from './feed-stream.ts';
import { logUnreadable } from './list-changes.ts';
import type { StreamFilter } from './stream-filter.ts';

export type FeedHub = {
  /** The stream continues after `sequence`, which must not be beyond `given`, the end of its feed. */
  open: (feed: { accountId: string; test: boolean }, stream: NewStream) => FeedStream;
  /** The output takes changes again. */
  resume: (stream: FeedStream) => void;
  close: (stream: FeedStream) => void;
  /** These feeds have grown. Null: any of them may have. */
  notify: (accountIds: readonly string[] | null) => void;
  /** Looks for changes that no notification has announced. */
  poll: () => Promise<void>;
  /** Tries again what could not be read. */
  retry: () => void;
};

export type NewStream = { filter: StreamFilter; output: StreamOutput; sequence: number; given: number };

export type FeedHubOptions = {
  encode: (change: Change) => Uint8Array;
  /** Runs a function outside the trace of the request that caused it. */
  apart: (work: () => void) => void;
};

const livePageSize = 200;

/**
 * Gives the changes of each feed to its streams. One page is read at a time in a process, of one channel after the
 * other: each new change once for all streams of its channel, and a page for those that catch up.
 */
export function openFeedHub(ctx: CoreContext, { encode, apart }: FeedHubOptions): FeedHub {
  const channels = new Map<string, Map<boolean, StreamChannel>>();
  const turns = new Set<StreamChannel>();
  const failed = new Set<StreamChannel>();
  let isReading = false;

  const schedule = (channel: StreamChannel): void => {
    if (!channel.hasNews && channel.behind.size === 0) return;
    turns.add(channel);
    if (isReading) return;
    isReading = true;
    apart(() => void readAll());
  };

  const readAll = async (): Promise<void> => {
    for (const channel of turns) {
      turns.delete(channel);
      try {
        if (channel.hasNews) await readNews(channel);
        await catchUp(channel);
        // Behind all others that wait for their turn.
        if (channel.hasNews || channel.behind.size > 0) turns.add(channel);
      } catch (error) {
        failed.add(channel);
        ctx.log.warn({ err: error, accountId: channel.accountId }, 'feed not read for streams; retrying');
      }
    }
    isReading = false;
  };

  const read = async (
    { accountId, test }: StreamChannel,
    after: number,
    filter: StreamFilter | null,
    limit: number,
  ): Promise<FeedPage> => {
    const page = await withAccountReads(ctx.store, accountId, (tx) =>
      readFeed(tx, accountId, {
        test,
        after,
        limit,
        types: filter?.types ?? null,
        shipmentId: filter?.shipmentId ?? null,
        eventKeys: filter?.eventKeys ?? null,
        withMarks: filter === null,
      }),
    );
    logUnreadable(ctx, accountId, page);
    return page;
  };
  const openFrames = ({ accountId }: StreamChannel) =>
    framesOf(encode, (unreadable) => logUnreadable(ctx, accountId, { unreadable: [unreadable] }));

  const readNews = async (channel: StreamChannel): Promise<void> => {
    channel.hasNews = false;
    const page = await read(channel, channel.end, null, livePageSize).catch((error: unknown) => {
      channel.hasNews = true;
      throw error;
    });
    const current = [...channel.streams].filter((stream) => !stream.isBehind);
    if (gapAfter(channel.end, page) !== null) for (const stream of current) fallBehind(stream);
    // From here on, a stream that opens before this is behind.
    channel.end = Math.max(channel.end, page.end);
    channel.hasNews ||= page.hasMore;
    const frameOf = openFrames(channel);
    const yieldIfDue = createYield();
    for (const stream of current) {
      if (stream.isBehind || stream.isClosed) continue;
      if (give(stream, page, frameOf)) stream.sequence = Math.max(stream.sequence, channel.end);
      else fallBehind(stream);
      await yieldIfDue();
    }
  };

  /** Reads a page for the stream whose turn it is, and for others that want the same. */
  const catchUp = async (channel: StreamChannel): Promise<void> => {
    const [first] = channel.behind;
    if (first === undefined) return;
    const { sequence, filter, pageSize } = first;
    const group = [...channel.behind].filter((other) => other.sequence === sequence && other.filter === filter);
    const page = await read(channel, sequence, filter, pageSize);
    const gap = gapAfter(sequence, page);
    const frameOf = openFrames(channel);
    const yieldIfDue = createYield();
    for (const stream of group) {
      channel.behind.delete(stream);
      if (stream.isClosed) continue;
      if (gap !== null) {
        if (!stream.output.gap({ after: sequence, nextAfter: gap })) stream.isFull = true;
        stream.sequence = gap;
      }
      const given = give(stream, page, frameOf);
      if (given) stream.sequence = page.end;
      stream.pageSize = given ? Math.min(maxPageSize, stream.pageSize * 2) : fitting(stream, page);
      if (given && !page.hasMore && page.searchedTo === null && stream.sequence >= channel.end) stream.isBehind = false;
      else if (!stream.isFull) channel.behind.add(stream);
      await yieldIfDue();
    }
  };

  const fallBehind = (stream: FeedStream): void => {
    stream.isBehind = true;
    if (!stream.isFull) stream.channel.behind.add(stream);
  };

  return {
    open: ({ accountId, test }, { given, sequence, ...stream }) => {
      const channel = channelOf(channels, { accountId, test, end: given });
      const opened: FeedStream = {
        ...stream,
        channel,
        sequence,
        isFull: false,
        isBehind: sequence < Math.max(given, channel.end),
        isClosed: false,
        pageSize: maxPageSize,
      };
      channel.streams.add(opened);
      if (opened.isBehind) channel.behind.add(opened);
      channel.hasNews ||= channel.end < given;
      schedule(channel);
      return opened;
    },
    resume: (stream) => {
      if (!stream.isFull || stream.isClosed) return;
      stream.isFull = false;
      if (!stream.isBehind) return;
      stream.channel.behind.add(stream);
      schedule(stream.channel);
    },
    close: (stream) => {
      const { channel } = stream;
      stream.isClosed = true;
      channel.streams.delete(stream);
      channel.behind.delete(stream);
      if (channel.streams.size > 0) return;
      turns.delete(channel);
      failed.delete(channel);
      const ofAccount = channels.get(channel.accountId);
      if (ofAccount?.get(channel.test) === channel) ofAccount.delete(channel.test);
      if (ofAccount?.size === 0) channels.delete(channel.accountId);
    },
    notify: (accountIds) => {
      for (const accountId of accountIds ?? channels.keys())
        for (const channel of channels.get(accountId)?.values() ?? []) {
          channel.hasNews = true;
          schedule(channel);
        }
    },
    poll: async () => {
      const all = [...channels.values()].flatMap((ofAccount) => [...ofAccount.values()]);
      if (all.length === 0) return;
      const ends = await readFeedEnds(ctx.store, [...channels.keys()]);
      for (const channel of all) {
        channel.hasNews ||= (ends.get(channel.accountId) ?? 0) > channel.end;
        schedule(channel);
      }
    },
    retry: () => {
      for (const channel of failed) schedule(channel);
      failed.clear();
    },
  };
}

function channelOf(
  channels: Map<string, Map<boolean, StreamChannel>>,
  { accountId, test, end }: Pick<StreamChannel, 'accountId' | 'test' | 'end'>,
): StreamChannel {
  const ofAccount = channels.get(accountId) ?? new Map<boolean, StreamChannel>();
  channels.set(accountId, ofAccount);
  const known = ofAccount.get(test);
  if (known !== undefined) return known;
  const made: StreamChannel = { accountId, test, end, hasNews: false, streams: new Set(), behind: new Set() };
  ofAccount.set(test, made);
  return made;
}
