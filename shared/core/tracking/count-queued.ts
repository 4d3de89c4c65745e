import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { QueueCounts, RefreshProducer } from '#shared/queue/producer.ts';

export type QueuedJobs = { connector: string; counts: QueueCounts };

/** Jobs of each connector's queue by state. Rejects when the queue is away. */
export async function countQueued(producer: Pick<RefreshProducer, 'queueCounts'>): Promise<QueuedJobs[]> {
  return Promise.all(
    refreshQueues.map(async (connector) => ({ connector, counts: await producer.queueCounts(connector) })),
  );
}
