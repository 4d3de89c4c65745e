import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type ApiClient, isAnswer } from './api-client.ts';
import { compareEvents, readTruth } from './carrier-truth.ts';
import type { Entry, Ledger } from './ledger.ts';
import { noteUndecided } from './note-undecided.ts';
import { untilRecord } from './until-record.ts';

/** Every number at most once, every acknowledged one with its id, nothing that nobody sent. Returns the count. */
export async function checkList(call: ApiClient, ledger: Ledger): Promise<number> {
  const listed = new Map<string, string[]>();
  let cursor = '';
  do {
    const outcome = await call('GET', `/v1/shipments?limit=100&archived=any${cursor}`);
    if (!isAnswer(outcome) || outcome.status !== 200) {
      noteUndecided(ledger, outcome, 'GET /v1/shipments');
      await pause(100);
      continue;
    }
    for (const { identifiers, shipment_id } of outcome.body.data)
      listed.set(identifiers.mbl, [...(listed.get(identifiers.mbl) ?? []), shipment_id]);
    const { next_cursor } = outcome.body.page;
    if (next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  } while (cursor !== null);
  const sent = new Map(ledger.entries.map((entry) => [entry.number, entry]));
  for (const [number, ids] of listed) {
    if (ids.length > 1) ledger.find('doubled', `${number} is listed as ${ids.join(' and ')}`);
    if (!sent.has(number)) ledger.find('untrue', `${number} is listed, but nobody registered it`);
  }
  for (const { number, shipmentIds } of sent.values()) {
    for (const id of shipmentIds)
      if (!listed.get(number)?.includes(id)) ledger.find('lost', `${number}: ${id} isn't listed`);
  }
  return listed.size;
}

/** The status and every event of a record against the carrier's truth. */
export async function checkRecord(
  call: ApiClient,
  ledger: Ledger,
  {
    settings,
    entry,
    record,
    settledBy,
  }: { settings: { simulatorUrl: string }; entry: Entry; record: Answer['body']; settledBy: number },
): Promise<void> {
  const differ = async (): Promise<string[]> => {
    const truth = await readTruth(settings.simulatorUrl, entry);
    if (truth === null) return [`${entry.number} is ${record.status}, but its carrier was never asked`];
    const events = await readEvents(call, ledger, record.shipment_id);
    return [
      ...(truth.status === record.status
        ? []
        : [`${entry.number} is ${record.status}, but ${truth.status} by its carrier`]),
      ...compareEvents(truth, events).map((difference) => `${entry.number}: ${difference}`),
    ];
  };
  // Its carrier's plan goes on after the delivery, and the next refreshes record it. After failures they come late.
  let current = record;
  let differences = await differ();
  for (let turn = 0; turn < refreshesUntilSettled && differences.length > 0; turn += 1) {
    const { last_succeeded_at: before } = current.tracking;
    const isSettled = ({ tracking }: Answer['body']) =>
      tracking.last_succeeded_at !== before || tracking.next_refresh_at === null;
    current = await untilRecord(call, ledger, entry, isSettled, settledBy);
    differences = await differ();
    if (current.tracking.next_refresh_at === null) break;
  }
  for (const difference of differences) ledger.find('untrue', `${difference}, ${current.tracking.state}`);
}

/** A difference that stays through so many refreshes is a finding. The voyage has ended before. */
const refreshesUntilSettled = 5;

async function readEvents(call: ApiClient, ledger: Ledger, shipmentId: string): Promise<Answer['body'][]> {
  const events: Answer['body'][] = [];
  let cursor = '';
  for (;;) {
    const outcome = await call('GET', `/v1/shipments/${shipmentId}/events?limit=100${cursor}`);
    if (isAnswer(outcome) && outcome.status === 404) return [];
    if (!isAnswer(outcome) || outcome.status !== 200) {
      noteUndecided(ledger, outcome, `GET events of ${shipmentId}`);
      await pause(100);
      continue;
    }
    events.push(...outcome.body.data);
    if (outcome.body.page.next_cursor === null) return events;
    cursor = `&cursor=${encodeURIComponent(outcome.body.page.next_cursor)}`;
  }
}
