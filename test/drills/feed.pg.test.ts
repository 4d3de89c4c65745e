import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSequencer } from '#services/worker/jobs/sequence-changes.ts';
import { repeat } from '#shared/async/repeat.ts';
import { type ChangesInput, listChanges } from '#shared/core/feed/list-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { updateShipment } from '#shared/core/shipments/update-shipment.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ReadEvent } from '#shared/domain/events/event.ts';
import type { Change } from '#shared/domain/feed/change.ts';
import { changedShipmentOf } from '#shared/domain/feed/change.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { carrierEvent, shanghai } from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const drillMs = scaled({ short: 3000, full: 60_000 });
const writersCount = 50;
const sequencersCount = 3;

let core: TestCore;
let caller: Caller;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
});

afterAll(() => core.close());

it(`gives readers every change once and in order, beside ${writersCount} writers and sequencers`, async () => {
  const shipmentIds: string[] = [];
  for (let index = 0; index < 20; index++) shipmentIds.push(await register());
  const done = { register: 0, refresh: 0, update: 0 };
  const writing = new AbortController();
  const written = new AbortController();
  const sequencing = new AbortController();
  const sequencers = Array.from({ length: sequencersCount }, () => comeAndGo(sequencing.signal));
  const types: ChangesInput['types'] = ['shipment.event_added', 'shipment.created'];
  const readers = [readUntil(written.signal, null), readUntil(written.signal, types)];

  const timer = setTimeout(() => writing.abort(), drillMs);
  await Promise.all(
    Array.from({ length: writersCount }, (_, index) => write(index, { shipmentIds, done, signal: writing.signal })),
  );
  clearTimeout(timer);
  written.abort();
  const [everything = [], filtered = []] = await Promise.all(readers);
  sequencing.abort();
  await Promise.all(sequencers);

  const stored = await storedChanges();
  process.stdout.write(
    `feed drill, ${drillMs / 1000} s: ${stored.length} changes, ${JSON.stringify(done)}, ` +
      `${shipmentIds.length} shipments\n`,
  );
  expect(stored.length).toBeGreaterThan(writersCount);
  expect(everything.map((change) => change.sequence)).toEqual(stored.map((_, index) => index + 1));
  expect(everything.map((change) => change.id)).toEqual(stored.map(({ id }) => id));
  expect(filtered.map((change) => change.id)).toEqual(
    stored.filter(({ type }) => types?.includes(type)).map(({ id }) => id),
  );
  for (const [shipmentId, changes] of Map.groupBy(everything, (change) => changedShipmentOf(change)?.id)) {
    const versions = changes.map((change) => changedShipmentOf(change)?.version ?? 0);
    expect(versions, shipmentId).toEqual(versions.toSorted((left, right) => left - right));
    expect(new Set(versions).size, `${shipmentId} reports each of its versions`).toBe(versions.at(-1));
  }
});

type Work = { shipmentIds: string[]; done: { register: number; refresh: number; update: number }; signal: AbortSignal };

async function write(writer: number, { shipmentIds, done, signal }: Work): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const shipmentId = shipmentIds[Math.floor(Math.random() * shipmentIds.length)] ?? '';
    const what = Math.random();
    if (what < 0.2) {
      if (await orLater(async () => shipmentIds.push(await register()))) done.register += 1;
    } else if (what < 0.6) {
      const isDone = await orLater(() =>
        updateShipment(core.ctx, caller, shipmentId, { tags: [`writer ${writer}`, `turn ${turn}`] }),
      );
      if (isDone) done.update += 1;
    } else {
      const local = new Date(Date.UTC(2026, 0, 1 + writer, 0, turn)).toISOString().slice(0, 16);
      if (await orLater(() => refresh(shipmentId, local))) done.refresh += 1;
    }
  }
}

/** Beside fifty writers on two cores, a call may wait longer than a request does. A rejected write was not stored. */
async function orLater(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'unavailable') return false;
    throw error;
  }
}

async function register(): Promise<string> {
  return (await registerShipment(core.ctx, caller, oceanRegistration())).shipment.id;
}

async function refresh(shipmentId: string, local: string): Promise<void> {
  const { rows } = await withSystem(core.store, (tx) =>
    tx.query<{ epoch: number }>({
      name: 'drill-claim',
      text: `
        update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s'
        where account_id = $1 and shipment_id = $2
        returning epoch`,
      values: [caller.accountId, shipmentId],
    }),
  );
  const [subject] = await beginRefreshes(core.ctx, [
    { accountId: caller.accountId, shipmentId, epoch: rows[0]?.epoch ?? -1 },
  ]);
  if (subject === undefined) return;
  const reading = { events: [event(local)], unreadable: [], source: 'simulator:dcsa:maersk' };
  await recordRefresh(core.ctx, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 5 }, null);
}

/** A sequencer that restarts all the time. */
async function comeAndGo(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const life = AbortSignal.any([signal, AbortSignal.timeout(300 + Math.floor(Math.random() * 1000))]);
    await repeat(createSequencer(core.ctx, { signal: life }), {
      everyMs: 500,
      signal: life,
      onError: (error) => core.ctx.log.warn({ err: error }, 'sequencer failed'),
    });
  }
}

/** Pages by `after` until the writers have committed their last transaction and the feed has all changes. */
async function readUntil(written: AbortSignal, types: ChangesInput['types']): Promise<Change[]> {
  const read: Change[] = [];
  for (let after = 0; ; ) {
    let isRead = false;
    await orLater(async () => {
      const isOver = written.aborted && (await waitingCount()) === 0;
      const page = await listChanges(core.ctx, caller, {
        after,
        types,
        shipmentId: null,
        narrowedBy: { codes: [], legRoles: [], classifiers: [] },
        limit: 200,
      });
      read.push(...page.changes);
      after = page.nextAfter;
      isRead = isOver && !page.hasMore;
    });
    if (isRead) return read;
  }
}

/** Committed changes without a sequence. */
async function waitingCount(): Promise<number> {
  const { rows } = await withSystem(core.store, (tx) =>
    tx.query<{ count: number }>('select count(*) as count from landfall.changes where sequence is null'),
  );
  return rows[0]?.count ?? 0;
}

async function storedChanges(): Promise<{ id: string; type: Change['type'] }[]> {
  const { rows } = await withSystem(core.store, (tx) =>
    tx.query<{ id: string; type: Change['type'] }>('select id, type from landfall.changes order by sequence'),
  );
  return rows;
}

function event(local: string): ReadEvent {
  const location = { ...shanghai, timezone: 'UTC' };
  return { ...carrierEvent('in_transit', local), location, vehicle: null, carrierCode: 'X', raw: {} };
}
