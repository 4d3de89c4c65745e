import { measureWaitingWork } from '#shared/core/tracking/measure-work.ts';
import { openStore } from '#shared/store/open-store.ts';
import { readThroughput } from '#shared/store/system/operations.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Finding, fail, fine, reasonOf, warn } from './finding.ts';

/** The threshold of the alert. */
const overdueS = 900;
const lateS = 120;

/** Checks that accounts are isolated in the database and, if it is `running`, that workers process shipments. */
export async function checkWork(databaseUrl: string, { running }: { running: boolean }): Promise<Finding[]> {
  const opened = await openStore({
    databaseUrl,
    apiPoolSize: 1,
    systemPoolSize: 1,
    applicationName: 'landfall-doctor',
    onPoolError: () => undefined,
  }).catch((error: unknown) =>
    fail(
      'accounts',
      reasonOf(error),
      "The API and the workers don't start like this. Let infra/scripts/migrate.ts create the roles and logins, and grant them nothing else.",
    ),
  );
  if (!('app' in opened)) return [opened];
  const separated = fine('accounts', 'isolated by row-level security, which the request role cannot bypass');
  try {
    if (!running) return [separated];
    const { workers } = await withSystem(opened, readThroughput);
    const { dueOldestAgeS, dueCount } = await measureWaitingWork({ store: opened });
    return [separated, judgeWorkers(workers), judgeDue({ dueOldestAgeS, dueCount, workers })];
  } catch (error) {
    return [separated, fail('work', reasonOf(error), 'The database responded too slowly. Check its load.')];
  } finally {
    await opened.close();
  }
}

function judgeWorkers(workers: number): Finding {
  if (workers > 0) return fine('workers', `${workers} running`);
  return warn(
    'workers',
    'no heartbeat for 20 seconds',
    "Start a worker: no shipment is refreshed without one. The worker's logs show why it stopped.",
  );
}

export function judgeDue(of: { dueOldestAgeS: number; dueCount: number; workers: number }): Finding {
  const { dueOldestAgeS: age, dueCount, workers } = of;
  const found = `${dueCount >= 10_000 ? '10,000 or more' : dueCount} shipments are due, the oldest for ${Math.round(age)} s`;
  if (age < lateS) return fine('due shipments', found);
  const advice =
    workers === 0
      ? 'No worker is running. Start one.'
      : 'See "Shipments are overdue" in docs/operations.md. Check the queue, the carrier limits and the number of workers.';
  return age >= overdueS ? fail('due shipments', found, advice) : warn('due shipments', found, advice);
}
