import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { enableWebhookEndpoint } from '#shared/core/webhooks/enable-endpoint.ts';
import { measureWebhooks } from '#shared/core/webhooks/measure-webhooks.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '#shared/core/webhooks/read-deliveries.ts';
import { getWebhookEndpoint } from '#shared/core/webhooks/read-endpoints.ts';
import { getWebhookReplay, replayWebhookEndpoint } from '#shared/core/webhooks/replay-endpoint.ts';
import { resendWebhookDelivery } from '#shared/core/webhooks/resend-delivery.ts';
import { rotateWebhookSecret } from '#shared/core/webhooks/rotate-secret.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { maxTries, pauseAfter } from '#shared/domain/webhooks/tries.ts';
import { until } from '#test/support/until.ts';
import { type DeliveryWorld, type Endpoint, openDeliveryWorld } from '#test/support/webhooks/delivery-world.ts';
import { answerWith, type Received } from '#test/support/webhooks/receiver.ts';

/** Tests deliveries on any backend of the queue; `isWhole` adds the tests that do not depend on it. */
export function describeDeliveries(name: string, redisUrl: string | null, { isWhole }: { isWhole: boolean }): void {
  describe(`webhooks with the queue on ${name}`, () => {
    let world: DeliveryWorld;
    let caller: Caller;
    let shipment: Shipment;
    let names = 0;

    beforeAll(async () => {
      world = await openDeliveryWorld({ redisUrl, random: () => 0.5 });
    });
    beforeEach(async () => {
      caller = await world.newCaller();
      shipment = await world.register(caller);
      await world.sequence();
    });
    afterAll(() => world?.close());

    const newName = (): string => {
      names += 1;
      return `endpoint-${names}`;
    };
    const receivedAt = (path: string): Received[] => world.receiver.received.filter((one) => one.path === `/${path}`);
    const typesAt = (path: string): string[] => receivedAt(path).map(({ body }) => JSON.parse(body).type);
    const arrive = (path: string, count: number) => world.receiver.until(() => receivedAt(path).length >= count);
    const changes = (count: number, more: object = {}) => Array.from({ length: count }, () => ({ shipment, ...more }));
    const query = (text: string, values: unknown[] = []) => world.core.store.system.query(text, values);
    const makeDue = async (endpointId: string): Promise<void> => {
      await query(
        `update landfall.webhook_deliveries set next_try_at = now() where endpoint_id = $1 and state = 'waiting'`,
        [endpointId],
      );
      await query('update landfall.webhook_cursors set retry_at = now() where endpoint_id = $1', [endpointId]);
      await world.sweep();
      await world.settled();
    };
    const deliveriesOf = async ({ id }: Endpoint) =>
      (
        await listWebhookDeliveries(world.core.ctx, caller, {
          endpointId: id,
          states: null,
          types: null,
          shipmentId: null,
          since: null,
          after: null,
          limit: 100,
        } as never)
      ).deliveries;

    it('delivers to each endpoint exactly what its types and its filter select', async () => {
      const wanted = {
        all: {},
        types: { types: ['shipment.delivered', 'shipment.stale'] as const },
        tagged: { filter: { tag: ['red'] } },
        both: { types: ['shipment.delivered'] as const, filter: { tag: ['red', 'blue'] } },
        none: { filter: { tag: ['green'] } },
        record: { filter: { metadata: { lot: ['7'] } } },
      };
      const prefix = newName();
      for (const [key, more] of Object.entries(wanted))
        await world.createEndpoint(caller, `${prefix}-${key}`, more as never);
      await world.change(caller, [
        { shipment, type: 'shipment.delivered', tags: ['red'] },
        { shipment, type: 'shipment.stale', tags: ['blue'] },
        { shipment, type: 'shipment.delivered', tags: ['blue'] },
        { shipment, type: 'shipment.updated', tags: ['red', 'green'] },
        { shipment, type: 'shipment.eta_changed' },
      ]);
      await world.settled();
      const delivered = Object.fromEntries(
        Object.keys(wanted).map((key) => [key, typesAt(`${prefix}-${key}`).toSorted()]),
      );
      expect(delivered).toEqual({
        all: ['shipment.delivered', 'shipment.delivered', 'shipment.eta_changed', 'shipment.stale', 'shipment.updated'],
        types: ['shipment.delivered', 'shipment.delivered', 'shipment.stale'],
        tagged: ['shipment.delivered', 'shipment.updated'],
        both: ['shipment.delivered', 'shipment.delivered'],
        none: ['shipment.updated'],
        record: [],
      });
      const feed = await listChanges(world.core.ctx, caller, {
        after: null,
        types: null,
        shipmentId: null,
        narrowedBy: { codes: [], legRoles: [], classifiers: [] },
        limit: 100,
      });
      expect(new Set(receivedAt(`${prefix}-all`).map(({ id }) => id)).size).toBe(5);
      expect(feed.latestSequence).toBeGreaterThanOrEqual(5);
    });

    it('delays no other account while an endpoint hangs', async () => {
      const [hanging, healthy] = [newName(), newName()];
      await world.createEndpoint(caller, hanging, { timeoutS: 30 });
      const endpoint = await world.createEndpoint(caller, healthy);
      const hung: (() => void)[] = [];
      world.receiver.answer(hanging, (_received, response) => void hung.push(() => response.end()));
      await world.change(caller, changes(30));
      await arrive(healthy, 30);
      await arrive(hanging, 8);
      // The healthy one is released and goes on with later changes.
      await world.change(caller, changes(30));
      await arrive(healthy, 60);
      await until(
        async () => (await deliveriesOf(endpoint)).length,
        (count) => count === 60,
      );
      expect(receivedAt(hanging)).toHaveLength(8);
      world.receiver.answer(hanging, (_received, response) => void response.end());
      for (const end of hung) end();
      await world.settled();
      expect(new Set(receivedAt(hanging).map(({ id }) => id)).size).toBe(60);
    });

    it('keeps the changes of a shipment in order and holds back only that shipment', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path, { ordering: 'shipment' });
      const other = await world.register(caller);
      await world.sequence();
      await world.settled();
      const before = receivedAt(path).length;
      let isBroken = true;
      world.receiver.answer(path, (received, response) => {
        const isRefused = isBroken && JSON.parse(received.body).data.data.shipment.tags[0] === 'bad';
        response.writeHead(isRefused ? 500 : 200).end();
      });
      const numbered = (of: Shipment, count: number, tags: string[]) =>
        Array.from({ length: count }, () => ({ shipment: of, tags }));
      await world.change(caller, [
        ...numbered(shipment, 2, ['good']),
        ...numbered(shipment, 1, ['bad']),
        ...numbered(other, 5, ['good']),
        ...numbered(shipment, 3, ['good']),
      ]);
      await world.settled();
      await world.change(caller, numbered(shipment, 2, ['good']));
      await world.settled();
      const positions = (of: Shipment): number[] =>
        receivedAt(path)
          .slice(before)
          .map(({ body }) => JSON.parse(body).data)
          .filter(({ data }) => data.shipment.identifiers.mbl === of.identifiers.mbl)
          .map(({ position }) => position);
      expect(positions(other)).toHaveLength(5);
      expect(positions(shipment)).toHaveLength(3);
      await makeDue(endpoint.id);
      expect(positions(shipment)).toHaveLength(4);
      isBroken = false;
      await makeDue(endpoint.id);
      const all = positions(shipment);
      expect(all).toEqual(all.toSorted((left, right) => left - right));
      expect(new Set(all).size).toBe(8);
      expect((await deliveriesOf(endpoint)).every(({ state }) => state === 'delivered')).toBe(true);
    });

    it('finishes the work of a worker that disappeared, when its lease has expired', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path);
      // Another worker claimed it, delivered the second change, and was gone.
      await query(
        `update landfall.webhook_cursors set epoch = 7, lease_until = now() + interval '1 hour' where endpoint_id = $1`,
        [endpoint.id],
      );
      await world.change(caller, changes(5));
      await world.sweep();
      const { rows } = await query(
        'select sequence, id from landfall.changes where account_id = $1 order by sequence desc limit 4',
        [caller.accountId],
      );
      await query(
        `insert into landfall.webhook_deliveries (account_id, endpoint_id, sequence, change_id, type, state, tries) values ($1, $2, $3, $4, 'shipment.updated', 'delivered', 1)`,
        [caller.accountId, endpoint.id, rows[3].sequence, rows[3].id],
      );
      expect(receivedAt(path)).toEqual([]);
      await query(`update landfall.webhook_cursors set lease_until = now() where endpoint_id = $1`, [endpoint.id]);
      await world.sweep();
      await world.settled();
      expect(receivedAt(path).map(({ body }) => JSON.parse(body).data.position)).not.toContain(rows[3].sequence);
      expect(receivedAt(path)).toHaveLength(4);
    });

    it('writes nothing for an endpoint that another worker took over', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path);
      const ends: (() => void)[] = [];
      world.receiver.answer(path, (_received, response) => void ends.push(() => response.end()));
      await world.change(caller, changes(1));
      await arrive(path, 1);
      await query('update landfall.webhook_cursors set epoch = epoch + 1 where endpoint_id = $1', [endpoint.id]);
      for (const end of ends) end();
      await world.consumer.renew();
      await world.change(caller, []);
      expect(await deliveriesOf(endpoint)).toEqual([]);
      world.receiver.answer(path, answerWith(200));
      await query('update landfall.webhook_cursors set lease_until = now() where endpoint_id = $1', [endpoint.id]);
      await world.sweep();
      await world.settled();
      expect(await deliveriesOf(endpoint)).toMatchObject([{ state: 'delivered', tries: 1 }]);
    });

    // These do not depend on the queue.
    if (!isWhole) return;

    it('signs every delivery so that the library of Standard Webhooks verifies it, during a rotation with either secret', async () => {
      const path = newName();
      const headers = { 'x-environment': 'production' };
      const endpoint = await world.createEndpoint(caller, path, { headers });
      const rotated = await rotateWebhookSecret(world.core.ctx, caller, { id: endpoint.id, overlapHours: 24 });
      await world.change(caller, changes(3));
      await arrive(path, 3);
      for (const received of receivedAt(path)) {
        for (const secret of [endpoint.secret, rotated.secret]) {
          const verifier = new Webhook(secret);
          expect(verifier.verify(received.body, received.headers as never)).toEqual(JSON.parse(received.body));
          expect(() => verifier.verify(`${received.body} `, received.headers as never)).toThrow();
        }
        expect(received.headers).toMatchObject({
          'x-environment': 'production',
          'user-agent': 'Landfall-Webhooks/1.2.3',
        });
      }
    });

    it.each(['summary', 'full', 'thin'] as const)('sends the payload %s', async (payload) => {
      const path = newName();
      await world.createEndpoint(caller, path, { payload });
      await world.change(caller, changes(1));
      await arrive(path, 1);
      const { data } = JSON.parse(receivedAt(path)[0]!.body);
      if (payload === 'thin') expect(Object.keys(data).toSorted()).toEqual(['id', 'position', 'shipment_id', 'type']);
      else expect('events' in data.data.shipment).toBe(payload === 'full');
    });

    it('tries again by the schedule, keeps every try, and gives up after the last', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path);
      world.receiver.answer(path, answerWith(500, {}, 'queue full'));
      await world.change(caller, changes(1));
      await world.settled();
      for (let tries = 1; tries < maxTries; tries += 1) {
        const [delivery] = await deliveriesOf(endpoint);
        expect(delivery).toMatchObject({ state: 'waiting', tries, status: 500, error: null });
        const { rows } = await query(
          `select round(extract(epoch from next_try_at - tried_at))::integer as pause from landfall.webhook_deliveries where endpoint_id = $1`,
          [endpoint.id],
        );
        // A busy machine takes a while from the try to the record.
        const pauseS = (pauseAfter(tries, 0.5) ?? 0) / 1000;
        expect(rows[0].pause).toBeGreaterThanOrEqual(pauseS);
        expect(rows[0].pause).toBeLessThan(pauseS + 60);
        await makeDue(endpoint.id);
      }
      const [delivery] = await deliveriesOf(endpoint);
      expect(delivery).toMatchObject({ state: 'exhausted', tries: maxTries, nextTryAt: null });
      const { everyTry } = await getWebhookDelivery(world.core.ctx, caller, {
        endpointId: endpoint.id,
        id: delivery!.id,
      });
      expect(everyTry.map(({ status, answer }) => `${status} ${answer}`)).toEqual(
        Array(maxTries).fill('500 queue full'),
      );
      expect(new Set(receivedAt(path).map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
      await makeDue(endpoint.id);
      expect(receivedAt(path)).toHaveLength(maxTries);
    });

    it('waits as long as a 429 asks for', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path);
      world.receiver.answer(path, answerWith(429, { 'retry-after': '7200' }));
      await world.change(caller, changes(1));
      await world.settled();
      const [delivery] = await deliveriesOf(endpoint);
      expect(Date.parse(delivery!.nextTryAt!) - Date.parse(delivery!.triedAt!)).toBeGreaterThanOrEqual(7_199_000);
    });

    it('disables an endpoint that answers 410, says so in the feed, and continues when it is enabled', async () => {
      const [gone, watching] = [newName(), newName()];
      const endpoint = await world.createEndpoint(caller, gone, { description: 'Old system' });
      await world.createEndpoint(caller, watching, { types: ['webhook.disabled'] });
      world.receiver.answer(gone, answerWith(410));
      await world.change(caller, changes(1));
      await until(
        () => getWebhookEndpoint(world.core.ctx, caller, endpoint.id),
        ({ enabled }) => !enabled,
      );
      expect(await getWebhookEndpoint(world.core.ctx, caller, endpoint.id)).toMatchObject({ disabledReason: 'gone' });
      await world.sequence();
      await arrive(watching, 1);
      expect(JSON.parse(receivedAt(watching)[0]!.body)).toMatchObject({
        type: 'webhook.disabled',
        data: {
          data: { webhook_endpoint: { reason: 'gone', description: 'Old system', url: world.receiver.urlOf(gone) } },
        },
      });
      await world.change(caller, changes(2));
      await world.settled();
      expect(receivedAt(gone)).toHaveLength(1);
      world.receiver.answer(gone, answerWith(200));
      await enableWebhookEndpoint(world.core.ctx, caller, { id: endpoint.id, skipMissed: false });
      await makeDue(endpoint.id);
      expect(new Set(receivedAt(gone).map(({ id }) => id)).size).toBe(4);
    });

    it('disables an endpoint that failed for three days', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path);
      world.receiver.answer(path, answerWith(500));
      await world.change(caller, changes(1));
      await world.settled();
      expect(await getWebhookEndpoint(world.core.ctx, caller, endpoint.id)).toMatchObject({
        enabled: true,
        consecutiveFailures: 1,
      });
      await query(
        `update landfall.webhook_cursors set failing_since = now() - interval '3 days' where endpoint_id = $1`,
        [endpoint.id],
      );
      await makeDue(endpoint.id);
      expect(await getWebhookEndpoint(world.core.ctx, caller, endpoint.id)).toMatchObject({
        enabled: false,
        disabledReason: 'failing',
      });
    });

    it('sends one delivery again on request, and a range of them by a replay', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path, { types: ['shipment.updated'] });
      await world.change(caller, [...changes(3), ...changes(2, { type: 'shipment.stale' }), ...changes(250)]);
      await world.settled();
      expect(receivedAt(path)).toHaveLength(253);
      const [delivery] = await deliveriesOf(endpoint);
      await resendWebhookDelivery(world.core.ctx, caller, { endpointId: endpoint.id, id: delivery!.id });
      await world.sweep();
      await world.settled();
      expect(receivedAt(path)).toHaveLength(254);
      expect(
        (await getWebhookDelivery(world.core.ctx, caller, { endpointId: endpoint.id, id: delivery!.id })).everyTry,
      ).toHaveLength(2);

      const { id } = await replayWebhookEndpoint(world.core.ctx, caller, {
        endpointId: endpoint.id,
        from: null,
        to: null,
        failedOnly: false,
      });
      await world.sweep();
      const replayed = await until(
        () => getWebhookReplay(world.core.ctx, caller, { endpointId: endpoint.id, id }),
        ({ state }) => state === 'done',
      );
      await world.sweep();
      await world.settled();
      expect(replayed.queued).toBe(253);
      expect(receivedAt(path)).toHaveLength(254 + 253);
      expect(new Set(receivedAt(path).map((one) => one.id)).size).toBe(253);
    });

    it('sends no more requests a second than an endpoint allows', async () => {
      const path = newName();
      await world.createEndpoint(caller, path, { ratePerSecond: 50 });
      await world.change(caller, changes(11));
      await arrive(path, 11);
      const times = receivedAt(path).map(({ atMs }) => atMs);
      // Ten pauses of 20 ms; a busy machine only makes them longer.
      expect(times.at(-1)! - times[0]!).toBeGreaterThan(150);
    });

    it('leaves permits to other accounts while all endpoints of one hang', async () => {
      const small = await openDeliveryWorld({ redisUrl, concurrency: 8 });
      const [slow, quick] = [await small.newCaller(), await small.newCaller()];
      const [of, other] = [await small.register(slow), await small.register(quick)];
      await small.sequence();
      const names = ['hang-1', 'hang-2', 'hang-3'];
      for (const name of names) {
        await small.createEndpoint(slow, name, { timeoutS: 30 });
        small.receiver.answer(name, () => undefined);
      }
      await small.createEndpoint(quick, 'healthy');
      await small.change(
        slow,
        Array.from({ length: 20 }, () => ({ shipment: of })),
      );
      await small.receiver.until((received) => received.length >= 4);
      await small.change(
        quick,
        Array.from({ length: 20 }, () => ({ shipment: other })),
      );
      await small.receiver.until((received) => received.filter(({ path }) => path === '/healthy').length === 20);
      expect(small.receiver.received.filter(({ path }) => path !== '/healthy')).toHaveLength(4);
      small.receiver.close();
      await small.close();
    });

    it('measures pending deliveries and the failing endpoints', async () => {
      const path = newName();
      const endpoint = await world.createEndpoint(caller, path);
      const before = await measureWebhooks(world.core.ctx);
      world.receiver.answer(path, answerWith(500));
      await world.change(caller, changes(3));
      await world.settled();
      const after = await measureWebhooks(world.core.ctx);
      expect([after.failing - before.failing, after.backlog - before.backlog, after.oldestAgeS]).toEqual([1, 3, null]);
      await query(
        `update landfall.webhook_cursors set lease_until = now() + interval '1 hour' where endpoint_id = $1`,
        [endpoint.id],
      );
      await world.change(caller, changes(2));
      const late = await measureWebhooks(world.core.ctx);
      expect(late.backlog - after.backlog).toBe(2);
      expect(late.oldestAgeS).toBeGreaterThanOrEqual(0);
      await query('update landfall.webhook_cursors set lease_until = null where endpoint_id = $1', [endpoint.id]);
    });
  });
}
