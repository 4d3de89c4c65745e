import type { Row } from './row.ts';
import { attackersRow } from './rows/attackers.ts';
import { countsRow } from './rows/counts.ts';
import { eventsInRow } from './rows/events-in.ts';
import { fairnessRow } from './rows/fairness.ts';
import { fleetRow } from './rows/fleet.ts';
import { getOneRow } from './rows/get-one.ts';
import { importRow } from './rows/import.ts';
import { listsRow } from './rows/lists.ts';
import { mcpRow } from './rows/mcp.ts';
import { parallelSearchesRow } from './rows/parallel-searches.ts';
import { plainRow } from './rows/plain.ts';
import { postOneRow } from './rows/post-one.ts';
import { refreshChangedRow, refreshUnchangedRow } from './rows/refresh.ts';
import { streamsRow } from './rows/streams.ts';
import { subscribedRow } from './rows/subscribed.ts';
import { sweepRow } from './rows/sweep.ts';
import { traceStoreRow } from './rows/trace-store.ts';
import { tracingRow } from './rows/tracing.ts';
import { webhooksRow } from './rows/webhooks.ts';

/** In execution order. */
export const allRows: readonly Row[] = [
  mcpRow,
  postOneRow,
  plainRow,
  importRow,
  eventsInRow,
  getOneRow,
  listsRow,
  countsRow,
  sweepRow,
  refreshUnchangedRow,
  refreshChangedRow,
  fairnessRow,
  parallelSearchesRow,
  attackersRow,
  fleetRow,
  streamsRow,
  tracingRow,
  traceStoreRow,
  webhooksRow,
  subscribedRow,
];

/** The rows with these names, or all rows. Throws if a name is unknown. */
export function chooseRows(names: readonly string[], rows: readonly Row[] = allRows): readonly Row[] {
  const unknown = names.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0)
    throw new Error(`Unknown row: ${unknown.join(', ')}. Choose from ${rows.map((row) => row.name).join(', ')}.`);
  return names.length === 0 ? rows : rows.filter((row) => names.includes(row.name));
}
