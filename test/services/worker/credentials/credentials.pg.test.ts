import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWorkerContext, type WorkerContext } from '#services/worker/context.ts';
import { openCredentials } from '#services/worker/credentials/credentials.ts';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import { readEnv } from '#shared/config/env.ts';
import {
  newSubscriptionSecret,
  subscriptionSecretOwner,
} from '#shared/core/carrier-subscriptions/subscription-secret.ts';
import { removeCarrierCredentials, setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { resealSecrets } from '#shared/core/installation/reseal-secrets.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { openSecret, openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { wakeWaitingShipments } from '#shared/core/tracking/wake-waiting.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { oceanRegistration, openTestCore, type TestCore, testCredentialKey } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { type Asked, openFakeCarrier } from '../carriers/dcsa/fake-carrier.ts';

let core: TestCore;
let database: pg.Client;
let carrier: Awaited<ReturnType<typeof openFakeCarrier>>;
/** Client secrets that the carrier takes. */
let good: Set<string>;
const logLines: string[] = [];
const closings: (() => unknown)[] = [];

/** A carrier with a token endpoint: a wrong secret gets no token, and a token of a secret that went bad is refused. */
function answer(asked: Asked, response: ServerResponse): void {
  const [status, body] = answerTo(asked);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function answerTo({ method, body, headers }: Asked): [number, unknown] {
  if (method === 'POST') {
    const secret = new URLSearchParams(body).get('client_secret') ?? '';
    // It repeats what it was sent, as some do.
    return good.has(secret)
      ? [200, { access_token: secret, expires_in: 3600 }]
      : [401, { message: `no client with the secret ${secret}` }];
  }
  const token = headers.authorization?.replace('Bearer ', '') ?? '';
  return good.has(token) ? [404, { message: 'not found' }] : [401, { message: `bad token ${token}` }];
}

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  database = new pg.Client({ connectionString: core.databaseUrl });
  await database.connect();
  carrier = await openFakeCarrier(answer);
});
beforeEach(() => {
  good = new Set();
  carrier.asked.length = 0;
});
afterAll(async () => {
  for (const close of closings.reverse()) await close();
  await carrier.close();
  await database.end();
  await core.close();
});

const nobody = crypto.randomUUID();

/** A worker as it is wired, whose instance is configured as `environment` says. */
async function openWorker(environment: Record<string, string> = {}): Promise<WorkerContext> {
  const env = readEnv({
    DATABASE_URL: core.serviceUrl,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    SIMULATOR: 'off',
    DB_POOL_SIZE: '12',
    CARRIER_MAERSK_BASE_URL: carrier.baseUrl,
    CARRIER_MAERSK_ACCOUNTS: encodeTypeId('acc', nobody),
    ...environment,
  });
  const log = createLogger({
    name: 'worker',
    level: 'debug',
    destination: { write: (line: string) => void logLines.push(line) },
  });
  return openWorkerContext(env, { onDispose: (close) => void closings.push(close) }, log);
}

type Tracked = { accountId: string; shipmentId: string };

async function track(caller: Caller): Promise<Tracked> {
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  return { accountId: caller.accountId, shipmentId: shipment.id };
}

