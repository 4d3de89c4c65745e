import {
  type ConnectionOptions,
  ErrorCode,
  type IQueueBackend,
  type JobProgress,
  type RedisQueueBackend,
  Worker,
} from 'bullmq';
import type { JobName, JobPayload } from './jobs.ts';

const lostCodes: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/**
 * Lets a lost job be refused once. BullMQ answers a refused completion by reporting the job as failed, which is refused
 * for the same reason and costs a busy store another statement.
 */
export class QueueWorker<
  Backend extends IQueueBackend = RedisQueueBackend,
  Connection = ConnectionOptions,
> extends Worker<JobPayload<JobName>, void, string, Backend, JobProgress, Connection> {
  protected override async handleFailed(
    ...given: Parameters<Worker<JobPayload<JobName>, void, string>['handleFailed']>
  ): Promise<never> {
    const [error] = given;
    // The worker has reported the refusal as an error, and takes its next job by itself.
    return isLost(error) ? (undefined as never) : (super.handleFailed(...given) as Promise<never>);
  }
}

/** True if another worker has the job, or had it. */
function isLost(error: Error): boolean {
  return 'code' in error && lostCodes.includes(error.code);
}
