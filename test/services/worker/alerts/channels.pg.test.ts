import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPreferences, removeChannel, sendTrial, setChannel } from '#shared/core/alerts/preferences.ts';
import { getAlertMessage } from '#shared/core/alerts/read-messages.ts';
import { takeMessages } from '#shared/core/alerts/send-messages.ts';
import { resealSecrets } from '#shared/core/installation/reseal-secrets.ts';
import { newMailToken } from '#shared/core/notices/mail-token.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender, type WebhookSender } from '#shared/net/webhook-sender.ts';
import { ensurePeople } from '#shared/store/alerts/alert-preferences.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { withAuth, withSystem } from '#shared/store/with-account.ts';
import { type AlertWorld, openAlertWorld, type Person } from '#test/support/alerts/alert-world.ts';
import { sendAlerts } from '#test/support/alerts/send-alerts.ts';
import { openReceiver, type Receiver } from '#test/support/webhooks/receiver.ts';

let world: AlertWorld;
let receiver: Receiver;
let sender: WebhookSender;
let person: Person;

beforeAll(async () => {
  const guard = openAddressGuard({ allowHttp: false, allowedNetworks: [], loopbackInTests: true, proxied: false });
  sender = openWebhookSender({ guard, proxyUrl: null, version: '1' });
  world = await openAlertWorld();
  receiver = await openReceiver();
  person = await world.addPerson();
});
afterAll(async () => {
  receiver.close();
  await sender.close();
  await world.close();
});

const send = () => sendAlerts({ core: world.core.ctx, mailer: null, sender }, new AbortController().signal);
const stateOf = async (id: string) =>
  (await getAlertMessage(world.core.ctx, person.caller, { id, offset: 0, limit: 1 })).message;

it('signs a webhook so that the library of Standard Webhooks verifies it, and posts to Slack and Teams', async () => {
  const { secret } = await setChannel(world.core.ctx, person.caller, { kind: 'webhook', url: receiver.urlOf('hook') });
  const chats = ['slack', 'teams'] as const;
  for (const kind of chats) await setChannel(world.core.ctx, person.caller, { kind, url: receiver.urlOf(kind) });
  for (const channel of ['webhook', ...chats] as const) await sendTrial(world.core.ctx, person.caller, channel);
  await send();
  const [hook, slack, teams] = ['/hook', '/slack', '/teams'].map((path) =>
    receiver.received.find((one) => one.path === path),
  );
  const headers = hook?.headers as Record<string, string>;
  expect(new Webhook(secret ?? '').verify(hook?.body ?? '', headers)).toMatchObject({ type: 'alert.test' });
  expect(() => new Webhook(`whsec_${btoa('x'.repeat(32))}`).verify(hook?.body ?? '', headers)).toThrow();
  expect(JSON.parse(slack?.body ?? '')).toMatchObject({ text: expect.any(String), blocks: expect.any(Array) });
  expect(JSON.parse(teams?.body ?? '')).toMatchObject({ type: 'message' });
});

