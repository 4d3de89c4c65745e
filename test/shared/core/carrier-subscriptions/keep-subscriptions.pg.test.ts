import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptDelivery } from '#shared/core/carrier-subscriptions/accept-delivery.ts';
import { type KeepOptions, keepSubscriptions } from '#shared/core/carrier-subscriptions/keep-subscriptions.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { CarrierReply, SubscriptionCarrier } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { signed } from '#test/support/api/carrier-subscriptions.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let carrier: ReturnType<typeof fakeCarrier>;
beforeEach(async () => {
  core = await openTestCore({}, ownDatabase);
  carrier = fakeCarrier();
});
afterEach(() => core.close());

type Refusal = Extract<CarrierReply<never>, { ok: false }>;
const away: Refusal = {
  ok: false,
  gone: false,
  permanent: false,
  retryAfterMs: null,
  reason: 'carrier_unreachable',
  detail: 'no answer in time',
};
const gone: Refusal = { ...away, gone: true, detail: 'not found' };

/** A carrier in memory. What `lost` names is done, but its answer does not arrive. */
function fakeCarrier() {
  const held = new Map<string, { callbackUrl: string; secret: string }>();
  const calls: string[] = [];
  const state = { refuse: null as Refusal | null, lost: new Set<string>() };
  const reply = <T>(name: string, work: () => CarrierReply<T>): Promise<CarrierReply<T>> => {
    calls.push(name);
    if (state.refuse !== null) return Promise.resolve(state.refuse);
    const done = work();
    return Promise.resolve(state.lost.delete(name) ? away : done);
  };
  const on = <T>(id: string, work: (one: { callbackUrl: string; secret: string }) => T): CarrierReply<T> => {
    const one = held.get(id);
    return one === undefined ? gone : { ok: true, value: work(one) };
  };
  const api: SubscriptionCarrier = {
    create: (wish) =>
      reply('create', () => {
        const id = `at-carrier-${calls.length}`;
        held.set(id, wish);
        return { ok: true, value: { id, callbackUrl: wish.callbackUrl } };
      }),
    find: (id) => reply('find', () => on(id, ({ callbackUrl }) => ({ id, callbackUrl }))),
    list: () =>
      reply('list', () => ({ ok: true, value: [...held].map(([id, { callbackUrl }]) => ({ id, callbackUrl })) })),
    move: (id, { callbackUrl }) =>
      reply('move', () =>
        on(id, (one) => {
          one.callbackUrl = callbackUrl;
          return null;
        }),
      ),
    rotate: (id, { secret }) =>
      reply('rotate', () =>
        on(id, (one) => {
          one.secret = secret;
          return null;
        }),
      ),
    remove: (id) =>
      reply('remove', () =>
        on(id, () => {
          held.delete(id);
          return null;
        }),
      ),
  };
  return { api, held, calls, state };
}

const credential = { id: 'simulator:dcsa' as string | null };

function options(changes: Partial<KeepOptions> = {}): KeepOptions {
  return {
    connectors: ['dcsa'],
    callbackBaseUrl: 'https://landfall.test',
    secretDays: 30,
    credentialFor: async () =>
      credential.id === null
        ? null
        : { credentialId: credential.id, allCarriers: !credential.id.startsWith('account:') },
    open: async () =>
      credential.id === null
        ? { kind: 'closed', credentialId: null, retryAfterMs: null, detail: 'none' }
        : { kind: 'open', credentialId: credential.id, carrier: carrier.api, release: () => {} },
    signal: new AbortController().signal,
    ...changes,
  };
}

/** One round when everything is due. */
async function keep(changes: Partial<KeepOptions> = {}): Promise<string[]> {
  await core.store.system.query(`update landfall.carrier_subscriptions set check_at = now() where state <> 'ended'`);
  carrier.calls.length = 0;
  await keepSubscriptions(core.ctx, options(changes));
  return [...carrier.calls];
}

type Row = {
  id: string;
  state: string;
  reason: string | null;
  carrier_subscription_id: string | null;
  failures: number;
  check_in: number;
  credential_id: string;
};
async function rows(): Promise<Row[]> {
  const found = await core.store.system.query<Row>(
    `select id, state, reason, carrier_subscription_id, failures, extract(epoch from check_at - now())::float8 as check_in, credential_id
    from landfall.carrier_subscriptions order by id`,
  );
  return found.rows;
}

