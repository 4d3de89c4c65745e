import { setTimeout as pause } from 'node:timers/promises';
import { patienceMs } from '#test/support/until.ts';
import type { Answer, ApiClient } from './api-client.ts';
import { readBack } from './clients.ts';
import type { Entry, Ledger } from './ledger.ts';

/** Reads a record until it satisfies. A record that doesn't within the patience is a finding, not an error. */
export async function untilRecord(
  call: ApiClient,
  ledger: Ledger,
  entry: Entry,
  satisfies: (record: Answer['body']) => boolean,
  deadline = performance.now() + patienceMs,
): Promise<Answer['body']> {
  const seenBefore = ledger.findings.length;
  for (;;) {
    const record = await readBack(call, ledger, entry);
    if (record !== null && satisfies(record)) return record;
    // Never found: further reads would say the same.
    const own = ledger.findings.slice(seenBefore).filter(({ detail }) => detail.startsWith(`${entry.number}:`));
    if (own.some(({ kind }) => kind === 'lost')) return missing(entry);
    if (performance.now() > deadline) {
      ledger.find('lost', `${entry.number} stayed ${record?.status}, ${JSON.stringify(record?.tracking)}`);
      return record ?? missing(entry);
    }
    await pause(100);
  }
}

function missing({ shipmentIds }: Entry): Answer['body'] {
  return {
    shipment_id: [...shipmentIds][0],
    status: 'missing',
    events_count: 0,
    tracking: { last_succeeded_at: null, next_refresh_at: null },
  };
}
