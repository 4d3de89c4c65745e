import { expect, it } from 'vitest';
import { type PeriodicJob, runPeriodicJobs } from '#services/worker/jobs/run-periodic-jobs.ts';
import { openJobWatch } from '#services/worker/jobs/watch-jobs.ts';

const everyMs = 3_600_000;

function openLog() {
  const warnings: { fields: object; message: string }[] = [];
  const ignore = () => undefined;
  return {
    warnings,
    log: {
      info: ignore,
      error: ignore,
      warn: (fields: object, message: string) => void warnings.push({ fields, message }),
    },
  };
}

it('runs every job at once, and logs a failed run without ending the job or the others', async () => {
  const { warnings, log } = openLog();
  const ending = new AbortController();
  const broken = new Error('broken');
  const ran: string[] = [];
  const retried = Promise.withResolvers<void>();
  const job = (name: string, run: PeriodicJob['run']): PeriodicJob => ({
    name,
    everyMs,
    maxBackoffMs: 1,
    minBackoffMs: 1,
    run,
  });
  const running = runPeriodicJobs(
    [
      job('failing', async () => {
        ran.push('failing');
        if (ran.filter((name) => name === 'failing').length < 3) throw broken;
        retried.resolve();
        return undefined;
      }),
      job('other', async () => void ran.push('other')),
    ],
    { signal: ending.signal, log, watch: openJobWatch().watch },
  );
  await retried.promise;
  ending.abort();
  await running;
  expect(ran.filter((name) => name === 'other')).toHaveLength(1);
  expect(warnings).toEqual(
    [1, 2].map((failures) => ({
      fields: { err: broken, job: 'failing', failures },
      message: 'periodic job failed; retrying',
    })),
  );
});

it('ends a job after the run in progress, and then runs its end', async () => {
  const { log } = openLog();
  const ending = new AbortController();
  const steps: string[] = [];
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const running = runPeriodicJobs(
    [
      {
        name: 'slow',
        everyMs,
        maxBackoffMs: 1,
        run: async () => {
          started.resolve();
          await finish.promise;
          steps.push('run');
          return 0;
        },
        end: async () => void steps.push('end'),
      },
    ],
    { signal: ending.signal, log, watch: openJobWatch().watch },
  );
  await started.promise;
  ending.abort();
  finish.resolve();
  await running;
  expect(steps).toEqual(['run', 'end']);
});

it('names a job whose run does not end, until it does', async () => {
  const { log } = openLog();
  const ending = new AbortController();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  let nowMs = 0;
  const { watch, fault } = openJobWatch(() => nowMs);
  const job = (name: string, run: PeriodicJob['run']): PeriodicJob => ({ name, everyMs, maxBackoffMs: 1, run });
  const hanging = async () => {
    started.resolve();
    await finish.promise;
    return undefined;
  };
  const jobs = [job('short', async () => undefined), { ...job('hanging', hanging), maxRunMs: 60_000 }];
  const running = runPeriodicJobs(jobs, { signal: ending.signal, log, watch });
  await started.promise;
  nowMs = 60_000;
  expect(fault()).toBeNull();
  nowMs = 61_000;
  expect(fault()).toBe('the periodic job hanging has not ended for 61 s');
  ending.abort();
  finish.resolve();
  await running;
  expect(fault()).toBeNull();
});