async function register(caller: Caller, code = 'PCIU'): Promise<string> {
  credential.id = 'simulator:dcsa';
  return (await registerShipment(core.ctx, caller, oceanRegistration({ carrier: code }))).shipment.id;
}

let sent = 0;
/** Returns whether a delivery signed with this secret is accepted. */
async function takes(secret: string, callbackUrl: string): Promise<boolean> {
  const [, connector = '', subscription = ''] = /\/hooks\/([^/]+)\/(.+)$/.exec(callbackUrl) ?? [];
  sent += 1;
  const text = JSON.stringify([sent]);
  const body = new Uint8Array(new TextEncoder().encode(text));
  return acceptDelivery(core.ctx, { connector, subscription, signature: signed(secret, text), body }).catch(
    () => false,
  );
}

const only = () => {
  const [entry] = carrier.held.values();
  if (entry === undefined) throw new Error('the carrier has no subscription');
  return { ...entry };
};

describe('a subscription', () => {
  it('is created once for each account and credential with shipments in progress, and checked later', async () => {
    const [one, two] = [await core.newCaller(), await core.newCaller()];
    expect(await keep()).toEqual([]);
    await register(one);
    await register(one, 'CMDU');
    await register(two);
    await register(await core.newCaller(), 'MAEU');
    expect(await keep()).toEqual(['create', 'create']);
    expect(await rows()).toMatchObject([{ state: 'active', failures: 0 }, { state: 'active' }]);
    expect(Buffer.from(only().secret, 'base64')).toHaveLength(48);
    expect(only().callbackUrl).toMatch(/^https:\/\/landfall\.test\/hooks\/dcsa\/sub_[0-9a-z]{26}_[0-9a-f]{32}$/);
    expect(await takes(only().secret, only().callbackUrl)).toBe(true);
    expect(await keep()).toEqual(['find', 'find']);
    await keepSubscriptions(core.ctx, options());
    expect(carrier.calls).toEqual(['find', 'find']);
  });

  it('is created once, however many workers keep it at the same time', async () => {
    await register(await core.newCaller());
    await Promise.all(Array.from({ length: 6 }, () => keepSubscriptions(core.ctx, options())));
    expect(carrier.calls).toEqual(['create']);
  });

  it('is found if the response to its creation was lost', async () => {
    await register(await core.newCaller());
    carrier.state.lost.add('create');
    await keep();
    expect(await rows()).toMatchObject([{ state: 'requested', failures: 1, carrier_subscription_id: null }]);
    expect(await takes(only().secret, only().callbackUrl)).toBe(true);
    expect(await keep()).toEqual(['list']);
    expect(await rows()).toMatchObject([{ state: 'active', carrier_subscription_id: [...carrier.held.keys()][0] }]);
    expect(carrier.held.size).toBe(1);
  });

  it('is created again if the carrier has lost it, and still accepts deliveries signed with the lost secret', async () => {
    await register(await core.newCaller());
    await keep();
    const lost = only();
    carrier.held.clear();
    expect(await keep()).toEqual(['find', 'create']);
    expect(only().secret).not.toBe(lost.secret);
    expect(only().callbackUrl).toBe(lost.callbackUrl);
    for (const secret of [lost.secret, only().secret]) expect(await takes(secret, lost.callbackUrl)).toBe(true);
  });

  it('follows the address of the installation', async () => {
    await register(await core.newCaller());
    await keep();
    expect(await keep({ callbackBaseUrl: 'https://moved.test/' })).toEqual(['find', 'move']);
    expect(only().callbackUrl).toMatch(/^https:\/\/moved\.test\/hooks\//);
  });

  it.each([
    { name: 'nobody needs it', stop: true, changes: {} },
    { name: 'push is turned off', stop: false, changes: { callbackBaseUrl: null } },
  ])('ends when $name', async ({ stop, changes }) => {
    const caller = await core.newCaller();
    const id = await register(caller);
    await keep();
    const before = only();
    if (stop) await stopShipment(core.ctx, caller, id);
    carrier.state.refuse = away;
    await keep(changes);
    expect(await rows()).toMatchObject([{ state: 'active', failures: 1 }]);
    carrier.state.refuse = null;
    expect(await keep(changes)).toEqual(['remove']);
    expect(await rows()).toMatchObject([{ state: 'ended' }]);
    expect(await takes(before.secret, before.callbackUrl)).toBe(false);
    expect(await keep(changes)).toEqual([]);
    if (!stop) expect(await keep()).toEqual(['create']);
  });

  it('ends if another credential serves the account, which gets its own', async () => {
    await register(await core.newCaller());
    await keep();
    credential.id = 'account:5b1f';
    expect(await keep()).toEqual(['create']);
    expect((await rows()).map(({ state, credential_id }) => `${credential_id} ${state}`)).toEqual([
      'simulator:dcsa ended',
      'account:5b1f active',
    ]);
  });

  it('survives a credential that is missing temporarily, but not one that stays missing', async () => {
    await register(await core.newCaller());
    await keep();
    credential.id = null;
    await keep();
    expect(await rows()).toMatchObject([{ state: 'active', failures: 1 }]);
    for (let round = 0; round < 12; round++) await keep();
    expect(await rows()).toMatchObject([{ state: 'ended' }]);
  });

  it('waits as the carrier asks, longer each time, and a day after a permanent refusal', async () => {
    await register(await core.newCaller());
    carrier.state.refuse = { ...away, retryAfterMs: 120_000 };
    const startedMs = performance.now();
    await keep();
    const left = (await rows())[0]?.check_in ?? 0;
    expect(left + (performance.now() - startedMs) / 1000).toBeGreaterThan(118);
    carrier.state.refuse = away;
    for (let round = 0; round < 8; round++) await keep();
    expect((await rows())[0]?.check_in).toBeGreaterThan(600);
    carrier.state.refuse = { ...away, permanent: true, detail: 'not offered' };
    await keep();
    expect(await rows()).toMatchObject([{ state: 'failed', reason: 'not offered' }]);
    expect((await rows())[0]?.check_in).toBeGreaterThan(86_000);
    carrier.state.refuse = null;
    await keep();
    expect(await rows()).toMatchObject([{ state: 'active', reason: null, failures: 0 }]);
  });

  it('is not created without keys to seal its secret', async () => {
    await register(await core.newCaller());
    const { secretKeys } = core.ctx;
    core.ctx.secretKeys = null;
    expect(await keep()).toEqual([]);
    core.ctx.secretKeys = secretKeys;
    expect(await keep()).toEqual(['create']);
  });
});

describe('a secret', () => {
  const age = (days: number) =>
    core.store.system.query(
      `update landfall.carrier_subscriptions set secret_made_at = now() - make_interval(days => $1)`,
      [days],
    );

  it('is replaced when it is old, and both are accepted for a day', async () => {
    await register(await core.newCaller());
    await keep();
    const old = only();
    await age(29);
    expect(await keep()).toEqual(['find']);
    await age(31);
    expect(await keep()).toEqual(['find', 'rotate']);
    const next = only();
    expect(next.secret).not.toBe(old.secret);
    for (const { secret } of [old, next]) expect(await takes(secret, old.callbackUrl)).toBe(true);
    expect(await keep()).toEqual(['find']);

    await core.store.system.query(
      `update landfall.carrier_subscriptions set previous_until = now() - interval '1 second'`,
    );
    await keep();
    expect([await takes(old.secret, old.callbackUrl), await takes(next.secret, old.callbackUrl)]).toEqual([
      false,
      true,
    ]);
    const { rows: left } = await core.store.system.query(
      'select previous_sealed, previous_until from landfall.carrier_subscriptions',
    );
    expect(left).toEqual([{ previous_sealed: null, previous_until: null }]);
  });

  it.each([
    { name: 'took it, but its answer was lost', lost: true },
    { name: 'could not be reached', lost: false },
  ])('is accepted and sent again if the carrier may or may not have it ($name)', async ({ lost }) => {
    await register(await core.newCaller());
    await keep();
    const old = only();
    await age(31);
    const { rotate } = carrier.api;
    let offered = '';
    carrier.api.rotate = async (id, wish) => {
      offered = wish.secret;
      if (lost) await rotate(id, wish);
      return away;
    };
    await keep();
    expect(await rows()).toMatchObject([{ state: 'active', failures: 1 }]);
    for (const secret of [old.secret, offered]) expect(await takes(secret, old.callbackUrl)).toBe(true);
    carrier.api.rotate = rotate;
    expect(await keep()).toEqual(['find', 'rotate']);
    expect(only().secret).toBe(offered);
    for (const secret of [old.secret, offered]) expect(await takes(secret, old.callbackUrl)).toBe(true);
  });
});
