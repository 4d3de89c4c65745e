import {
  claimBatchSize,
  claimWebhooks,
  findWaitingWebhooks,
  releaseWebhooks,
  type WaitingEndpoint,
} from '#shared/core/webhooks/claim-endpoints.ts';
import type { JobProducer } from '#shared/queue/producer.ts';
import {
  type EvaluatedSequences,
  openEvaluatedSequences,
  type SkipContext,
  skipUnwantedChanges,
} from './skip-unwanted.ts';

export type WakeContext = SkipContext & { producer: Pick<JobProducer, 'enqueueWebhooks'> };

/** Accounts whose endpoints had work, and whether there may be more of it. */
type Woken = { accountIds: ReadonlySet<string>; hasMore: boolean };

/** State of endpoints between two polls. */
type Memory = {
  evaluated: EvaluatedSequences;
  /** Endpoints of accounts none of whose endpoints had anything to do, until then (`performance.now()`). */
  quiet: Map<string, { untilMs: number; endpoints: WaitingEndpoint[] }>;
};

/** Changed endpoints are found by the sweep as late. */
const quietMs = 1000;

/**
 * Looks at accounts. Most changes of an account whose endpoints have filters match no endpoint: then only its feed is read for
 * a second, and not its endpoints.
 */
async function lookAt(ctx: WakeContext, memory: Memory, accountIds: readonly string[]): Promise<Woken> {
  const nowMs = performance.now();
  for (const [accountId, { untilMs }] of memory.quiet) if (untilMs <= nowMs) memory.quiet.delete(accountId);
  const known = accountIds.flatMap((accountId) => memory.quiet.get(accountId)?.endpoints ?? []);
  const skipped = await skipUnwantedChanges(ctx, known, { evaluated: memory.evaluated, writes: false });
  for (const { accountId } of skipped.wanted) memory.quiet.delete(accountId);
  const others = accountIds.filter((accountId) => !memory.quiet.has(accountId));
  const woken = others.length === 0 ? nothing : await wakeEndpoints(ctx, memory, others);
  return {
    accountIds: new Set([...known.map(({ accountId }) => accountId), ...woken.accountIds]),
    hasMore: skipped.hasMore || woken.hasMore,
  };
}

const nothing: Woken = { accountIds: new Set(), hasMore: false };

/**
 * Finds free endpoints that have work, of these accounts or, with null, of all, skips the changes that none of them
 * selects, and claims and queues the others. The sweep alone writes the sequences of those that skip, once a second. If
 * the queue rejects them, releases the claims and rethrows: the sweep finds them again.
 */
async function wakeEndpoints(
  ctx: WakeContext,
  { evaluated, quiet }: Memory,
  accountIds: readonly string[] | null,
): Promise<Woken> {
  const waiting = await findWaitingWebhooks(ctx.core, accountIds);
  if (waiting.length === 0) return nothing;
  const { wanted, hasMore } = await skipUnwantedChanges(ctx, waiting, { evaluated, writes: accountIds === null });
  if (wanted.length > 0) await claimAndQueue(ctx, wanted);
  const byAccount = Map.groupBy(waiting, ({ accountId }) => accountId);
  if (accountIds !== null) {
    for (const { accountId } of wanted) byAccount.delete(accountId);
    for (const [accountId, endpoints] of byAccount)
      if (endpoints.length === endpoints[0]?.enabledOfAccount)
        quiet.set(accountId, { untilMs: performance.now() + quietMs, endpoints });
  }
  return {
    accountIds: new Set(waiting.map(({ accountId }) => accountId)),
    hasMore: hasMore || (accountIds === null && waiting.length >= claimBatchSize),
  };
}

async function claimAndQueue({ core, producer }: WakeContext, wanted: readonly WaitingEndpoint[]): Promise<void> {
  const claimed = await claimWebhooks(core, wanted);
  if (claimed.length === 0) return;
  try {
    await producer.enqueueWebhooks(claimed);
  } catch (error) {
    const claims = claimed.flatMap(({ accountId, endpoints }) =>
      endpoints.map(({ id, epoch }) => ({ accountId, endpointId: id, epoch })),
    );
    await releaseWebhooks(core, claims);
    throw error;
  }
}

export type Waker = {
  /** The feeds of these accounts have grown: wakes their endpoints soon. Never throws. */
  wake: (accountIds: readonly string[]) => void;
  /** Endpoints of these accounts are free again: wakes them if they have got work since then. Never throws. */
  released: (accountIds: readonly string[]) => void;
  /** Wakes endpoints of all accounts. Returns whether there may be more. */
  sweep: () => Promise<boolean>;
  /** Resolves when everything so far has been claimed and queued. */
  idle: () => Promise<void>;
  /** Begins no further look, and resolves when the current one has ended: what was not looked at is the sweep's. */
  close: () => Promise<void>;
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
  const memory: Memory = { evaluated: openEvaluatedSequences(), quiet: new Map() };
  /** Accounts to look at, and whether their feed has grown. */
  const named = new Map<string, boolean>();
  /** When the next claim of an account may be (`performance.now()`). */
  const pausedUntil = new Map<string, number>();
  let running: Promise<void> | null = null;
  let interrupt: (() => void) | null = null;
  let isClosed = false;

  const name = (accountIds: readonly string[], hasGrown: boolean): void => {
    if (isClosed) return;
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
        const { accountIds: worked, hasMore } = await lookAt(ctx, memory, accountIds);
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
  const idle = async (): Promise<void> => {
    while (running !== null) await running;
  };
  return {
    wake: (accountIds) => name(accountIds, true),
    released: (accountIds) => name(accountIds, false),
    sweep: async () => (await wakeEndpoints(ctx, memory, null)).hasMore,
    idle,
    close: async () => {
      isClosed = true;
      named.clear();
      interrupt?.();
      await idle();
    },
  };
}
