import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSubscriptionSecret } from '#shared/core/carrier-subscriptions/subscription-secret.ts';
import { findSubscriptions, stageSecret } from '#shared/store/system/carrier-subscriptions.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { addSubscription, signed, type TestSubscription } from '#test/support/api/carrier-subscriptions.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { testDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const send = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, to = api) =>
  fetch(to.url + path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const deliver = (subscription: TestSubscription, body: string, to = api) =>
  send(subscription.path, body, { 'notification-signature': signed(subscription.secret, body) }, to);

async function kept(subscription: TestSubscription, from = api): Promise<string[]> {
  const { rows } = await from.ctx.core.store.system.query<{ body: Buffer }>(
    'select body from landfall.carrier_deliveries where subscription_id = $1 order by id',
    [subscription.id],
  );
  return rows.map((row) => row.body.toString());
}

describe('a delivery', () => {
  it('is stored unchanged and answered 204, however often it is sent', async () => {
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    const body = '[ {"eventType": "TRANSPORT"} ]\r\n';
    for (let time = 0; time < 3; time++) {
      const answer = await deliver(subscription, body);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    }
    expect(await kept(subscription)).toEqual([body]);
    await Promise.all(['[1]', '[1]', '[2]', '[2]'].map((each) => deliver(subscription, each)));
    expect((await kept(subscription)).toSorted()).toEqual([body, '[1]', '[2]'].toSorted());
  });

  it('is verified by HMAC-SHA256 over its bytes with the decoded secret, in upper or lower case', async () => {
    // RFC 4231, test case 2: the vector that detects swapped key and text.
    expect(createHmac('sha256', 'Jefe').update('what do ya want for nothing?').digest('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    const bytes = new Uint8Array([0x5b, 0x22, 0xff, 0x00, 0xc3, 0x22, 0x5d]);
    const right = signed(subscription.secret, bytes);
    const of = (signature: string) =>
      send(subscription.path, bytes, { 'notification-signature': signature }).then(({ status }) => status);
    expect(await of(right)).toBe(204);
    expect(await of(`  SHA256=${right.slice(7).toUpperCase()} `)).toBe(204);
    const withText = `sha256=${createHmac('sha256', subscription.secret).update(bytes).digest('hex')}`;
    const sha1 = `sha1=${createHmac('sha1', Buffer.from(subscription.secret, 'base64')).update(bytes).digest('hex')}`;
    for (const wrong of [
      withText,
      sha1,
      right.slice(0, -1),
      `${right}00`,
      right.slice(7),
      `sha256=${'0'.repeat(64)}`,
    ]) {
      expect([wrong, await of(wrong)]).toEqual([wrong, 401]);
    }
    expect(await kept(subscription)).toHaveLength(1);
  });

  it('may have any content type, or none', async () => {
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/cloudevents-batch+json']) {
      const body = JSON.stringify([type]);
      const answer = await send(subscription.path, body, {
        'content-type': type,
        'notification-signature': signed(subscription.secret, body),
      });
      expect([type, answer.status]).toEqual([type, 204]);
    }
    const bare = new TextEncoder().encode('["bare"]');
    const answer = await fetch(api.url + subscription.path, {
      method: 'POST',
      body: bare,
      headers: { 'notification-signature': signed(subscription.secret, bare) },
    });
    expect(answer.status).toBe(204);
  });

  it('does not reveal whether the subscription or the signature is wrong', async () => {
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    const ended = await addSubscription(api.ctx.core, api.accountId);
    await api.ctx.core.store.system.query(`update landfall.carrier_subscriptions set state = 'ended' where id = $1`, [
      ended.id,
    ]);
    const right = { 'notification-signature': signed(subscription.secret, '[]') };
    const otherToken = subscription.path.slice(0, -1) + (subscription.path.endsWith('0') ? '1' : '0');
    const answers = await Promise.all([
      send(subscription.path, '[]', { 'notification-signature': signed(randomBytes(48).toString('base64'), '[]') }),
      send(subscription.path, '[]'),
      send(subscription.path, '[ ]', right),
      send(otherToken, '[]', right),
      send(subscription.path.replace('/dcsa/', '/maersk/'), '[]', right),
      send(ended.path, '[]', { 'notification-signature': signed(ended.secret, '[]') }),
      send('/hooks/dcsa/anything', '[]', right),
      send(`/hooks/dcsa/sub_00000000000000000000000000_${'0'.repeat(32)}`, '[]', right),
    ]);
    const said = await Promise.all(
      answers.map(async (answer) => {
        const { request_id: _id, trace_id: _trace, ...problem } = (await answer.json()) as Record<string, unknown>;
        return {
          status: answer.status,
          type: answer.headers.get('content-type'),
          challenge: answer.headers.get('www-authenticate'),
          problem,
        };
      }),
    );
    expect(new Set(said.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(said[0]).toMatchObject({
      status: 401,
      type: expect.stringContaining('problem+json'),
      problem: { code: 'invalid_signature' },
    });
    expect(await kept(subscription)).toEqual([]);
    expect(await kept(ended)).toEqual([]);
  });

  it('is accepted with either secret during a rotation, until the overlap ends', async () => {
    const { core } = api.ctx;
    const subscription = await addSubscription(core, api.accountId);
    const { secret: next, stored } = await newSubscriptionSecret(core, subscription);
    const [row] = await withSystem(core.store, (tx) => findSubscriptions(tx, [subscription.id]));
    if (!row) throw new Error('the subscription does not exist');
    expect(await withSystem(core.store, (tx) => stageSecret(tx, row, stored))).toBe(true);
    const statuses = async (body: string) => [
      (await deliver(subscription, `["old ${body}"]`)).status,
      (await deliver({ ...subscription, secret: next }, `["new ${body}"]`)).status,
    ];
    const until = (time: string) =>
      core.store.system.query(`update landfall.carrier_subscriptions set previous_until = ${time} where id = $1`, [
        subscription.id,
      ]);
    expect(await statuses('not confirmed')).toEqual([204, 204]);
    await until(`now() + interval '1 hour'`);
    expect(await statuses('confirmed')).toEqual([204, 204]);
    await until(`now() - interval '1 second'`);
    expect(await statuses('over')).toEqual([401, 204]);
  });

  it('marks the subscription as verified if its signature is valid', async () => {
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    const verified = async () => {
      const { rows } = await api.ctx.core.store.system.query<{ verified: boolean }>(
        'select verified_at is not null and last_delivery_at is not null as verified from ' +
          'landfall.carrier_subscriptions where id = $1',
        [subscription.id],
      );
      return rows[0]?.verified;
    };
    await send(subscription.path, '[]');
    expect(await verified()).toBe(false);
    await deliver(subscription, '[]');
    expect(await verified()).toBe(true);
  });
});

describe('the address', () => {
  it('rejects bodies over 1 MiB and other methods', async () => {
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    const body = `["${'x'.repeat(1_048_572)}"]`;
    expect((await deliver(subscription, body)).status).toBe(204);
    expect((await deliver(subscription, `${body} `)).status).toBe(413);
    const options = await fetch(api.url + subscription.path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const answer = await fetch(api.url + subscription.path, { method });
      expect([method, answer.status, answer.headers.get('allow')?.split(', ').toSorted()]).toEqual([
        method,
        405,
        ['OPTIONS', 'POST'],
      ]);
    }
  });

  it('keeps stored deliveries immutable, even for the system role', async () => {
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    await deliver(subscription, '["as it came"]');
    const { store } = api.ctx.core;
    const rewrite = `update landfall.carrier_deliveries set body = '[]' where subscription_id = '${subscription.id}'`;
    await expect(store.system.query(rewrite)).rejects.toThrow(/permission denied/);
    await expect(withAccount(store, api.accountId, (tx) => tx.query(rewrite))).rejects.toThrow(/permission denied/);
    const stranger = await withAccount(store, '00000000-0000-4000-8000-000000000000', (tx) =>
      tx.query('select id from landfall.carrier_deliveries'),
    );
    expect(stranger.rows).toEqual([]);
  });

  it('keeps payloads out of logs and answers', async () => {
    const subscription = await addSubscription(api.ctx.core, api.accountId);
    await deliver(subscription, '["very private"]');
    const lines = api.logLines.join('\n');
    expect(lines).toContain('/hooks/:connector/:subscription');
    for (const secret of ['very private', subscription.secret, subscription.name]) expect(lines).not.toContain(secret);
  });
});

it('rejects invalid signatures of an address beyond 60 a minute, but never a valid one from there', async () => {
  // Long enough for all requests of the test to be in one window.
  const limited = await startTestApi({ REDIS_URL: '' }, { limitWindowS: 3600, limitTimeoutMs: 60_000 });
  try {
    const subscription = await addSubscription(limited.ctx.core, limited.accountId);
    const wrong: number[] = [];
    for (let sent = 0; sent < 61; sent++) wrong.push((await send(subscription.path, '[]', {}, limited)).status);
    expect(wrong).toEqual([...Array.from({ length: 60 }, () => 401), 429]);
    expect((await deliver(subscription, '[]', limited)).status).toBe(204);
  } finally {
    await limited.close();
  }
});

it('requests redelivery while the database or the credential key is unavailable', async () => {
  const database = await testDatabase();
  const proxy = await openFaultProxy(database.serviceUrl);
  const unavailable = await startTestApi({ DATABASE_URL: proxy.url });
  try {
    const subscription = await addSubscription(unavailable.ctx.core, unavailable.accountId);
    await proxy.cut();
    const refused = await deliver(subscription, '[1]', unavailable);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    await proxy.restore();
    await expect.poll(async () => (await deliver(subscription, '[1]', unavailable)).status).toBe(204);
    expect(await kept(subscription, unavailable)).toEqual(['[1]']);

    unavailable.ctx.core.secretKeys = null;
    const keyless = await deliver(subscription, '[2]', unavailable);
    expect([keyless.status, Number(keyless.headers.get('retry-after')) > 0]).toEqual([503, true]);
  } finally {
    await unavailable.close();
    await proxy.close();
    await database.drop();
  }
});
