import type { WireBatchResult } from '../../api/wire.ts';
import { type Entry, serviceTypeOf } from './entries.ts';

/** Values for all shipments of one registration. */
export type Common = { reference: string; tags: readonly string[] };

/** One row of a batch in the format of the API. */
export type Row = {
  transport_mode: string;
  carrier: string;
  identifiers: Record<string, string>;
  service_type?: 'ftl';
  /** Absent: the carrier is polled. */
  tracking?: { mode: 'pushed' };
  reference?: string;
  tags?: string[];
};

/** The rows of one call, and the keys of their entries. */
export type Batch = { keys: string[]; rows: Row[] };

export type RowResult =
  | { outcome: 'created' | 'existing'; shipmentId: string }
  | { outcome: 'failed'; code: string; detail: string; shipmentIds: readonly string[] };
export type Results = ReadonlyMap<string, RowResult>;

const maxRows = 250;

/**
 * The batches of all entries that are ready and not registered yet. A reference is unique: several shipments get it
 * with their position as a suffix, so that a retry sends the same reference.
 */
export function planBatches(entries: readonly Entry[], { reference, tags }: Common, results: Results): Batch[] {
  const single = entries.filter(({ state }) => state !== 'duplicate').length === 1;
  const rows = entries.flatMap((entry, index) => {
    const { mode, identifier, carrier } = entry.choice;
    if (
      entry.state !== 'ready' ||
      mode === null ||
      identifier === null ||
      carrier === null ||
      isDone(results.get(entry.key))
    )
      return [];
    const serviceType = serviceTypeOf(identifier);
    const row: Row = {
      transport_mode: mode,
      carrier,
      identifiers: { [identifier]: entry.number },
      ...(serviceType === null ? {} : { service_type: serviceType }),
      ...(entry.isPushed ? { tracking: { mode: 'pushed' as const } } : {}),
      ...(reference === '' ? {} : { reference: single ? reference : `${reference}-${index + 1}` }),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
    };
    return [{ key: entry.key, row }];
  });
  const batches: Batch[] = [];
  for (let at = 0; at < rows.length; at += maxRows) {
    const part = rows.slice(at, at + maxRows);
    batches.push({ keys: part.map(({ key }) => key), rows: part.map(({ row }) => row) });
  }
  return batches;
}

/** The result of each entry of a batch. */
export function readResults({ keys }: Batch, batchResult: WireBatchResult): Map<string, RowResult> {
  const results = new Map<string, RowResult>();
  for (const { index, outcome, shipment_id: shipmentId, error } of batchResult.results) {
    const key = keys[index];
    if (key === undefined) continue;
    if (outcome !== 'failed' && shipmentId !== undefined) results.set(key, { outcome, shipmentId });
    else {
      const detail = error?.errors.map((one) => one.detail).join('; ') || error?.detail || 'Rejected without a reason.';
      results.set(key, {
        outcome: 'failed',
        code: error?.code ?? 'unknown',
        detail,
        shipmentIds: error?.shipment_ids ?? [],
      });
    }
  }
  return results;
}

export function countResults(results: Results): { created: number; existing: number; failed: number } {
  const counts = { created: 0, existing: 0, failed: 0 };
  for (const { outcome } of results.values()) counts[outcome] += 1;
  return counts;
}

function isDone(result: RowResult | undefined): boolean {
  return result !== undefined && result.outcome !== 'failed';
}

/** Distinct comma-separated tags. */
export function readTags(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
}
