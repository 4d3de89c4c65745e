import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { StoredRecord } from '#shared/domain/record/stored-record.ts';
import type { RecordReader } from '#shared/store/shipments/record-reader.ts';

/**
 * The record as it is stored for reading. `shape`: the form of the journey's text that the reader knows. Throws
 * LandfallError `unavailable`, or `shipment_not_found`, also for another account's shipment and across test mode.
 */
export async function readRecord(
  ctx: { records: RecordReader },
  caller: Caller,
  { shipmentId, shape }: { shipmentId: string; shape: number },
): Promise<StoredRecord> {
  const record = await ctx.records.read(caller.accountId, { id: shipmentId, test: caller.test, shape });
  if (record === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
  return record;
}