it('refuses addresses of private networks, and stores others sealed', async () => {
  for (const url of [
    'https://10.0.0.1/x',
    'http://example.com/x',
    'https://169.254.169.254/latest',
    'https://[::ffff:127.0.0.1]/x',
  ])
    await expect(
      setChannel(world.core.ctx, { ...person.caller, test: false }, { kind: 'slack', url }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
  const { rows } = await world.core.store.system.query('select * from landfall.alert_channels');
  expect(JSON.stringify(rows)).not.toContain('/slack');
  expect(JSON.stringify(await readPreferences(world.core.ctx, person.caller))).not.toContain('/slack');
});

it('tries again if that may help, fails if it does not, and explains why nothing was sent', async () => {
  receiver.answer('slack', (_received, response) => void response.writeHead(503, { 'retry-after': '120' }).end());
  receiver.answer('teams', (_received, response) => void response.writeHead(404).end());
  const [waiting, failed, dropped] = await Promise.all(
    (['slack', 'teams', 'email'] as const).map((channel) => sendTrial(world.core.ctx, person.caller, channel)),
  );
  await send();
  expect(await stateOf(waiting ?? '')).toMatchObject({ state: 'waiting', tries: 1 });
  expect(await stateOf(failed ?? '')).toMatchObject({ state: 'failed', error: 'The receiver responded with 404.' });
  expect(await stateOf(dropped ?? '')).toMatchObject({ state: 'dropped', error: 'no_smtp' });
  await removeChannel(world.core.ctx, person.caller, 'slack');
  await world.core.store.system.query(
    'update landfall.alert_messages set next_try_at = now() where next_try_at is not null',
  );
  await send();
  expect(await stateOf(waiting ?? '')).toMatchObject({ state: 'dropped', error: 'no_channel' });
});

it('lets accounts take turns, and keeps receivers that hang from holding up mails or other accounts', async () => {
  const system = world.core.store.system;
  const { accountId: other } = await world.core.newCaller({ test: true });
  await withAuth(world.core.store, async (tx) => {
    await ensureOrganization(tx, { accountId: other, name: 'Other' });
    await insertMember(tx, other, { userId: person.userId, role: 'owner' });
  });
  const busy = world.caller.accountId;
  await withSystem(world.core.store, (tx) =>
    ensurePeople(tx, other, [{ userId: person.userId, mailToken: newMailToken() }]),
  );
  const add = (accountId: string, channel: string, { count, minutesAgo }: { count: number; minutesAgo: number }) =>
    system.query(
      `insert into landfall.alert_messages (account_id, id, user_id, channel, test, timing, kind, entries, next_try_at)
       select $1, uuidv7(), $2, $3, true, 'at_once', 'trial', 0, now() - make_interval(mins => $5)
       from generate_series(1, $4)`,
      [accountId, person.userId, channel, count, minutesAgo],
    );
  await add(busy, 'webhook', { count: 60, minutesAgo: 9 });
  await add(other, 'teams', { count: 1, minutesAgo: 1 });
  await add(other, 'email', { count: 1, minutesAgo: 1 });
  const take = async (lane: 'mails' | 'posts') => {
    const taken = await takeMessages(world.core.ctx, { lane, hasMail: true });
    return Object.fromEntries(
      [...Map.groupBy(taken, ({ claim }) => claim.accountId)].map(([id, of]) => [id, of.length]),
    );
  };
  expect(await take('posts')).toEqual({ [busy]: 5, [other]: 1 });
  // Its five are under way.
  expect(await take('posts')).toEqual({});
  expect(await take('mails')).toEqual({ [other]: 1 });
  await system.query(`update landfall.alert_messages set lease_until = now() where lease_until is not null`);
  expect(await take('posts')).toEqual({ [busy]: 5, [other]: 1 });
  await system.query(`delete from landfall.alert_messages where state = 'waiting'`);
});

it('puts one test of a channel into the outbox, however often it is asked for', async () => {
  const ids = [];
  for (let time = 0; time < 3; time += 1) ids.push(await sendTrial(world.core.ctx, person.caller, 'webhook'));
  expect(new Set(ids).size).toBe(1);
  await send();
  expect(await stateOf(ids[0] ?? '')).toMatchObject({ state: 'sent' });
  expect(await sendTrial(world.core.ctx, person.caller, 'webhook')).not.toBe(ids[0]);
});

it('seals the address and the secret of a channel again with another key, and sends without the former one', async () => {
  const newKey = (version: string) => ({ version, key: randomBytes(32).toString('base64') });
  const [v1, v2] = [newKey('v1'), newKey('v2')];
  const owner = await world.addPerson();
  const before = { ...world.core.ctx, secretKeys: await openSecretKeys([v1]) };
  const { secret } = await setChannel(before, owner.caller, { kind: 'webhook', url: receiver.urlOf('resealed') });
  const both = { ...world.core.ctx, secretKeys: await openSecretKeys([v2, v1]) };
  expect((await resealSecrets(both, new AbortController().signal)).resealed).toBeGreaterThanOrEqual(2);
  const after = { ...world.core.ctx, secretKeys: await openSecretKeys([v2]) };
  await sendTrial(after, owner.caller, 'webhook');
  await sendAlerts({ core: after, mailer: null, sender }, new AbortController().signal);
  const sent = receiver.received.find((one) => one.path === '/resealed');
  expect(() =>
    new Webhook(secret ?? '').verify(sent?.body ?? '', sent?.headers as Record<string, string>),
  ).not.toThrow();
});
