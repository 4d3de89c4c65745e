import { sleep } from '#shared/async/sleep.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { claimBatchSize, claimWebhooks, releaseWebhooks } from '#shared/core/webhooks/claim-endpoints.ts';
import type { JobProducer } from '#shared/queue/producer.ts';

export type WakeContext = { core: CoreContext; producer: Pick<JobProducer, 'enqueueWebhooks'> };

/**
 * Claims free endpoints that have work, of these accounts or, with null, of all, and queues them. Returns whether there
 * may be more. If the queue rejects them, releases the claims and rethrows: the sweep finds them again.
 */
export async function wakeEndpoints(
  { core, producer }: WakeContext,
  accountIds: readonly string[] | null,
): Promise<boolean> {
  const claimed = await claimWebhooks(core, accountIds);
  if (claimed.length === 0) return false;
  try {
    await producer.enqueueWebhooks(claimed);
  } catch (error) {
    const claims = claimed.flatMap(({ accountId, endpoints }) =>
      endpoints.map(({ id, epoch }) => ({ accountId, endpointId: id, epoch })),
    );
    await releaseWebhooks(core, claims);
    throw error;
  }
  return claimed.reduce((sum, { endpoints }) => sum + endpoints.length, 0) >= claimBatchSize;
}

export type Waker = {
  /** Wakes the endpoints of accounts soon; together with those that others named in the meantime. Never throws. */
  wake: (accountIds: readonly string[]) => void;
  /** Resolves when everything so far has been claimed and queued. */
  idle: () => Promise<void>;
};

/** More accounts at once are left to the sweep. */
const maxNamed = 10_000;
const accountsPerClaim = 500;
/**
 * At least this long between two claims. The first change of a quiet feed goes out at once; on a busy one, an endpoint
 * is claimed and released ten times a second and not for each run of the sequencer.
 */
const claimPauseMs = 100;

/** Wakes endpoints whose accounts have new changes, one claim at a time. */
export function openWaker(ctx: WakeContext): Waker {
  const named = new Set<string>();
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (named.size > 0) {
      const startedAtMs = performance.now();
      const taken = [...named].slice(0, accountsPerClaim);
      for (const accountId of taken) named.delete(accountId);
      try {
        while (await wakeEndpoints(ctx, taken));
      } catch (error) {
        ctx.core.log.warn(
          { err: error, accounts: taken.length },
          'webhook endpoints not woken; leaving them to the sweep',
        );
      }
      await sleep(claimPauseMs - (performance.now() - startedAtMs));
    }
    running = null;
  };
  return {
    wake: (accountIds) => {
      for (const accountId of accountIds) if (named.size < maxNamed) named.add(accountId);
      running ??= run();
    },
    idle: async () => {
      while (running !== null) await running;
    },
  };
}
