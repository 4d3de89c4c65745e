import { randomInt } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { ShipmentSort } from '#shared/domain/lists/filter.ts';
import { positionOf } from '#shared/domain/lists/map-position.ts';
import { appendChange } from '#shared/store/feed/changes.ts';
import { readShipmentPage } from '#shared/store/lists/shipment-list.ts';
import { lockShipment, readShipment } from '#shared/store/shipments/shipments.ts';
import { updateJourneys } from '#shared/store/tracking/journeys.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { explainQueries } from '#test/support/stores/explain-queries.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const shipmentCount = scaled({ short: 5000, full: 100_000 });
const writerCount = 20;
const pageSize = 100;

let core: TestCore;
let caller: Caller;
let ids: string[];

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
  await seedShipments({ databaseUrl: core.databaseUrl, accountId: caller.accountId, count: shipmentCount });
  ids = await column('select id as value from landfall.shipments where account_id = $1');
});

afterAll(() => core.close());

test('pages through -created_at beside writers and returns every existing shipment once', async () => {
  const { seen, written } = await pageWhileWriting('-created_at');
  expect(written).toBeGreaterThan(100);
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test('pages through -updated_at without duplicates, and the feed has every shipment that was missed', async () => {
  const before = new Set(await column('select id as value from landfall.changes where account_id = $1'));
  const { seen } = await pageWhileWriting('-updated_at');
  expect(seen).toHaveLength(new Set(seen).size);
  const changed = new Set(
    (await column(`select id || ' ' || shipment_id as value from landfall.changes where account_id = $1`))
      .map((text) => text.split(' '))
      .filter(([changeId]) => !before.has(changeId ?? ''))
      .map(([, shipmentId]) => shipmentId),
  );
  const shown = new Set(seen);
  const missed = ids.filter((id) => !shown.has(id));
  report(`-updated_at: ${seen.length} seen, ${missed.length} missed, ${changed.size} changed while paging`);
  expect(missed.filter((id) => !changed.has(id))).toEqual([]);
});

test.each<ShipmentSort>(['-created_at', 'eta'])(
  'reads the last page by %s at the cost of the first one',
  async (sort) => {
    await vacuum();
    const first = await costOfPage(sort, null);
    const last = await costOfPage(sort, await cursorBeforeLastPage(sort));
    report(`${sort}: first page ${first} blocks, last page ${last} blocks of ${shipmentCount} shipments`);
    expect(last).toBeLessThanOrEqual(first + 2 * pageSize);
  },
  600_000,
);

/** Pages to the end while writers change one shipment after the other. Returns every row. */
async function pageWhileWriting(sort: ShipmentSort): Promise<{ seen: string[]; written: number }> {
  const stop = new AbortController();
  const writers = Array.from({ length: writerCount }, () => write(stop.signal));
  const seen: string[] = [];
  try {
    let cursor: string | null = null;
    do {
      const page = await listShipments(core.ctx, caller, {
        filter: {},
        sort,
        limit: pageSize,
        cursor,
        withCounts: false,
      });
      seen.push(...page.shipments.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
  } finally {
    stop.abort();
  }
  const written = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);
  return { seen, written };
}

async function write(stop: AbortSignal): Promise<number> {
  let written = 0;
  for (; !stop.aborted; written++) await change(ids[randomInt(ids.length)] ?? '');
  return written;
}

/** Does what a refresh with another ETA does: stores the record and its change in one transaction. */
function change(id: string): Promise<void> {
  const { accountId } = caller;
  return withAccount(core.store, accountId, async (tx) => {
    const shipment = await lockShipment(tx, accountId, id);
    if (shipment === null) throw new Error('the shipment is gone');
    const at = new Date(Date.now() + randomInt(1000) * 3_600_000).toISOString();
    const estimated = {
      at,
      local: at.slice(0, 16),
      timezone: null,
      zoneSource: 'assumed_utc',
      precision: 'minute',
    } as const;
    const journey = { ...shipment.journey, arrival: { ...shipment.journey.arrival, estimated } };
    await updateJourneys(tx, accountId, [
      { shipment, journey, statusChangedAt: shipment.statusChangedAt, closed: false, position: positionOf(journey) },
    ]);
    const changed = await readShipment(tx, accountId, { id, test: false });
    if (changed === null) throw new Error('the shipment is gone');
    await appendChange(tx, accountId, {
      type: 'shipment.eta_changed',
      shipmentId: id,
      test: false,
      data: { shipment: shipmentSnapshot(changed), changes: { eta: [shipment.journey.arrival.estimated, estimated] } },
      traceparent: null,
    });
  });
}

async function costOfPage(sort: ShipmentSort, after: { value: string; id: string } | null): Promise<number> {
  const request = {
    sort,
    limit: pageSize,
    withEvents: false,
    after: after && { ...after, asOf: new Date().toISOString() },
  };
  const scope = { accountId: caller.accountId, test: false, filter: {} };
  const costs = await explainQueries(core.store, caller.accountId, (tx) => readShipmentPage(tx, scope, request));
  return costs.reduce((sum, { blocks }) => sum + blocks, 0);
}

async function cursorBeforeLastPage(sort: ShipmentSort): Promise<{ value: string; id: string }> {
  const name = sort.replace('-', '');
  const direction = sort.startsWith('-') ? 'asc' : 'desc';
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query<{ value: Date; id: string }>(
      `select ${name} as value, id from landfall.shipments where account_id = $1 and ${name} is not null
      order by ${name} ${direction}, id ${direction} offset ${pageSize + 1} limit 1`,
      [caller.accountId],
    ),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('there are too few shipments');
  return { value: row.value.toISOString(), id: row.id };
}

async function column(text: string): Promise<string[]> {
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query<{ value: string }>(text, [caller.accountId]),
  );
  return rows.map(({ value }) => value);
}

/** Removes the dead rows of the writers, which would distort the comparison. */
async function vacuum(): Promise<void> {
  const client = new pg.Client({ connectionString: core.databaseUrl });
  await client.connect();
  await client.query('vacuum analyze landfall.shipments, landfall.polling');
  await client.end();
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
