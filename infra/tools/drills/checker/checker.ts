import { patienceMs, until } from '#test/support/until.ts';
import { type Answer, type ApiClient, openApiClient } from './api-client.ts';
import { checkFeed } from './check-feed.ts';
import { checkList, checkRecord } from './check-records.ts';
import { type ClientSettings, replay, startClients } from './clients.ts';
import { type FollowedChange, followFeed, readFeed } from './feed-follower.ts';
import { type Entry, type Finding, type Ledger, openLedger } from './ledger.ts';
import { untilRecord } from './until-record.ts';

export type CheckerSettings = ClientSettings & {
  urls: readonly string[];
  key: string;
  /** Address at which the simulated carriers show the truth. Faults never affect it. */
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
  maxSilenceMs: number;
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
      // One deadline for all: a defect that stops every shipment must not be waited for once for each.
      const deadline = performance.now() + patienceMs;
      await forEach(acknowledged, async (entry) => {
        records.set(entry, await untilRecord(call, ledger, entry, ({ status }) => status === 'delivered', deadline));
      });
      await forEach(acknowledged, (entry) => untilReplayed(call, ledger, entry));
      const listed = await checkList(call, ledger);
      const settledBy = performance.now() + patienceMs;
      await forEach([...records], ([entry, record]) =>
        checkRecord(call, ledger, { settings, entry, record, settledBy }),
      );
      // A change gets its position shortly after it is stored. A status that never comes is a finding of `checkFeed`.
      await until(
        async () =>
          [...records.values()].every((record) => record.status === 'missing' || isStated(follower.changes, record)),
        (areReported) => areReported,
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
        maxSilenceMs: maxGap([startedAt, ...ledger.acknowledgedAt, stoppedAt]),
        findings: ledger.findings,
      };
    },
  };
}

const atOnce = 8;

/** Several at once: a long drill compares a thousand shipments. */
async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const work = async (): Promise<void> => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
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

function isStated(changes: readonly FollowedChange[], { shipment_id, status }: Answer['body']): boolean {
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

function maxGap(times: readonly number[]): number {
  return Math.round(Math.max(...times.map((time, index) => time - (times[index - 1] ?? time))));
}
