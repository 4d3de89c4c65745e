import { measureWaitingWork } from '#shared/core/tracking/measure-work.ts';
import { openStore } from '#shared/store/open-store.ts';
import { readThroughput } from '#shared/store/system/operations.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Finding, fail, fine, reasonOf, warn } from './finding.ts';

/** As the alert has it. */
const overdueS = 900;
const lateS = 120;

/** Whether accounts are separated in the database, and, where it is `running`, whether somebody does the work. */
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
      'The API does not start like this: let the migrations make the roles, and grant them nothing more.',
    ),
  );
  if (!('app' in opened)) return [opened];
  const separated = fine('accounts', 'separated by row-level security, which the request role cannot bypass');
  try {
    if (!running) return [separated];
    const { workers } = await withSystem(opened, readThroughput);
    const { dueOldestAgeS, dueCount } = await measureWaitingWork({ store: opened });
    return [separated, judgeWorkers(workers), judgeDue({ dueOldestAgeS, dueCount, workers })];
  } catch (error) {
    return [separated, fail('work', reasonOf(error), 'The database took too long to answer: look at its load.')];
  } finally {
    await opened.close();
  }
}

function judgeWorkers(workers: number): Finding {
  if (workers > 0) return fine('workers', workers === 1 ? '1 lives' : `${workers} live`);
  return warn(
    'workers',
    'none has been seen for 20 seconds',
    'Start one: nobody looks at shipments, and registrations only wait. Their logs say why they ended.',
  );
}

export function judgeDue(of: { dueOldestAgeS: number; dueCount: number; workers: number }): Finding {
  const { dueOldestAgeS: age, dueCount, workers } = of;
  const found = `${dueCount >= 10_000 ? '10,000 or more' : dueCount} shipments are due, the oldest for ${Math.round(age)} s`;
  if (age < lateS) return fine('due shipments', found);
  const advice =
    workers === 0
      ? 'No worker lives: start one.'
      : 'Read "Shipments are overdue" in docs/operations.md: the queue, one carrier’s limit, or too few workers.';
  return age >= overdueS ? fail('due shipments', found, advice) : warn('due shipments', found, advice);
}
