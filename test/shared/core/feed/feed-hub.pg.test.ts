import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type FeedHub, openFeedHub } from '#shared/core/feed/feed-hub.ts';
import type { FeedStream } from '#shared/core/feed/feed-stream.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { streamFilterOf } from '#shared/core/feed/stream-filter.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { until } from '#test/support/until.ts';

type Owner = { caller: Caller; shipment: Shipment };
type Reader = { stream: FeedStream; got: string[] };

const everything = streamFilterOf({
  types: null,
  shipmentId: null,
  narrowedBy: { codes: [], legRoles: [], classifiers: [] },
});

let core: TestCore;
let hub: FeedHub;
/** Names of the changes that all readers received, in order. */
let order: string[];

beforeAll(async () => {
  core = await openTestCore();
});
beforeEach(() => {
  order = [];
  const encode = ({ traceparent }: { traceparent: string | null }) => new TextEncoder().encode(traceparent ?? '');
  hub = openFeedHub(core.ctx, { encode, apart: (work) => work() });
});
afterAll(() => core.close());

it('gives an output nothing more after it is full, and all of the rest in order when it takes changes again', async () => {
  const owner = await newOwner();
  const slow = reader(owner, { takes: 3 });
  const quick = reader(owner);
  await write(owner, 500);
  await all(quick, 500);
  expect(slow.got).toEqual(names(3));
  expect(slow.stream).toMatchObject({ isFull: true, isBehind: true });
  for (const expected of [6, 9, 12]) {
    hub.resume(slow.stream);
    await until(
      async () => slow.got.length,
      (length) => length >= expected,
    );
    expect(slow.got).toEqual(names(expected));
  }
  slow.takes = 1000;
  hub.resume(slow.stream);
  await all(slow, 500);
  await write(owner, 1, 500);
  await all(slow, 501);
});

it('reads for other accounts between the pages of one that has far to catch up', async () => {
  const [heavy, light] = [await newOwner(), await newOwner()];
  await write(heavy, 1000);
  await write(light, 1);
  const [behind, current] = [reader(heavy, { from: 1 }), reader(light, { from: 1 })];
  await all(behind, 1000);
  await all(current, 1);
  expect(order.indexOf(`${light.shipment.id} 0`)).toBeLessThan(order.length - 1);
});

it('reads the pages that streams resume from once for those with the same sequence', async () => {
  const owner = await newOwner();
  await write(owner, 50);
  const reading = vi.spyOn(core.store.reads, 'connect');
  const readers = Array.from({ length: 40 }, () => reader(owner, { from: 1 }));
  for (const one of readers) await all(one, 50);
  // The first stream may have been read for before the others opened.
  expect(reading.mock.calls.length).toBeLessThanOrEqual(3);
  reading.mockRestore();
});

it('tries again after a failed read, and loses no change', async () => {
  const owner = await newOwner();
  const one = reader(owner);
  await write(owner, 3, 0, { isNotified: false });
  const failing = vi.spyOn(core.store.reads, 'connect').mockRejectedValue(new Error('no connection'));
  hub.notify(null);
  await until(
    async () => failing.mock.calls.length,
    (calls) => calls > 0,
  );
  failing.mockRestore();
  expect(one.got).toEqual([]);
  // Every second in the API.
  await until(
    async () => {
      hub.retry();
      return one.got.length;
    },
    (length) => length >= 3,
  );
  expect(one.got).toEqual(names(3));
});

it('finds changes that no notification has reported', async () => {
  const owner = await newOwner();
  const one = reader(owner);
  await write(owner, 2, 0, { isNotified: false });
  await hub.poll();
  await all(one, 2);
  hub.close(one.stream);
  await write(owner, 1, 2);
  expect(one.got).toHaveLength(2);
});

async function newOwner(): Promise<Owner> {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  await sequence();
  return { caller, shipment };
}

/** A stream from `from`, by default after the registration. `takes`: changes until its output is full. */
function reader(
  { caller, shipment }: Owner,
  { from = 1, takes = Number.POSITIVE_INFINITY }: { from?: number; takes?: number } = {},
): Reader & { takes: number } {
  const made: Omit<Reader, 'stream'> & { takes: number } = { got: [], takes };
  let taken = 0;
  const stream = hub.open(
    { accountId: caller.accountId, test: false },
    {
      filter: everything,
      output: {
        change: (frame) => {
          const name = new TextDecoder().decode(frame);
          made.got.push(name);
          order.push(`${shipment.id} ${name}`);
          taken += 1;
          if (taken < made.takes) return true;
          taken = 0;
          return false;
        },
        gap: () => true,
      },
      sequence: from,
      given: ends.get(caller.accountId) ?? 1,
    },
  );
  return Object.assign(made, { stream });
}

const ends = new Map<string, number>();

async function write(
  { caller, shipment }: Owner,
  count: number,
  start = 0,
  { isNotified = true }: { isNotified?: boolean } = {},
): Promise<void> {
  const data = { shipment: shipmentSnapshot(shipment), changes: {} };
  await withAccount(core.store, caller.accountId, (tx) =>
    appendChanges(
      tx,
      caller.accountId,
      names(count, start).map((traceparent) => ({
        type: 'shipment.updated' as const,
        shipmentId: shipment.id,
        test: false,
        data,
        traceparent,
      })),
    ),
  );
  await sequence();
  ends.set(caller.accountId, 1 + start + count);
  if (isNotified) hub.notify([caller.accountId]);
}

async function sequence(): Promise<void> {
  while ((await sequenceChanges(core.ctx)) !== 0);
}

function names(count: number, start = 0): string[] {
  return Array.from({ length: count }, (_, index) => String(start + index));
}

async function all({ got }: Reader, count: number): Promise<void> {
  await until(
    async () => got.length,
    (length) => length >= count,
  );
  expect(got).toEqual(names(count));
}
