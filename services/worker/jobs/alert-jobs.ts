import { sweepTimedRules, sweptBatchSize } from '#shared/core/alerts/sweep-timed-rules.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { noteFailingCarriers, notifyOwners } from '#shared/core/notices/notify-owners.ts';
import { evaluateAlerts, readViewFilter } from '../alerts/evaluate-alerts.ts';
import { type SendContext, sendLane } from '../alerts/send-alerts.ts';
import { openAlertWaker } from '../alerts/wake-alerts.ts';
import { peopleJobs } from './people-jobs.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

type AlertContext = { core: CoreContext; alerts: Pick<SendContext, 'mailer' | 'sender'> };

/** Evaluates alerts and sends their messages. `waker`: evaluates the feeds of accounts soon. */
export function alertJobs({ core, alerts }: AlertContext, { jitter, signal }: { jitter: number; signal: AbortSignal }) {
  const evaluating = { core, signal };
  const sending = { core, ...alerts };
  const waker = openAlertWaker(
    async (accountIds) => !signal.aborted && (await evaluateAlerts(evaluating, accountIds)),
    (error, accounts) => core.log.warn({ err: error, accounts }, 'alerts not evaluated; leaving them to the sweep'),
  );
  const again = (isMore: boolean): number | undefined => (isMore ? 0 : undefined);
  const jobs = [
    {
      name: 'evaluate-alerts',
      // Finds what was not woken.
      everyMs: secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => again(await evaluateAlerts(evaluating, null)),
    },
    ...(['mails', 'posts'] as const).map((lane) => ({
      name: `send-alert-${lane}`,
      everyMs: secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => again(await sendLane(sending, lane, signal)),
    })),
    {
      name: 'notify-owners',
      everyMs: 2 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => again((await notifyOwners(core)) > 0),
    },
    {
      name: 'sweep-timed-rules',
      everyMs: 10 * secondMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: async () => again((await sweepTimedRules(core, readViewFilter)) >= sweptBatchSize),
    },
    {
      name: 'note-failing-carriers',
      everyMs: minuteMs,
      jitter,
      maxBackoffMs: 5 * minuteMs,
      run: async () => void (await noteFailingCarriers(core)),
    },
  ];
  // Former members get no notifications and keep no assignments.
  return { waker, jobs: [...jobs, ...peopleJobs(core, { jitter })] };
}
