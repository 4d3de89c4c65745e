import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toEndpointId } from '#shared/contract/webhooks/endpoint-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { expireRecords } from '#shared/core/installation/expire-records.ts';
import { resealSecrets } from '#shared/core/installation/reseal-secrets.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { createWebhookEndpoint } from '#shared/core/webhooks/create-endpoint.ts';
import { disableFailingEndpoint } from '#shared/core/webhooks/disable-failing.ts';
import { disableWebhookEndpoint, enableWebhookEndpoint } from '#shared/core/webhooks/enable-endpoint.ts';
import { openTarget } from '#shared/core/webhooks/endpoint-secrets.ts';
import { getWebhookEndpoint } from '#shared/core/webhooks/read-endpoints.ts';
import { replayWebhookEndpoint } from '#shared/core/webhooks/replay-endpoint.ts';
import { rotateWebhookSecret } from '#shared/core/webhooks/rotate-secret.ts';
import { updateWebhookEndpoint } from '#shared/core/webhooks/update-endpoint.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { readEndpointSecrets } from '#shared/store/webhooks/endpoints.ts';
import { readWebhookState } from '#shared/store/webhooks/measure.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { plantDelivery } from '#test/support/webhooks/plant-delivery.ts';
import { testSending } from '#test/support/webhooks/test-sending.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({ webhooks: testSending }, ownDatabase);
});
afterAll(() => core.close());

const signal = new AbortController().signal;
const url = 'https://example.com/hooks';
const newKey = (version: string) => ({ version, key: randomBytes(32).toString('base64') });

const secretsOf = (ctx: CoreContext, caller: Caller, id: string) =>
  withAccount(core.store, caller.accountId, async (tx) => {
    const found = await readEndpointSecrets(tx, caller.accountId, { id, test: false }, { lock: false });
    if (found === null) throw new Error('no such endpoint');
    return openTarget(ctx, caller.accountId, found.endpoint, found.secrets);
  });

it('seals both secrets and the headers again with another key, and unseals them without the former one', async () => {
  const [v1, v2] = [newKey('v1'), newKey('v2')];
  const before = { ...core.ctx, secretKeys: await openSecretKeys([v1]) };
  const caller = await core.newCaller();
  const made = await createWebhookEndpoint(before, caller, { url, headers: { 'x-token': 'hush' } });
  const rotated = await rotateWebhookSecret(before, caller, { id: made.id, overlapHours: 1 });
  const both = { ...core.ctx, secretKeys: await openSecretKeys([v2, v1]) };
  expect(await resealSecrets(both, signal)).toEqual({ resealed: 3, unreadable: 0 });
  const after = { ...core.ctx, secretKeys: await openSecretKeys([v2]) };
  expect(await secretsOf(after, caller, made.id)).toMatchObject({
    headers: { 'x-token': 'hush' },
    secrets: [rotated.secret, made.secret],
  });
  expect(await resealSecrets(both, signal)).toEqual({ resealed: 0, unreadable: 0 });
});

it('does not unseal the secret of another endpoint or account', async () => {
  const [caller, other] = [await core.newCaller(), await core.newCaller()];
  const [own, theirs] = [
    await createWebhookEndpoint(core.ctx, caller, { url }),
    await createWebhookEndpoint(core.ctx, other, { url }),
  ];
  await withSystem(core.store, (tx) =>
    tx.query(
      `update landfall.webhook_endpoints as e set secret_sealed = f.secret_sealed
       from landfall.webhook_endpoints as f where e.id = $1 and f.id = $2`,
      [own.id, theirs.id],
    ),
  );
  await expect(secretsOf(core.ctx, caller, own.id)).rejects.toThrow(/cannot be decrypted/);
});

it('explains how to mend headers that no key can read', async () => {
  const caller = await core.newCaller();
  const lost = { ...core.ctx, secretKeys: await openSecretKeys([newKey('lost')]) };
  const { id } = await createWebhookEndpoint(lost, caller, { url, headers: { 'x-token': 'hush' } });
  await expect(
    updateWebhookEndpoint(core.ctx, caller, { id, update: { headers: { 'x-more': '1' } } }),
  ).rejects.toMatchObject({ code: 'invalid_state', message: expect.stringContaining('Send "headers": null') });
  expect(await updateWebhookEndpoint(core.ctx, caller, { id, update: { headers: null } })).toMatchObject({
    headerNames: [],
  });
});

