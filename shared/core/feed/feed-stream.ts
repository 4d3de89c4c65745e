import type { Change } from '#shared/domain/feed/change.ts';
import type { FeedPage } from '#shared/store/feed/feed.ts';
import type { FoundChange, UnreadableChange } from '#shared/store/feed/feed-rows.ts';
import { mayPass, passes, type StreamFilter } from './stream-filter.ts';

/** Receiver of a stream's events. It encodes them; the hub only decides their order. */
export type StreamOutput = {
  /** Takes a change as encoded by `encode`. False: nothing more until `resume`, but this one is taken. */
  change: (frame: Uint8Array) => boolean;
  gap: (gap: { after: number; nextAfter: number }) => boolean;
};

/** An open stream. Every matching change up to `sequence` has been given to its output. */
export type FeedStream = {
  readonly channel: StreamChannel;
  readonly filter: StreamFilter;
  readonly output: StreamOutput;
  sequence: number;
  /** The output takes nothing for now. */
  isFull: boolean;
  /** It has not got everything that its channel has read, and catches up with pages of its own. */
  isBehind: boolean;
  isClosed: boolean;
  /** Changes of a page of its own. Fewer where its output takes fewer at a time: the rest is read again. */
  pageSize: number;
};

/** The live or the test feed of an account, while it has streams. */
export type StreamChannel = {
  readonly accountId: string;
  readonly test: boolean;
  /** Up to here, changes have been read for all streams. */
  end: number;
  hasNews: boolean;
  readonly streams: Set<FeedStream>;
  /** In turn. */
  readonly behind: Set<FeedStream>;
};

export const maxPageSize = 100;
const minPageSize = 5;

/** A change as bytes. Null: it can't be encoded. */
export type FrameOf = (change: FoundChange) => Uint8Array | null;

/**
 * Gives matching changes to a stream until its output is full, and a gap in place of one that can't be read. False: it
 * has not been given all of them.
 */
export function give(stream: FeedStream, page: Pick<FeedPage, 'changes' | 'unreadable'>, frameOf: FrameOf): boolean {
  for (const change of inOrder(page)) {
    if (change.sequence <= stream.sequence) continue;
    const isReadable = 'data' in change;
    if (isReadable ? passes(stream.filter, change) : mayPass(stream.filter, change)) {
      if (stream.isFull) return false;
      const frame = isReadable ? frameOf(change) : null;
      const gap = { after: stream.sequence, nextAfter: change.sequence };
      if (!(frame === null ? stream.output.gap(gap) : stream.output.change(frame))) stream.isFull = true;
    }
    stream.sequence = change.sequence;
  }
  return true;
}

function inOrder({
  changes,
  unreadable,
}: Pick<FeedPage, 'changes' | 'unreadable'>): readonly (FoundChange | UnreadableChange)[] {
  if (unreadable.length === 0) return changes;
  return [...changes, ...unreadable].sort((left, right) => left.sequence - right.sequence);
}

/** Encodes each change once, and only if a stream gets it. */
export function framesOf(
  encode: (change: Change) => Uint8Array,
  onUnreadable: (unreadable: UnreadableChange) => void,
): FrameOf {
  const frames = new Map<FoundChange, Uint8Array | null>();
  const frameOf = (change: FoundChange): Uint8Array | null => {
    try {
      return encode(change);
    } catch (error) {
      onUnreadable({ ...change, error });
      return null;
    }
  };
  return (change) => {
    const known = frames.get(change);
    if (known !== undefined) return known;
    const frame = frameOf(change);
    frames.set(change, frame);
    return frame;
  };
}

/** From where the feed continues, if changes after this sequence are missing from the page. Null: none are. */
export function gapAfter(sequence: number, { removed, skippedTo }: FeedPage): number | null {
  const next = Math.max(removed, skippedTo ?? 0);
  return sequence < removed || skippedTo !== null ? next : null;
}

/** Twice what the output took of the page. */
export function fitting({ sequence }: FeedStream, { changes }: FeedPage): number {
  const taken = changes.filter((change) => change.sequence <= sequence).length;
  return Math.min(maxPageSize, Math.max(minPageSize, taken * 2));
}
