import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPreparedFeeds } from '#services/worker/webhooks/prepared-changes.ts';
import { openSelections } from '#services/worker/webhooks/selections.ts';
import { openEvaluatedSequences, skipUnwantedChanges } from '#services/worker/webhooks/skip-unwanted.ts';
import { findWaitingWebhooks } from '#shared/core/webhooks/claim-endpoints.ts';
import { updateWebhookEndpoint } from '#shared/core/webhooks/update-endpoint.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { type DeliveryWorld, openDeliveryWorld } from '#test/support/webhooks/delivery-world.ts';

describe('changes that an endpoint does not select', () => {
  let world: DeliveryWorld;
  let caller: Caller;
  let shipment: Shipment;
  beforeAll(async () => {
    world = await openDeliveryWorld({ redisUrl: null });
  });
  beforeEach(async () => {
    caller = await world.newCaller();
    shipment = await world.register(caller);
    await world.sequence();
  });
  afterAll(() => world?.close());

  const cursorOf = async (id: string): Promise<{ sequence: string; epoch: string; lease_until: Date | null }> =>
    (await world.core.store.system.query('select * from landfall.webhook_cursors where endpoint_id = $1', [id]))
      .rows[0];
  const elsewhere = { filter: { destination: ['ZZZZZ'] } };
  const changed = (count: number) => Array.from({ length: count }, () => ({ shipment }));

  it('are skipped without a claim of the endpoint', async () => {
    const other = await world.createEndpoint(caller, 'other', elsewhere);
    const typed = await world.createEndpoint(caller, 'typed', { types: ['shipment.delivered'] });
    const all = await world.createEndpoint(caller, 'all');
    const before = await cursorOf(other.id);
    await world.change(caller, changed(250));
    await world.settled();
    const [skipped, typedAfter, delivered] = [
      await cursorOf(other.id),
      await cursorOf(typed.id),
      await cursorOf(all.id),
    ];
    expect(Number(skipped.sequence) - Number(before.sequence)).toBe(250);
    expect(typedAfter.sequence).toBe(skipped.sequence);
    expect(delivered.sequence).toBe(skipped.sequence);
    expect([skipped.epoch, typedAfter.epoch]).toEqual([before.epoch, before.epoch]);
    expect(Number(delivered.epoch)).toBeGreaterThan(0);
    expect(world.receiver.received.filter(({ path }) => path === '/all')).toHaveLength(250);
    expect(world.receiver.received.filter(({ path }) => path === '/other' || path === '/typed')).toEqual([]);
  });

  it('stay apart from changes that it selects after an update', async () => {
    const endpoint = await world.createEndpoint(caller, 'changed', elsewhere);
    await world.change(caller, changed(3));
    await world.settled();
    await updateWebhookEndpoint(world.core.ctx, caller, { id: endpoint.id, update: { filter: null } });
    await world.change(caller, changed(2));
    await world.settled();
    expect(world.receiver.received.filter(({ path }) => path === '/changed')).toHaveLength(2);
  });

  it('cost a read of the feed, and an endpoint that selects the next one gets it at once', async () => {
    const tagged = await world.createEndpoint(caller, 'tagged', { filter: { tag: ['urgent'] } });
    await world.createEndpoint(caller, 'elsewhere', elsewhere);
    const { sequence } = await cursorOf(tagged.id);
    // Neither is written before the sweep.
    await world.change(caller, changed(3));
    await world.change(caller, changed(3));
    expect((await cursorOf(tagged.id)).sequence).toBe(sequence);
    await world.change(caller, [{ shipment, tags: ['urgent'] }]);
    await world.receiver.until((all) => all.some(({ path }) => path === '/tagged'));
    await world.settled();
    expect(Number((await cursorOf(tagged.id)).sequence) - Number(sequence)).toBe(7);
    expect(world.receiver.received.filter(({ path }) => path === '/tagged')).toHaveLength(1);
    expect(world.receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  it('are left to the worker that has claimed the endpoint since they were evaluated', async () => {
    const endpoint = await world.createEndpoint(caller, 'claimed', elsewhere);
    await world.core.store.system.query(
      `update landfall.webhook_cursors set sequence = sequence - 1 where endpoint_id = $1`,
      [endpoint.id],
    );
    const core = world.core.ctx;
    const waiting = await findWaitingWebhooks(core, [caller.accountId]);
    expect(waiting).toMatchObject([{ endpointId: endpoint.id, hasDue: false }]);
    await world.core.store.system.query(
      `update landfall.webhook_cursors set lease_until = now() + interval '1 hour' where endpoint_id = $1`,
      [endpoint.id],
    );
    const feeds = openPreparedFeeds(core);
    const { wanted } = await skipUnwantedChanges({ core, feeds, selections: openSelections(core) }, waiting, {
      evaluated: openEvaluatedSequences(),
      writes: true,
    });
    expect(wanted).toEqual([]);
    expect(Number((await cursorOf(endpoint.id)).sequence)).toBe(waiting[0]!.sequence);
    await world.core.store.system.query(
      `update landfall.webhook_cursors set lease_until = null where endpoint_id = $1`,
      [endpoint.id],
    );
  });

  it('are read once for endpoints at different sequences', async () => {
    const feeds = openPreparedFeeds(world.core.ctx);
    await world.change(caller, changed(20));
    const first = await feeds.after(caller, 0);
    expect(first.changes.length).toBeGreaterThan(20);
    const within = await feeds.after(caller, first.changes[5]!.place.sequence);
    expect(within.changes).toEqual(first.changes.slice(6));
    expect(within.changes[0]).toBe(first.changes[6]);
    expect(within.upTo).toBe(first.upTo);
    // The end of the feed is read again: it may have grown.
    await world.change(caller, changed(1));
    expect((await feeds.after(caller, first.upTo)).changes).toHaveLength(1);
  });

  // The last one: the others need a waker.
  it('are left to the sweep, like selected ones, once the waker is closed', async () => {
    const endpoint = await world.createEndpoint(caller, 'closed');
    world.waker.wake([caller.accountId]);
    await world.waker.close();
    await world.change(caller, changed(2));
    const waiting = await findWaitingWebhooks(world.core.ctx, [caller.accountId]);
    expect(waiting.map(({ endpointId }) => endpointId)).toEqual([endpoint.id]);
    await world.settled();
    expect(world.receiver.received.filter(({ path }) => path === '/closed')).toHaveLength(2);
  });
});