/** One refresh by a worker, and how tracking stands then. */
async function refresh(worker: WorkerContext, { accountId, shipmentId }: Tracked) {
  const { rows } = await database.query(
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1 returning epoch::int`,
    [shipmentId],
  );
  const asked = carrier.asked.length;
  await refreshShipments(
    worker,
    { connector: 'maersk', items: [{ accountId, shipmentId, epoch: rows[0].epoch }] },
    new AbortController().signal,
  );
  const { rows: found } = await database.query(
    `select state, reason, extract(epoch from next_refresh_at - now())::float8 as "dueInS" from landfall.polling where shipment_id = $1`,
    [shipmentId],
  );
  return { ...found[0], calls: carrier.asked.length - asked };
}

async function set(caller: Caller, secret: string): Promise<void> {
  await setCarrierCredentials(core.ctx, caller, {
    carrier: 'MAEU',
    values: { client_id: 'the-client', client_secret: secret },
  });
}

async function suspensionOf(caller: Caller) {
  const { rows } = await database.query(
    'select suspended_reason as reason, extract(epoch from probe_at - now())::float8 as "probeInS" from landfall.carrier_credentials where account_id = $1',
    [caller.accountId],
  );
  return rows[0] ?? null;
}

const probeIsDue = (caller: Caller) =>
  database.query('update landfall.carrier_credentials set probe_at = now() where account_id = $1', [caller.accountId]);
const newSecret = () => `needle-${randomBytes(8).toString('hex')}`;

describe('the credentials of a call', () => {
  it('uses the account’s own and makes no call without any', async () => {
    const worker = await openWorker();
    const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
    const [secret, shipment, foreign] = [newSecret(), await track(mine), await track(theirs)];
    good.add(secret);
    expect(await refresh(worker, shipment)).toMatchObject({
      state: 'awaiting_carrier',
      reason: 'credentials_missing',
      calls: 0,
    });
    await set(mine, secret);
    expect(await refresh(await openWorker(), shipment)).toMatchObject({
      state: 'awaiting_carrier',
      reason: 'carrier_not_found_yet',
      calls: 2,
    });
    expect(new URLSearchParams(carrier.asked[0]?.body).get('client_secret')).toBe(secret);
    expect(await refresh(worker, foreign)).toMatchObject({ reason: 'credentials_missing', calls: 0 });
  });

  it('prefers the account’s own and uses the instance’s for the named accounts only', async () => {
    const [served, other] = [await core.newCaller(), await core.newCaller()];
    const [instances, own] = [newSecret(), newSecret()];
    const worker = await openWorker({
      CARRIER_MAERSK_CLIENT_ID: 'instance',
      CARRIER_MAERSK_CLIENT_SECRET: instances,
      CARRIER_MAERSK_ACCOUNTS: encodeTypeId('acc', served.accountId),
    });
    const at = (caller: Caller) => worker.credentials.credentialFor('maersk', caller.accountId, 'MAEU');
    expect(await at(served)).toMatchObject({
      id: 'instance:maersk',
      accountId: null,
      settings: { clientSecret: instances, simulated: false },
    });
    expect(await at(other)).toBeNull();
    await set(served, own);
    const credential = await (await openWorker()).credentials.credentialFor('maersk', served.accountId, 'MAEU');
    expect(credential).toMatchObject({
      id: expect.stringMatching(/^account:/),
      accountId: served.accountId,
      // Only the instance sets the carrier's address.
      settings: { baseUrl: carrier.baseUrl, clientSecret: own, apiKey: null, simulated: false },
    });
  });

  it('applies a change as soon as the cached credentials expire, and serves everyone with the simulator', async () => {
    const caller = await core.newCaller();
    const env = readEnv({ SIMULATOR_URL: 'http://127.0.0.1:1' });
    const credentials = await openCredentials({ core: core.ctx, env, freshMs: 0 });
    const at = () => credentials.credentialFor('maersk', caller.accountId, 'MAEU');
    expect(await at()).toMatchObject({ id: 'simulator:maersk', settings: { simulated: true } });
    await set(caller, 'first');
    expect(await at()).toMatchObject({
      version: 1,
      settings: { clientSecret: 'first', baseUrl: 'https://api.maersk.com' },
    });
    await set(caller, 'second');
    expect(await at()).toMatchObject({ version: 2, settings: { clientSecret: 'second' } });
    await removeCarrierCredentials(core.ctx, caller, 'MAEU');
    expect(await at()).toMatchObject({ id: 'simulator:maersk' });
  });
});

describe('credentials that the carrier rejects', () => {
  it('are suspended after one refresh: no worker sends the next ones, and the shipments show why', async () => {
    const caller = await core.newCaller();
    const secret = newSecret();
    await set(caller, secret);
    const [worker, shipments] = [await openWorker(), [await track(caller), await track(caller)] as const];
    expect(await refresh(worker, shipments[0])).toMatchObject({ reason: 'carrier_auth_failed' });
    expect(carrier.asked).not.toHaveLength(0);
    expect(await suspensionOf(caller)).toMatchObject({ reason: 'carrier_auth_failed' });
    expect((await suspensionOf(caller)).probeInS).toBeGreaterThan(1700);
    for (const another of [worker, await openWorker()]) {
      const after = await refresh(another, shipments[1]);
      expect(after).toMatchObject({ reason: 'carrier_auth_failed', calls: 0 });
      expect(after.dueInS).toBeGreaterThan(1700);
    }
    expect(logLines.join()).toContain('credentials suspended');
    expect(logLines.join()).not.toContain(secret);
    const { rows } = await database.query(
      'select action, actor, detail from landfall.audit where account_id = $1 order by id',
      [caller.accountId],
    );
    expect(rows.at(-1)).toEqual({
      action: 'carrier_credentials.suspended',
      actor: 'system',
      detail: { carrier: 'MAEU', reason: 'carrier_auth_failed' },
    });
  });

  it('are suspended only after a rejected token was renewed once', async () => {
    const caller = await core.newCaller();
    const secret = newSecret();
    await set(caller, secret);
    good.add(secret);
    const [worker, shipment] = [await openWorker(), await track(caller)];
    expect(await refresh(worker, shipment)).toMatchObject({ reason: 'carrier_not_found_yet' });
    // The token is cached; the secret is not good any more.
    good.clear();
    expect(await refresh(worker, shipment)).toMatchObject({ reason: 'carrier_auth_failed', calls: 2 });
    expect(carrier.asked.slice(-2).map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(await suspensionOf(caller)).toMatchObject({ reason: 'carrier_auth_failed' });
  });

  it('are probed by one refresh at a time, after the same pause each time', async () => {
    const caller = await core.newCaller();
    await set(caller, newSecret());
    const [worker, shipments] = [await openWorker(), [await track(caller), await track(caller)] as const];
    await refresh(worker, shipments[0]);
    await probeIsDue(caller);
    const workers = [await openWorker(), await openWorker()];
    const refreshes = await Promise.all(workers.map((one, index) => refresh(one, shipments[index] as Tracked)));
    expect(refreshes.map(({ reason }) => reason)).toEqual(['carrier_auth_failed', 'carrier_auth_failed']);
    // The first refresh and one probe, each a request for a token.
    expect(carrier.asked).toHaveLength(2);
    expect((await suspensionOf(caller)).probeInS).toBeGreaterThan(1700);
  });

  it('are used again once the carrier accepts them, and the waiting shipments become due', async () => {
    const caller = await core.newCaller();
    const secret = newSecret();
    await set(caller, secret);
    const [worker, shipments] = [await openWorker(), [await track(caller), await track(caller)] as const];
    await refresh(worker, shipments[0]);
    await refresh(worker, shipments[1]);
    good.add(secret);
    await probeIsDue(caller);
    expect(await refresh(await openWorker(), shipments[0])).toMatchObject({ reason: 'carrier_not_found_yet' });
    expect(await suspensionOf(caller)).toMatchObject({ reason: null });
    await wakeWaitingShipments(core.ctx, new AbortController().signal);
    const { rows } = await database.query(
      'select next_refresh_at <= now() as due from landfall.polling where shipment_id = $1',
      [shipments[1].shipmentId],
    );
    expect(rows).toEqual([{ due: true }]);
  });

  it('are neither suspended nor restored by an unavailable carrier', async () => {
    const caller = await core.newCaller();
    await set(caller, newSecret());
    const [worker, shipment] = [await openWorker(), await track(caller)];
    await refresh(worker, shipment);
    await probeIsDue(caller);
    const away = await openWorker({ CARRIER_MAERSK_BASE_URL: 'http://127.0.0.1:1' });
    expect(await refresh(away, shipment)).toMatchObject({ reason: 'carrier_unreachable' });
    expect(await suspensionOf(caller)).toMatchObject({ reason: 'carrier_auth_failed' });
  });

  it('are not suspended by a late rejection of the credentials they replaced', async () => {
    const caller = await core.newCaller();
    await set(caller, newSecret());
    const { credentials } = await openWorker();
    const old = await credentials.credentialFor('maersk', caller.accountId, 'MAEU');
    await set(caller, newSecret());
    if (old !== null) await credentials.suspend(old, 'carrier_auth_failed', 'late');
    expect(await suspensionOf(caller)).toMatchObject({ reason: null });
  });

  it('are suspended in every worker until their configuration changes, if they are the instance’s', async () => {
    const caller = await core.newCaller();
    const configured = (secret: string) => ({
      CARRIER_MAERSK_CLIENT_ID: 'instance',
      CARRIER_MAERSK_CLIENT_SECRET: secret,
      CARRIER_MAERSK_ACCOUNTS: encodeTypeId('acc', caller.accountId),
    });
    const [wrong, right] = [newSecret(), newSecret()];
    good.add(right);
    const [worker, shipment] = [await openWorker(configured(wrong)), await track(caller)];
    expect(await refresh(worker, shipment)).toMatchObject({ reason: 'carrier_auth_failed' });
    expect(await refresh(await openWorker(configured(wrong)), shipment)).toMatchObject({
      reason: 'carrier_auth_failed',
      calls: 0,
    });
    const corrected = await openWorker(configured(right));
    // Started with other settings: what waited is due, and asked.
    await wakeWaitingShipments(core.ctx, new AbortController().signal);
    const { rows } = await database.query(
      'select next_refresh_at <= now() as due from landfall.polling where shipment_id = $1',
      [shipment.shipmentId],
    );
    expect(rows).toEqual([{ due: true }]);
    expect(await refresh(corrected, shipment)).toMatchObject({ reason: 'carrier_not_found_yet' });
    const { rows: reported } = await database.query(
      `select row_to_json(i)::text as row from landfall.instance_credentials as i`,
    );
    expect(JSON.stringify(reported)).not.toContain(right);
  });
});

describe('the stored row', () => {
  it('is readable by the request role without its sealed part, and by its own account only', async () => {
    const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
    await set(mine, newSecret());
    await set(theirs, newSecret());
    const ask = (text: string) => withAccount(core.store, mine.accountId, (tx) => tx.query(text));
    const { rows } = await ask('select account_id, fields, version, suspended_at from landfall.carrier_credentials');
    expect(rows.map((row) => row.account_id)).toEqual([mine.accountId]);
    for (const text of [
      'select sealed from landfall.carrier_credentials',
      'select * from landfall.carrier_credentials',
      'select 1 from landfall.carrier_credentials where octet_length(sealed) > 0',
      'update landfall.carrier_credentials set version = version returning sealed',
      'select fingerprint from landfall.instance_credentials',
      'select accounts from landfall.instance_credentials',
      `update landfall.instance_credentials set suspended_at = null`,
      'select id from landfall.credential_wakes',
      'select secret_sealed from landfall.carrier_subscriptions',
      'select previous_sealed from landfall.carrier_subscriptions',
      'select token from landfall.carrier_subscriptions',
      'update landfall.carrier_subscriptions set secret_sealed = secret_sealed',
      `update landfall.carrier_subscriptions set callback_url = 'https://example.com'`,
    ]) {
      await expect(ask(text), text).rejects.toThrow(/permission denied/);
    }
  });

  it('cannot be decrypted after it was copied to another account or carrier', async () => {
    const [mine, thief] = [await core.newCaller(), await core.newCaller()];
    await set(mine, newSecret());
    await set(thief, newSecret());
    await database.query(
      `update landfall.carrier_credentials as to_row set sealed = from_row.sealed from landfall.carrier_credentials as from_row
      where to_row.account_id = $1 and from_row.account_id = $2`,
      [thief.accountId, mine.accountId],
    );
    const [worker, shipment] = [await openWorker(), await track(thief)];
    expect(await refresh(worker, shipment)).toMatchObject({ reason: 'credentials_missing', calls: 0 });
  });
});

describe('rotating the installation’s keys', () => {
  const newKey = (version: string) => ({ version, key: randomBytes(32).toString('base64') });
  const signal = new AbortController().signal;

  it('loses no credentials that are set and read at the same time, and then makes the old key unnecessary', async () => {
    const other = await openTestCore({}, ownDatabase);
    try {
      const [v1, v2] = [newKey('v1'), newKey('v2')];
      const before = { ...other.ctx, secretKeys: await openSecretKeys([v1]) };
      const rotated = { ...other.ctx, secretKeys: await openSecretKeys([v2, v1]) };
      const after = { ...other.ctx, secretKeys: await openSecretKeys([v2]) };
      const callers = await Promise.all(Array.from({ length: 130 }, () => other.newCaller()));
      const expected = new Map<string, string>();
      const store = async (ctx: typeof before, caller: Caller) => {
        const secret = newSecret();
        await setCarrierCredentials(ctx, caller, {
          carrier: 'MAEU',
          values: { client_id: 'c', client_secret: secret },
        });
        expected.set(caller.accountId, secret);
      };
      for (const caller of callers) await store(before, caller);
      // Replaced while they are sealed anew.
      const [, resealed] = await Promise.all([
        Promise.all(callers.filter((_, index) => index % 3 === 0).map((caller) => store(rotated, caller))),
        resealSecrets(rotated, signal),
      ]);
      expect(resealed.unreadable).toBe(0);
      await resealSecrets(rotated, signal);
      const env = readEnv({ CARRIER_MAERSK_BASE_URL: 'http://127.0.0.1:1' });
      const credentials = await openCredentials({ core: after, env, freshMs: 0 });
      for (const { accountId } of callers) {
        const credential = await credentials.credentialFor('maersk', accountId, 'MAEU');
        expect(credential?.settings.clientSecret).toBe(expected.get(accountId));
      }
      expect(await resealSecrets(rotated, signal)).toEqual({ resealed: 0, unreadable: 0 });
    } finally {
      await other.close();
    }
  });

  it('includes the current and the previous secret of push subscriptions', async () => {
    const other = await openTestCore({}, ownDatabase);
    const owner = new pg.Client({ connectionString: other.databaseUrl });
    await owner.connect();
    try {
      const [v1, v2] = [newKey('v1'), newKey('v2')];
      const before = { ...other.ctx, secretKeys: await openSecretKeys([v1]) };
      const { accountId } = await other.newCaller();
      const subscription = { accountId, id: crypto.randomUUID() };
      const [present, previous] = [
        await newSubscriptionSecret(before, subscription),
        await newSubscriptionSecret(before, subscription),
      ];
      await owner.query(
        `insert into landfall.carrier_subscriptions (
          account_id, id, token, connector, carrier, all_carriers, credential_id, callback_url, key_version, secret_sealed, previous_key_version,
          previous_sealed
        ) values ($1, $2, repeat('t', 32), 'maersk', 'MAEU', true, 'account:x', 'https://example.com', 'v1', $3, 'v1', $4)`,
        [accountId, subscription.id, present.stored.sealed, previous.stored.sealed],
      );
      expect(await resealSecrets({ ...other.ctx, secretKeys: await openSecretKeys([v2, v1]) }, signal)).toEqual({
        resealed: 2,
        unreadable: 0,
      });
      const { rows } = await owner.query('select * from landfall.carrier_subscriptions');
      const after = { secretKeys: await openSecretKeys([v2]) };
      const open = (keyVersion: string, sealed: Buffer) =>
        openSecret(after, subscriptionSecretOwner(subscription), { keyVersion, sealed });
      expect(await open(rows[0].key_version, rows[0].secret_sealed)).toBe(present.secret);
      expect(await open(rows[0].previous_key_version, rows[0].previous_sealed)).toBe(previous.secret);
    } finally {
      await owner.end();
      await other.close();
    }
  });

  it('reports the secrets that it cannot decrypt, and continues', async () => {
    const other = await openTestCore({}, ownDatabase);
    try {
      const [lost, v1, v2] = [newKey('lost'), newKey('v1'), newKey('v2')];
      const [caller, unlucky] = [await other.newCaller(), await other.newCaller()];
      const values = { client_id: 'c', client_secret: 's' };
      await setCarrierCredentials({ ...other.ctx, secretKeys: await openSecretKeys([lost]) }, unlucky, {
        carrier: 'MAEU',
        values,
      });
      await setCarrierCredentials({ ...other.ctx, secretKeys: await openSecretKeys([v1]) }, caller, {
        carrier: 'MAEU',
        values,
      });
      const rotated = { ...other.ctx, secretKeys: await openSecretKeys([v2, v1]) };
      expect(await resealSecrets(rotated, signal)).toEqual({ resealed: 1, unreadable: 1 });
      const credentials = await openCredentials({ core: rotated, env: readEnv({}), freshMs: 0 });
      await expect(credentials.credentialFor('maersk', unlucky.accountId, 'MAEU')).rejects.toThrow(
        /needs the key lost/,
      );
      expect(await credentials.credentialFor('maersk', caller.accountId, 'MAEU')).toMatchObject({
        settings: { clientSecret: 's' },
      });
    } finally {
      await other.close();
    }
  });
});
