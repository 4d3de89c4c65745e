import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { Receiver } from '#infra/tools/simulator/receiver/receiver-book.ts';
import { buildSimulator } from '#infra/tools/simulator/server.ts';

const secret = newSecret();
let apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps) await app.close();
  apps = [];
});

function simulator(options: { stateFile?: string; now?: () => number } = {}): FastifyInstance {
  const app = buildSimulator({
    seed: 'test',
    now: options.now ?? Date.now,
    voyageS: 50,
    stateFile: options.stateFile ?? null,
  });
  apps.push(app);
  return app;
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A request as Landfall sends it, signed by the official library. */
function signed(
  id: string,
  { key = secret, at = new Date(), body = `{"type":"shipment.updated","data":"${id}"}` } = {},
) {
  return {
    payload: body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, at, body),
    },
  };
}

async function post(app: FastifyInstance, name: string, request: ReturnType<typeof signed>) {
  return app.inject({ method: 'POST', url: `/receiver/${name}`, ...request });
}

async function configure(app: FastifyInstance, name: string, what: 'secrets' | 'behaviour', payload: object) {
  const { statusCode } = await app.inject({ method: 'POST', url: `/receiver/${name}/${what}`, payload });
  return statusCode;
}

async function receiver(app: FastifyInstance, name: string): Promise<Receiver> {
  const { receivers } = (await app.inject('/receiver')).json<{ receivers: Receiver[] }>();
  const found = receivers.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no receiver ${name}`);
  return found;
}

describe('the webhook receiver of the simulator', () => {
  it('accepts signatures of the official library with any of its secrets, and names the reason otherwise', async () => {
    const app = simulator();
    await post(app, 'healthy', signed('chg_0'));
    const other = newSecret();
    expect(await configure(app, 'healthy', 'secrets', { secret })).toBe(204);
    expect(await configure(app, 'healthy', 'secrets', { secret: other })).toBe(204);
    await post(app, 'healthy', signed('chg_1'));
    await post(app, 'healthy', signed('chg_2', { key: other }));
    await post(app, 'healthy', signed('chg_3', { key: newSecret() }));
    const changed = signed('chg_4');
    await post(app, 'healthy', { ...changed, payload: changed.payload.replace('chg_4', 'chg_5') });
    await post(app, 'healthy', signed('chg_6', { at: new Date(Date.now() - 6 * 60_000) }));
    const { headers: _none, ...unsigned } = signed('chg_7');
    await app.inject({ method: 'POST', url: '/receiver/healthy', ...unsigned });
    const { latest, received, verified } = await receiver(app, 'healthy');
    expect(latest.toReversed().map(({ fault }) => fault)).toEqual([
      'no secret known',
      null,
      null,
      'signature does not match',
      'signature does not match',
      'timestamp too old or too new',
      'headers missing',
    ]);
    expect({ received, verified }).toEqual({ received: 7, verified: 2 });
    expect(latest.at(-2)).toMatchObject({ id: 'chg_1', type: 'shipment.updated', status: 200, arrival: 1 });
  });

  it('answers as configured, and counts how often a webhook-id arrives', async () => {
    const app = simulator();
    const statuses = [(await post(app, 'refusing', signed('chg_1'))).statusCode];
    for (const behaviour of ['limited', 'gone', 'healthy']) {
      expect(await configure(app, 'refusing', 'behaviour', { behaviour })).toBe(204);
      statuses.push((await post(app, 'refusing', signed('chg_1'))).statusCode);
    }
    expect(statuses).toEqual([500, 429, 410, 200]);
    expect((await receiver(app, 'refusing')).latest.map(({ arrival }) => arrival)).toEqual([4, 3, 2, 1]);
    expect(await configure(app, 'refusing', 'behaviour', { behaviour: 'polite' })).toBe(400);
    expect(await configure(app, 'refusing', 'secrets', { secret: 'abc' })).toBe(400);
    expect((await post(app, 'unknown', signed('chg_1'))).statusCode).toBe(400);
  });

  it('keeps the latest 100 requests of 16 KiB each', async () => {
    const app = simulator();
    const body = JSON.stringify({ type: 'shipment.updated', data: 'x'.repeat(20_000) });
    for (let count = 0; count < 120; count += 1) await post(app, 'healthy', signed(`chg_${count}`, { body }));
    const { latest, received } = await receiver(app, 'healthy');
    expect(received).toBe(120);
    expect(latest).toHaveLength(100);
    expect(latest[0]).toMatchObject({ id: 'chg_119' });
    expect(latest[0]?.body).toHaveLength(16_384);
  });

  it('shows received deliveries as a page without running any of their content', async () => {
    const app = simulator();
    await post(app, 'healthy', signed('chg_1', { body: '{"type":"<script>alert(1)</script>"}' }));
    const page = await app.inject({ url: '/receiver', headers: { accept: 'text/html' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('&lt;script&gt;alert(1)');
    expect(page.body).not.toContain('<script>');
    const form = await app.inject({
      method: 'POST',
      url: '/receiver/slow/behaviour',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'behaviour=healthy',
    });
    expect(form.headers.location).toBe('/receiver');
    expect((await receiver(app, 'slow')).behaviour).toBe('healthy');
  });

  it('keeps behaviours and secrets over a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'landfall-receiver-'));
    try {
      const stateFile = join(folder, 'simulator.json');
      const before = simulator({ stateFile });
      await configure(before, 'healthy', 'secrets', { secret });
      await configure(before, 'healthy', 'behaviour', { behaviour: 'gone' });
      await before.close();
      const after = simulator({ stateFile });
      expect((await post(after, 'healthy', signed('chg_1'))).statusCode).toBe(410);
      expect((await receiver(after, 'healthy')).latest[0]?.fault).toBeNull();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
