import type { Change } from '#shared/domain/feed/change.ts';
import type { FeedPage, FoundChange } from '#shared/store/feed/feed.ts';
import { passes, type StreamFilter } from './stream-filter.ts';

/** Where a stream's events go. It encodes them; the hub only decides what comes next. */
export type StreamOutput = {
  /** Takes a change as encoded by `encode`. False: nothing more until `resume`, but this one is taken. */
  change: (frame: Uint8Array) => boolean;
  gap: (gap: { after: number; nextAfter: number }) => boolean;
};

/** An open stream. Every matching change up to `position` has been given to its output. */
export type FeedStream = {
  readonly channel: Channel;
  readonly filter: StreamFilter;
  readonly output: StreamOutput;
  position: number;
  /** The output takes nothing for now. */
  isFull: boolean;
  /** It has not got everything that its channel has read, and catches up with pages of its own. */
  isBehind: boolean;
  isClosed: boolean;
  /** Changes of a page of its own. Fewer where its output takes fewer at a time: the rest is read again. */
  pageSize: number;
};

/** The live or the test feed of an account, while it has streams. */
export type Channel = {
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

/** Gives matching changes to a stream until its output is full. False: it has not been given all of them. */
export function give(
  stream: FeedStream,
  changes: readonly FoundChange[],
  frameOf: (change: FoundChange) => Uint8Array,
): boolean {
  for (const change of changes) {
    if (change.position <= stream.position) continue;
    if (passes(stream.filter, change)) {
      if (stream.isFull) return false;
      if (!stream.output.change(frameOf(change))) stream.isFull = true;
    }
    stream.position = change.position;
  }
  return true;
}

/** Encodes each change once, and only if a stream gets it. */
export function framesOf(encode: (change: Change) => Uint8Array): (change: FoundChange) => Uint8Array {
  const frames = new Map<FoundChange, Uint8Array>();
  return (change) => {
    const known = frames.get(change) ?? encode(change);
    frames.set(change, known);
    return known;
  };
}

/** How far the page was read. */
export function endOf({ changes, hasMore, searchedTo, given }: FeedPage): number {
  return hasMore ? (changes.at(-1)?.position ?? given) : (searchedTo ?? given);
}

/** From where the feed continues, if changes after this position are missing from the page. Null: none are. */
export function gapAfter(position: number, { removed, skippedTo }: FeedPage): number | null {
  const next = Math.max(removed, skippedTo ?? 0);
  return position < removed || skippedTo !== null ? next : null;
}

/** Twice what the output took of the page. */
export function fitting({ position }: FeedStream, { changes }: FeedPage): number {
  const taken = changes.filter((change) => change.position <= position).length;
  return Math.min(maxPageSize, Math.max(minPageSize, taken * 2));
}
