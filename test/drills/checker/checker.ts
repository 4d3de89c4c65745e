import { setTimeout as pause } from 'node:timers/promises';
import { patienceMs, until } from '#test/support/until.ts';
import { type Answer, type ApiClient, isAnswer, openApiClient } from './api-client.ts';
import { compareEvents, readTruth } from './carrier-truth.ts';
import { checkFeed } from './check-feed.ts';
import { type ClientSettings, readBack, replay, startClients } from './clients.ts';
import { type FollowedChange, followFeed, readFeed } from './feed-follower.ts';
import { type Entry, type Finding, type Ledger, openLedger } from './ledger.ts';
import { noteUndecided } from './note-undecided.ts';

export type CheckerSettings = ClientSettings & {
  urls: readonly string[];
  key: string;
  /** Where the simulated carriers tell what is true. Faults never affect this address. */
  simulatorUrl: string;
  /** Of the drill's numbers. */
  firstNumber: number;
};

export type Verdict = {
  registered: number;
  acknowledged: number;
  /** Sent, never answered, and not sent again. */
  unknown: number;
  /** Of the unknown ones, those that were stored. */
  unknownStored: number;
  changes: number;
  outcomes: Ledger['outcomes'];
  /** The longest time in which no registration was acknowledged, while clients registered. */
  longestSilenceMs: number;
  findings: Finding[];
};

export type Checker = {
  key: string;
  ledger: Ledger;
  /** Resolves once this many registrations are acknowledged. */
  untilAcknowledged: (count: number) => Promise<void>;
  /** Registers a shipment and waits until it, and one that was registered before, are refreshed. Returns the time. */
  untilRefreshesFlow: () => Promise<number>;
  /** Ends the registrations. The follower goes on. */
  stopRegistering: () => Promise<void>;
  /** Waits until every voyage has ended and the feed is read, and compares. */
  verify: () => Promise<Verdict>;
};

/**
 * Clients that know Landfall only by its HTTP API. They register for as long as they run, remember every answer, read
 * back and follow the feed. `verify` compares what they remember with what is stored and with the carriers' truth.
 */
export function openChecker(settings: CheckerSettings): Checker {
  const call = openApiClient(settings);
  const ledger = openLedger(settings.firstNumber);
  const startedAt = performance.now();
  const clients = startClients(call, ledger, settings);
  const follower = followFeed(call, ledger);
  let stoppedAt = startedAt;

  const stopRegistering = async (): Promise<void> => {
    await clients.stop();
    stoppedAt = performance.now();
  };
  return {
    key: settings.key,
    ledger,
    untilAcknowledged: async (count) => {
      await until(
        async () => ledger.acknowledgedAt.length,
        (acknowledged) => acknowledged >= count,
      );
    },
    untilRefreshesFlow: async () => {
      const from = performance.now();
      const earlier = await findMoving(call, ledger);
      const probe = await clients.register();
      await untilRecord(call, ledger, probe, ({ tracking }) => tracking.last_succeeded_at !== null);
      if (earlier !== null) {
        const { entry, refreshedAt } = earlier;
        await untilRecord(call, ledger, entry, ({ status, tracking }) => {
          return status === 'delivered' || tracking.last_succeeded_at !== refreshedAt;
        });
      }
      return Math.round(performance.now() - from);
    },
    stopRegistering,
    verify: async () => {
      await stopRegistering();
      const acknowledged = ledger.entries.filter(({ shipmentIds }) => shipmentIds.size > 0);
      const records = new Map<Entry, Answer['body']>();
      // One deadline for all: a defect that stops every shipment shall not be waited for once for each.
      const deadline = performance.now() + patienceMs;
      for (const entry of acknowledged)
        records.set(entry, await untilRecord(call, ledger, entry, ({ status }) => status === 'delivered', deadline));
      for (const entry of acknowledged) await untilReplayed(call, ledger, entry);
      const listed = await checkList(call, ledger);
      const settledBy = performance.now() + patienceMs;
      for (const [entry, record] of records) await checkRecord(call, ledger, { settings, entry, record, settledBy });
      // A change gets its position shortly after it is stored. A status that never comes is a finding of `checkFeed`.
      await until(
        async () =>
          [...records.values()].every((record) => record.status === 'missing' || isTold(follower.changes, record)),
        (areTold) => areTold,
      ).catch(() => undefined);
      await follower.stop();
      const statuses = new Map([...records.values()].map(({ shipment_id, status }) => [shipment_id, status]));
      for (const finding of checkFeed(follower.changes, await readFeed(call, ledger), statuses))
        ledger.find(finding.kind, finding.detail);
      return {
        registered: ledger.entries.length,
        acknowledged: acknowledged.length,
        unknown: ledger.entries.length - acknowledged.length,
        unknownStored: listed - acknowledged.length,
        changes: follower.changes.length,
        outcomes: ledger.outcomes,
        longestSilenceMs: longestGap([startedAt, ...ledger.acknowledgedAt, stoppedAt]),
        findings: ledger.findings,
      };
    },
  };
}

/** An acknowledged shipment whose voyage hasn't ended, or null. */
async function findMoving(
  call: ApiClient,
  ledger: Ledger,
): Promise<{ entry: Entry; refreshedAt: string | null } | null> {
  const moving = ledger.entries.findLast(
    ({ shipmentIds, furthest }) => shipmentIds.size > 0 && furthest !== 'delivered',
  );
  if (moving === undefined) return null;
  const { tracking } = await untilRecord(call, ledger, moving, () => true);
  return { entry: moving, refreshedAt: tracking.last_succeeded_at };
}

/** Reads a record until it satisfies. A record that doesn't within the patience is a finding, not an error. */
async function untilRecord(
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
    if (ledger.findings.slice(seenBefore).some(({ kind }) => kind === 'lost')) return missing(entry);
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

function isTold(changes: readonly FollowedChange[], { shipment_id, status }: Answer['body']): boolean {
  return changes.some(
    ({ type, data }) =>
      type === 'shipment.status_changed' &&
      data.shipment.shipment_id === shipment_id &&
      data.changes.status[1] === status,
  );
}

async function untilReplayed(call: ApiClient, ledger: Ledger, entry: Entry): Promise<void> {
  await until(
    () => replay(call, ledger, entry),
    (isReplayed) => isReplayed,
  );
}

/** Every number at most once, every acknowledged one with its id, nothing that nobody sent. Returns the count. */
async function checkList(call: ApiClient, ledger: Ledger): Promise<number> {
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
async function checkRecord(
  call: ApiClient,
  ledger: Ledger,
  {
    settings,
    entry,
    record,
    settledBy,
  }: { settings: CheckerSettings; entry: Entry; record: Answer['body']; settledBy: number },
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

function longestGap(times: readonly number[]): number {
  return Math.round(Math.max(...times.map((time, index) => time - (times[index - 1] ?? time))));
}
