import {
  claimBatchSize,
  claimWebhooks,
  findWaitingWebhooks,
  releaseWebhooks,
} from '#shared/core/webhooks/claim-endpoints.ts';
import type { JobProducer } from '#shared/queue/producer.ts';
import { type JudgedPositions, openJudgedPositions, type SkipContext, skipUnwantedChanges } from './skip-unwanted.ts';

export type WakeContext = SkipContext & { producer: Pick<JobProducer, 'enqueueWebhooks'> };

/** Accounts whose endpoints had work, and whether there may be more of it. */
type Woken = { accountIds: ReadonlySet<string>; hasMore: boolean };

/**
 * Finds free endpoints that have work, of these accounts or, with null, of all, skips the changes that none of them
 * selects, and claims and queues the others. The sweep alone writes positions: once a second. If the queue rejects them, releases the claims and rethrows: the sweep finds
 * them again.
 */
async function wakeEndpoints(
  ctx: WakeContext,
  judged: JudgedPositions,
  accountIds: readonly string[] | null,
): Promise<Woken> {
  const { core, producer } = ctx;
  const waiting = await findWaitingWebhooks(core, accountIds);
  if (waiting.length === 0) return { accountIds: new Set(), hasMore: false };
  const { wanted, hasMore } = await skipUnwantedChanges(ctx, waiting, { judged, writes: accountIds === null });
  const claimed = wanted.length === 0 ? [] : await claimWebhooks(core, wanted);
  if (claimed.length > 0)
    try {
      await producer.enqueueWebhooks(claimed);
    } catch (error) {
      const claims = claimed.flatMap(({ accountId, endpoints }) =>
        endpoints.map(({ id, epoch }) => ({ accountId, endpointId: id, epoch })),
      );
      await releaseWebhooks(core, claims);
      throw error;
    }
  return {
    accountIds: new Set(waiting.map(({ accountId }) => accountId)),
    hasMore: hasMore || (accountIds === null && waiting.length >= claimBatchSize),
  };
}

export type Waker = {
  /** The feeds of these accounts have grown: wakes their endpoints soon. Never throws. */
  wake: (accountIds: readonly string[]) => void;
  /** Endpoints of these accounts are free again: wakes them if they have got work in the meantime. Never throws. */
  released: (accountIds: readonly string[]) => void;
  /** Wakes endpoints of all accounts. Returns whether there may be more. */
  sweep: () => Promise<boolean>;
  /** Resolves when everything so far has been claimed and queued. */
  idle: () => Promise<void>;
};

/** More accounts at once are left to the sweep. */
const maxNamed = 10_000;
const accountsPerClaim = 100;
/**
 * At least this long between two claims of an account. The first change of a quiet feed goes out at once; on a busy one,
 * an endpoint is claimed and released ten times a second and not for each run of the sequencer. A look at what was
 * released does not count if it finds nothing: the change that follows it would wait for it.
 */
const claimPauseMs = 100;

/** Wakes endpoints whose accounts have new changes, one claim at a time. */
export function openWaker(ctx: WakeContext): Waker {
  const judged = openJudgedPositions();
  /** Accounts to look at, and whether their feed has grown. */
  const named = new Map<string, boolean>();
  /** When the next claim of an account may be (`performance.now()`). */
  const pausedUntil = new Map<string, number>();
  let running: Promise<void> | null = null;
  let interrupt: (() => void) | null = null;

  const name = (accountIds: readonly string[], hasGrown: boolean): void => {
    for (const accountId of accountIds)
      if (named.size < maxNamed || named.has(accountId))
        named.set(accountId, hasGrown || named.get(accountId) === true);
    interrupt?.();
    running ??= run();
  };
  const takeReady = (nowMs: number): Map<string, boolean> => {
    for (const [accountId, untilMs] of pausedUntil) if (untilMs <= nowMs) pausedUntil.delete(accountId);
    const taken = new Map<string, boolean>();
    for (const [accountId, hasGrown] of named) {
      if (pausedUntil.has(accountId)) continue;
      taken.set(accountId, hasGrown);
      named.delete(accountId);
      if (taken.size === accountsPerClaim) break;
    }
    return taken;
  };
  const untilReady = (nowMs: number): Promise<void> =>
    new Promise((resolve) => {
      const readyAtMs = Math.min(...[...named.keys()].map((accountId) => pausedUntil.get(accountId) ?? nowMs));
      const end = (): void => {
        clearTimeout(timer);
        interrupt = null;
        resolve();
      };
      const timer = setTimeout(end, Math.max(1, readyAtMs - nowMs));
      interrupt = end;
    });
  const run = async (): Promise<void> => {
    while (named.size > 0) {
      const startedAtMs = performance.now();
      const taken = takeReady(startedAtMs);
      if (taken.size === 0) {
        await untilReady(startedAtMs);
        continue;
      }
      const accountIds = [...taken.keys()];
      try {
        const { accountIds: worked, hasMore } = await wakeEndpoints(ctx, judged, accountIds);
        if (hasMore) name([...worked], false);
        else
          for (const [accountId, hasGrown] of taken)
            if (hasGrown || worked.has(accountId)) pausedUntil.set(accountId, startedAtMs + claimPauseMs);
      } catch (error) {
        ctx.core.log.warn(
          { err: error, accounts: taken.size },
          'webhook endpoints not woken; leaving them to the sweep',
        );
      }
    }
    running = null;
  };
  return {
    wake: (accountIds) => name(accountIds, true),
    released: (accountIds) => name(accountIds, false),
    sweep: async () => (await wakeEndpoints(ctx, judged, null)).hasMore,
    idle: async () => {
      while (running !== null) await running;
    },
  };
}
