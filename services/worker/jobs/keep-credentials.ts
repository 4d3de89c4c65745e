import { resealSecrets } from '#shared/core/carriers/reseal-secrets.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { wakeWaitingShipments } from '#shared/core/tracking/wake-waiting.ts';
import { repeatJob } from './repeat-job.ts';

const wakeIntervalMs = 1000;
const resealIntervalMs = 3_600_000;
const longestPauseMs = 60_000;

/** Makes due what waited for credentials that have changed, and seals anew what an older key sealed, until `signal`. */
export async function runCredentialKeeping(core: CoreContext, signal: AbortSignal): Promise<void> {
  const common = { signal, log: core.log, longestPauseMs };
  await Promise.all([
    repeatJob({
      ...common,
      name: 'the waking of shipments that wait for credentials',
      run: async () => {
        await wakeWaitingShipments(core, signal);
        // Workers started together do not stay together.
        return wakeIntervalMs * (0.9 + Math.random() / 5);
      },
    }),
    repeatJob({
      ...common,
      name: 'the resealing of stored credentials',
      run: async () => {
        const done = await resealSecrets(core, signal);
        if (done.resealed > 0 || done.unreadable > 0) {
          core.log.info(
            { ...done, keyVersion: core.secretKeys?.present },
            'stored credentials were sealed with the present key',
          );
        }
        return resealIntervalMs * (0.9 + Math.random() / 5);
      },
    }),
  ]);
}