it('ends the previous secret when its time is over', async () => {
  const caller = await core.newCaller();
  const made = await createWebhookEndpoint(core.ctx, caller, { url });
  const rotated = await rotateWebhookSecret(core.ctx, caller, { id: made.id, overlapHours: 1 });
  expect((await secretsOf(core.ctx, caller, made.id)).secrets).toEqual([rotated.secret, made.secret]);
  await withSystem(core.store, (tx) =>
    tx.query(`update landfall.webhook_endpoints set previous_until = now() - interval '1 s' where id = $1`, [made.id]),
  );
  expect((await secretsOf(core.ctx, caller, made.id)).secrets).toEqual([rotated.secret]);
});

it('keeps deliveries that succeeded for seven days, the others and replays for thirty', async () => {
  const caller = await core.newCaller();
  const { id } = await createWebhookEndpoint(core.ctx, caller, { url });
  const plant = (state: 'delivered' | 'waiting' | 'exhausted', days: number) =>
    plantDelivery(core.store, toEndpointId(id), { state, hoursAgo: days * 24 });
  const kept = [await plant('delivered', 6), await plant('exhausted', 29), await plant('waiting', 29)];
  for (const [state, days] of [
    ['delivered', 8],
    ['exhausted', 31],
    ['waiting', 31],
  ] as const)
    await plant(state, days);
  const replay = { endpointId: id, from: null, to: null, failedOnly: false };
  const [recent, old, running] = [
    await replayWebhookEndpoint(core.ctx, caller, replay),
    await replayWebhookEndpoint(core.ctx, caller, replay),
    await replayWebhookEndpoint(core.ctx, caller, replay),
  ];
  const set = (state: string, days: number | null, replayId: string) =>
    withSystem(core.store, (tx) =>
      tx.query(
        `update landfall.webhook_replays set state = $1, completed_at = now() - make_interval(days => $2) where id = $3`,
        [state, days, replayId],
      ),
    );
  await set('done', 29, recent.id);
  await set('done', 31, old.id);
  await set('running', null, running.id);
  expect(await expireRecords(core.ctx)).toMatchObject({
    'webhook deliveries': 1,
    'undelivered webhooks': 2,
    'webhook replays': 1,
  });
  const left = await withSystem(core.store, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `select id from landfall.webhook_deliveries where endpoint_id = $1
       union all select id from landfall.webhook_replays where endpoint_id = $1`,
      [id],
    );
    return rows.length;
  });
  expect(left).toBe(kept.length + 2);
  const longer = { ...core.ctx, settings: { ...core.ctx.settings, webhooksKeptDays: 60 } };
  await plant('delivered', 31);
  await plant('exhausted', 31);
  expect(await expireRecords(longer)).toMatchObject({ 'webhook deliveries': 0, 'undelivered webhooks': 0 });
});

it('keeps an endpoint enabled after an earlier failure that a worker reports late', async () => {
  const caller = await core.newCaller();
  const { id, enabled } = await createWebhookEndpoint(core.ctx, caller, { url });
  expect(enabled).toBe(true);
  const held = async () =>
    withSystem(core.store, async (tx) => {
      const { rows } = await tx.query<{ epoch: number }>(
        'select epoch::float8 as epoch from landfall.webhook_cursors where endpoint_id = $1',
        [id],
      );
      return { accountId: caller.accountId, endpointId: id, epoch: rows[0]?.epoch ?? 0, test: caller.test };
    });
  const before = await held();
  await disableWebhookEndpoint(core.ctx, caller, id);
  await enableWebhookEndpoint(core.ctx, caller, { id, skipMissed: false });
  await disableFailingEndpoint(core.ctx, before, 'gone');
  expect(await getWebhookEndpoint(core.ctx, caller, id)).toMatchObject({ enabled: true });
  await disableFailingEndpoint(core.ctx, await held(), 'gone');
  expect(await getWebhookEndpoint(core.ctx, caller, id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
});

it('counts no pending change of a disabled endpoint as overdue', async () => {
  const caller = await core.newCaller();
  const { id } = await createWebhookEndpoint(core.ctx, caller, { url });
  const waiting = async () => (await withSystem(core.store, readWebhookState)).waiting;
  const before = await waiting();
  await plantDelivery(core.store, toEndpointId(id), { state: 'waiting' });
  expect(await waiting()).toBe(before + 1);
  await disableWebhookEndpoint(core.ctx, caller, id);
  expect(await waiting()).toBe(before);
});
