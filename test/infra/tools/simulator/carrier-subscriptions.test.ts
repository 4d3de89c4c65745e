import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';

const path = '/sim/dcsa/v2/event-subscriptions';
const secret = randomBytes(48).toString('base64');
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Received = { headers: Record<string, string | string[] | undefined>; body: string };
type Answer = { status: number; headers?: Record<string, string> };

/** A subscriber that returns these responses in turn, then 204. */
async function subscriber(...answers: Answer[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    const { status, headers = {} } = answers.shift() ?? { status: 204 };
    response.writeHead(status, headers).end();
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, received };
}

function open(stateFile: string | null = null) {
  const clock = { ms: Date.parse('2026-03-20T12:00:00Z') };
  const app = buildSimulator({
    seed: 'push',
    now: () => clock.ms,
    voyageS: 50,
    stateFile,
    control: true,
    deliverEveryMs: null,
  });
  closing.push(() => app.close());
  return { clock, app };
}

const subscribe = (app: FastifyInstance, body: object) => app.inject({ method: 'POST', url: path, payload: body });
const ask = (app: FastifyInstance, bl: string) =>
  app.inject(`/sim/dcsa/v2/events?transportDocumentReference=${bl}&limit=500`);
const deliver = (app: FastifyInstance) => app.inject({ method: 'POST', url: '/control/deliver' });
const idsOf = (received: Received[]): string[] =>
  received.flatMap(({ body }) => JSON.parse(body).map((event: { eventID: string }) => event.eventID));

describe('event subscriptions', () => {
  it('are created, listed without their secret, replaced, rotated and deleted', async () => {
    const { app } = open();
    const made = await subscribe(app, { callbackUrl: 'http://callback.test/x', secret, eventType: ['TRANSPORT'] });
    expect(made.statusCode).toBe(201);
    const { subscriptionID: id } = made.json();
    expect(made.json()).toEqual({
      subscriptionID: id,
      callbackUrl: 'http://callback.test/x',
      eventType: ['TRANSPORT'],
    });
    expect((await app.inject(path)).json()).toEqual([made.json()]);
    const replaced = await app.inject({
      method: 'PUT',
      url: `${path}/${id}`,
      payload: { callbackUrl: 'http://callback.test/y' },
    });
    expect([replaced.statusCode, replaced.json()]).toEqual([
      200,
      { subscriptionID: id, callbackUrl: 'http://callback.test/y' },
    ]);
    const rotated = await app.inject({
      method: 'PUT',
      url: `${path}/${id}/secret`,
      payload: { secret: randomBytes(32).toString('base64') },
    });
    expect([rotated.statusCode, rotated.body]).toEqual([204, '']);
    expect((await app.inject({ method: 'DELETE', url: `${path}/${id}` })).statusCode).toBe(204);
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await app.inject({ method, url: `${path}/${id}` })).statusCode).toBe(404);
  });

  it.each([
    { callbackUrl: 'http://callback.test/x' },
    { callbackUrl: 'ftp://callback.test/x', secret },
    { secret },
    { callbackUrl: 'http://callback.test/x', secret: 'not base64!' },
    { callbackUrl: 'http://callback.test/x', secret: randomBytes(31).toString('base64') },
    { callbackUrl: 'http://callback.test/x', secret: randomBytes(65).toString('base64') },
    { callbackUrl: 'http://callback.test/x', secret, eventType: ['WEATHER'] },
    { callbackUrl: 'http://callback.test/x', secret, carrierBookingReference: 'x'.repeat(36) },
  ])('reject %j', async (body) => {
    expect((await subscribe(open().app, body)).statusCode).toBe(400);
  });

  it('reject a secret in a replacement', async () => {
    const { app } = open();
    const { subscriptionID } = (await subscribe(app, { callbackUrl: 'http://callback.test/x', secret })).json();
    const answer = await app.inject({
      method: 'PUT',
      url: `${path}/${subscriptionID}`,
      payload: { callbackUrl: 'http://callback.test/x', secret },
    });
    expect(answer.statusCode).toBe(400);
  });
});

