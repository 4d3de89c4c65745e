import { LRUCache } from 'lru-cache';
import { createYield } from '#shared/async/yield-event-loop.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { type SkippedChanges, skipUnwanted, type WaitingEndpoint } from '#shared/core/webhooks/claim-endpoints.ts';
import type { ChangeSelection } from '#shared/core/webhooks/select-changes.ts';
import type { PreparedFeeds } from './prepared-changes.ts';
import type { Selections } from './selections.ts';

export type SkipContext = { core: CoreContext; feeds: Pick<PreparedFeeds, 'after'>; selections: Selections };

/** Sequences up to which this process has evaluated endpoints, ahead of the stored ones. */
export type EvaluatedSequences = {
  of: (endpoint: WaitingEndpoint) => number;
  keep: (endpoint: WaitingEndpoint, to: number) => void;
};

const maxEvaluated = 10_000;

export function openEvaluatedSequences(): EvaluatedSequences {
  const kept = new LRUCache<string, { version: string; to: number }>({ max: maxEvaluated });
  return {
    of: ({ endpointId, version, sequence }) => {
      const evaluated = kept.get(endpointId);
      return evaluated?.version === version ? Math.max(sequence, evaluated.to) : sequence;
    },
    keep: ({ endpointId, version }, to) => void kept.set(endpointId, { version, to }),
  };
}

/** Pages of a feed that one call reads: endpoints at many sequences of a long feed must not hold up other accounts. */
const maxPages = 20;
/** Filters may be long: other work runs after so many changes. */
const changesAtOnce = 10;
/** Feeds that are read at the same time. */
const maxFeeds = 4;

/**
 * Moves the endpoints that select none of the new changes past them, together and without claiming one: most endpoints
 * with a filter have nothing to do for most changes. Returns those that a worker has to take, and whether others have
 * changes left that no one has evaluated. Sequences are written if `writes`; else this process remembers them, because
 * writing those of 50 endpoints for every change costs more than evaluating.
 */
export async function skipUnwantedChanges(
  ctx: SkipContext,
  waiting: readonly WaitingEndpoint[],
  { evaluated, writes }: { evaluated: EvaluatedSequences; writes: boolean },
): Promise<{ wanted: WaitingEndpoint[]; hasMore: boolean }> {
  const wanted = waiting.filter(({ hasDue }) => hasDue);
  const skipped: SkippedChanges[] = [];
  let hasMore = false;
  const behind = waiting.filter(({ hasDue }) => !hasDue);
  const selections = behind.length === 0 ? new Map() : await ctx.selections.find(behind);
  const feeds = [...Map.groupBy(behind, ({ accountId, test }) => `${accountId} ${test}`).values()];

  const evaluateFeed = async (endpoints: readonly WaitingEndpoint[]): Promise<void> => {
    const reader: FeedReader = { feeds: ctx.feeds, evaluated, pages: new Set(), yieldIfDue: createYield() };
    for (const endpoint of endpoints) {
      const selection = selections.get(endpoint.endpointId);
      if (selection === undefined) continue;
      // Its deliveries meet the same error, and log it or deliver what they can.
      const found = await evaluate(reader, endpoint, selection).catch(() => 'wanted' as const);
      if (found === 'wanted') wanted.push(endpoint);
      else {
        const { accountId, endpointId, sequence: from } = endpoint;
        evaluated.keep(endpoint, found.to);
        if (writes && found.to > from) skipped.push({ accountId, endpointId, from, to: found.to });
        hasMore ||= found.hasMore;
      }
    }
  };
  const evaluateFeeds = async (): Promise<void> => {
    for (let next = feeds.pop(); next !== undefined; next = feeds.pop()) await evaluateFeed(next);
  };
  await Promise.all(Array.from({ length: maxFeeds }, evaluateFeeds));
  if (skipped.length > 0) await skipUnwanted(ctx.core, skipped);
  return { wanted, hasMore };
}

type FeedReader = {
  feeds: SkipContext['feeds'];
  evaluated: EvaluatedSequences;
  /** The sequences after which pages were read so far. */
  pages: Set<number>;
  yieldIfDue: () => Promise<void>;
};

/** `wanted`: it selects one of the changes after its sequence. Else how far none is. */
async function evaluate(
  { feeds, evaluated, pages, yieldIfDue }: FeedReader,
  endpoint: WaitingEndpoint,
  selection: ChangeSelection,
): Promise<'wanted' | { to: number; hasMore: boolean }> {
  let to = evaluated.of(endpoint);
  while (pages.has(to) || pages.size < maxPages) {
    pages.add(to);
    const page = await feeds.after(endpoint, to);
    if (page.upTo <= to) return { to, hasMore: false };
    for (const [place, { change }] of page.changes.entries()) {
      if (place % changesAtOnce === 0) await yieldIfDue();
      if (selection.evaluate(change) !== false) return 'wanted';
    }
    to = page.upTo;
    if (page.isLast) return { to, hasMore: false };
  }
  return { to, hasMore: true };
}
