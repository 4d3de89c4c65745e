import type { ConnectorCalls, OperationsSample } from '#shared/domain/installation/history.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

const keptHours = 25;

type SampleRow = {
  at: string;
  oldestDueS: number;
  callsPerMinute: number;
  troubled: number;
  failedRefreshes: number;
  feedAgeS: number;
  connectors: Record<string, ConnectorCalls>;
};

export async function hasSample(tx: Tx, at: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'has-operations-sample',
    text: 'select from landfall.operations_samples where at = $1',
    values: [at],
  });
  return rowCount === 1;
}

/** False if another worker kept this sample first. */
export async function insertSample(tx: Tx, sample: OperationsSample): Promise<boolean> {
  const { at, oldestDueS, callsPerMinute, troubled, failedRefreshes, feedAgeS, connectors } = sample;
  const { rowCount } = await tx.query({
    name: 'insert-operations-sample',
    text: `
      insert into landfall.operations_samples
        (at, oldest_due_s, calls_per_minute, troubled, failed_refreshes, feed_age_s, connectors)
      values ($1, $2, $3, $4, $5, $6, $7::jsonb)
      on conflict (at) do nothing`,
    values: [at, oldestDueS, callsPerMinute, troubled, failedRefreshes, feedAgeS, JSON.stringify(connectors)],
  });
  return rowCount === 1;
}

export async function deleteOldSamples(tx: Tx, at: string): Promise<void> {
  await tx.query({
    name: 'delete-old-operations-samples',
    text: `delete from landfall.operations_samples where at < $1::timestamptz - interval '${keptHours} hours'`,
    values: [at],
  });
}

/** The samples of the last day before a moment, oldest first. */
export async function readSamples(tx: Tx, at: string): Promise<OperationsSample[]> {
  return readRows<SampleRow>(tx, {
    name: 'read-operations-samples',
    text: `
      select at, oldest_due_s, calls_per_minute, troubled, failed_refreshes, feed_age_s, connectors
      from landfall.operations_samples
      where at > $1::timestamptz - interval '${keptHours} hours' and at <= $1::timestamptz
      order by at`,
    values: [at],
  });
}