describe('callbacks', () => {
  it('deliver every event published after the subscription once, signed', async () => {
    const { app, clock } = open();
    const { url, received } = await subscriber();
    const before: string[] = (await ask(app, 'MEDU70000012')).json().map((event: { eventID: string }) => event.eventID);
    const { subscriptionID } = (await subscribe(app, { callbackUrl: url, secret })).json();
    const seen = new Set<string>();
    for (let step = 0; step < 12; step++) {
      clock.ms += 5000;
      for (const { eventID } of (await ask(app, 'MEDU70000012')).json()) seen.add(eventID);
      await deliver(app);
      await deliver(app);
    }
    const ids = idsOf(received);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(new Set(ids)).toEqual(new Set([...seen].filter((id) => !before.includes(id))));
    for (const { headers, body } of received) {
      const hex = createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest('hex');
      expect(headers).toMatchObject({
        'notification-signature': `sha256=${hex}`,
        'subscription-id': subscriptionID,
        'content-type': 'application/json',
      });
    }
  });

  it('deliver only the events that the subscription filters, and start its voyage', async () => {
    const { app, clock } = open();
    const [all, some] = [await subscriber(), await subscriber()];
    await subscribe(app, { callbackUrl: all.url, secret });
    await subscribe(app, {
      callbackUrl: some.url,
      secret,
      transportDocumentReference: 'MEDU70000012',
      eventType: ['TRANSPORT'],
    });
    await ask(app, 'MEDU70000023');
    await deliver(app);
    clock.ms += 60_000;
    await deliver(app);
    const events = some.received.flatMap(({ body }) => JSON.parse(body));
    expect(events.length).toBeGreaterThan(3);
    for (const event of events) {
      expect(event.eventType).toBe('TRANSPORT');
      expect(event.documentReferences).toContainEqual({
        documentReferenceType: 'TRD',
        documentReferenceValue: 'MEDU70000012',
      });
    }
    expect(idsOf(all.received).length).toBeGreaterThan(events.length);
  });

  it("deliver only its own line's voyages where the endpoint belongs to a line", async () => {
    const { clock, app } = open();
    const { url, received } = await subscriber();
    const made = await app.inject({
      method: 'POST',
      url: '/sim/evergreen/tnt/v2/event-subscriptions',
      payload: { callbackUrl: url, secret },
    });
    expect(made.statusCode).toBe(201);
    // The same number at several lines is another shipment at each.
    for (const line of ['EGLV', 'MAEU', 'ONEY', 'ZIMU']) await ask(app, `${line}700000123`);
    clock.ms += 2 * 86_400_000;
    await deliver(app);
    const bills = received
      .flatMap(({ body }) => JSON.parse(body))
      .flatMap(({ documentReferences = [] }) => documentReferences)
      .filter(({ documentReferenceType }) => documentReferenceType === 'TRD')
      .map(({ documentReferenceValue }) => documentReferenceValue);
    expect(new Set(bills)).toEqual(new Set([expect.stringContaining('700000123')]));
    expect((await app.inject(path)).json()).toEqual([]);
  });

  it('are retried until 204 with backoff, and a bundle that is too large is split', async () => {
    const { app, clock } = open();
    const { url, received } = await subscriber(
      { status: 200 },
      { status: 503, headers: { 'retry-after': '1' } },
      { status: 302, headers: { location: 'http://attacker.invalid/' } },
      { status: 413 },
    );
    await subscribe(app, { callbackUrl: url, secret });
    await ask(app, 'MEDU70000012');
    clock.ms += 30_000;
    const startedAt = performance.now();
    await deliver(app);
    expect(performance.now() - startedAt).toBeGreaterThan(1000);
    const sizes = received.map(({ body }) => JSON.parse(body).length);
    expect(new Set(sizes.slice(0, 4)).size).toBe(1);
    expect((sizes[4] ?? 0) + (sizes[5] ?? 0)).toBe(sizes[0]);
    const { deliveries } = (await app.inject('/control/deliveries')).json();
    expect(deliveries[0].statuses).toEqual([200, 503, 302, 413]);
    expect(deliveries.slice(1).every(({ taken }: { taken: boolean }) => taken)).toBe(true);
    expect(new Set(idsOf(received.slice(4))).size).toBe(idsOf(received.slice(4)).length);
  });

  it('stop with the subscription, and continue after a restart', async () => {
    const stateFile = join(mkdtempSync(join(tmpdir(), 'simulator-push-')), 'state.json');
    const first = open(stateFile);
    const [kept, removed] = [await subscriber(), await subscriber()];
    await subscribe(first.app, { callbackUrl: kept.url, secret });
    const { subscriptionID } = (await subscribe(first.app, { callbackUrl: removed.url, secret })).json();
    await first.app.inject({ method: 'DELETE', url: `${path}/${subscriptionID}` });
    await ask(first.app, 'MEDU70000012');
    await first.app.close();
    const second = open(stateFile);
    second.clock.ms += 60_000;
    await deliver(second.app);
    expect(idsOf(kept.received).length).toBeGreaterThan(10);
    expect(removed.received).toEqual([]);
  });
});
