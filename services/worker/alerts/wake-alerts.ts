import { sleep } from '#shared/async/sleep.ts';

/** More accounts at once are left to the sweep. */
const maxNamed = 10_000;
const accountsPerLook = 100;
/** On a busy feed, its changes are evaluated a few times a second and not after each run of the sequencer. */
const pauseMs = 250;

/**
 * Evaluates the feeds of accounts that have grown, soon and one look at a time. `evaluate` returns whether there may be more;
 * what it fails for is left to the sweep.
 */
export function openAlertWaker(
  evaluate: (accountIds: readonly string[]) => Promise<boolean>,
  onError: (error: unknown, accounts: number) => void,
): { wake: (accountIds: readonly string[]) => void } {
  const named = new Set<string>();
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (named.size > 0) {
      const taken = [...named].slice(0, accountsPerLook);
      for (const accountId of taken) named.delete(accountId);
      try {
        while (await evaluate(taken));
      } catch (error) {
        onError(error, taken.length);
      }
      await sleep(pauseMs);
    }
    isRunning = false;
  };
  return {
    wake: (accountIds) => {
      for (const accountId of accountIds) if (named.size < maxNamed) named.add(accountId);
      if (!isRunning) void run();
    },
  };
}
