import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFeedHub } from '#shared/core/feed/feed-hub.ts';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { streamFilterOf } from '#shared/core/feed/stream-filter.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { until } from '#test/support/until.ts';
import { type DeliveryWorld, openDeliveryWorld } from '#test/support/webhooks/delivery-world.ts';

const everything = { types: null, shipmentId: null, narrowedBy: { codes: [], legRoles: [], classifiers: [] } };

describe('a change that cannot be decoded', () => {
  let world: DeliveryWorld;
  let caller: Caller;
  let shipment: Shipment;
  /** Before the first of three changes, of which the second is broken. */
  let start: number;
  beforeAll(async () => {
    world = await openDeliveryWorld({ redisUrl: null });
    caller = await world.newCaller();
    shipment = await world.register(caller);
    await world.sequence();
    start = (await listChanges(world.core.ctx, caller, { ...everything, after: 'latest', limit: 1 })).latestSequence;
  });
  afterAll(() => world?.close());

  const change = () => world.change(caller, [{ shipment }]);
  const damage = (sequence: number) =>
    world.core.store.system.query(
      `update landfall.changes set data = null, packed = '\\x00', packed_place = 0 where account_id = $1 and sequence = $2`,
      [caller.accountId, sequence],
    );

  it('holds up no reader of the feed, and reports to each that it is missing', async () => {
    await change();
    await change();
    await change();
    await damage(start + 2);

    const page = { ...everything, after: start };
    const list = await listChanges(world.core.ctx, caller, { ...page, limit: 10 });
    expect(list).toMatchObject({ gap: true, nextAfter: start + 3 });
    expect(list.changes.map(({ sequence }) => sequence)).toEqual([start + 1, start + 3]);
    // As the last one of a page.
    const short = await listChanges(world.core.ctx, caller, { ...page, limit: 2 });
    expect(short).toMatchObject({ gap: true, hasMore: true, nextAfter: start + 2 });
    const next = await listChanges(world.core.ctx, caller, { ...page, after: start + 2, limit: 2 });
    expect(next).toMatchObject({ gap: false, hasMore: false });

    const given: (string | { after: number; nextAfter: number })[] = [];
    const hub = openFeedHub(world.core.ctx, {
      encode: ({ sequence }) => {
        if (sequence === start + 5) throw new Error('it has a form that nothing can read');
        return new TextEncoder().encode(String(sequence));
      },
      apart: (work) => work(),
    });
    const open = (sequence: number) =>
      hub.open(caller, {
        sequence,
        given: start + 3,
        filter: streamFilterOf(everything),
        output: {
          change: (frame) => given.push(new TextDecoder().decode(frame)) > 0,
          gap: (gap) => given.push(gap) > 0,
        },
      });
    const behind = open(start);
    const expected = [`${start + 1}`, { after: start + 1, nextAfter: start + 2 }, `${start + 3}`];
    await until(
      async () => given.length,
      (length) => length >= 3,
    );
    expect(given).toEqual(expected);
    hub.close(behind);

    // One that is up to date gets the same, also of a change that only the wire can't show.
    given.length = 0;
    const current = open(start + 3);
    await change();
    await change();
    await change();
    await damage(start + 4);
    hub.notify([caller.accountId]);
    await until(
      async () => given.length,
      (length) => length >= 3,
    );
    expect(given).toEqual([
      { after: start + 3, nextAfter: start + 4 },
      { after: start + 4, nextAfter: start + 5 },
      `${start + 6}`,
    ]);
    hub.close(current);
  });

  it('is a delivery that was given up, and later ones go out', async () => {
    const filter = { destination: ['ZZZZZ'] };
    const endpoints = [
      await world.createEndpoint(caller, 'all'),
      await world.createEndpoint(caller, 'filtered', { filter }),
      await world.createEndpoint(caller, 'typed', { types: ['shipment.delivered'] }),
    ];
    const { latestSequence } = await listChanges(world.core.ctx, caller, { ...everything, after: 'latest', limit: 1 });
    await world.core.store.system.query(
      `update landfall.webhook_cursors set lease_until = now() + interval '1 hour' where account_id = $1`,
      [caller.accountId],
    );
    await change();
    await change();
    await damage(latestSequence + 1);
    await world.core.store.system.query(
      `update landfall.webhook_cursors set lease_until = null where account_id = $1`,
      [caller.accountId],
    );
    await world.sweep();
    await world.settled();
    const { rows } = await world.core.store.system.query(
      `select endpoint_id, sequence, state from landfall.webhook_deliveries where account_id = $1 order by endpoint_id, sequence`,
      [caller.accountId],
    );
    const of = (place: number) =>
      rows
        .filter((row) => row.endpoint_id === endpoints[place]!.id)
        .map(({ sequence, state }) => [Number(sequence) - latestSequence, state]);
    expect(of(0)).toEqual([
      [1, 'exhausted'],
      [2, 'delivered'],
    ]);
    expect(of(1)).toEqual([[1, 'exhausted']]);
    expect(of(2)).toEqual([]);
  });
});
