import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { toEndpointId } from '#shared/contract/webhooks/endpoint-wire.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { getAccount, setRetention } from '#shared/core/keys/account-settings.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { countShipments } from '#shared/core/lists/count-shipments.ts';
import { readBundle } from '#shared/core/record/read-bundle.ts';
import { keepProof } from '#shared/core/record/read-proof.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { removeAccount } from '#shared/core/removal/remove-account.ts';
import { removeExpired } from '#shared/core/removal/remove-expired.ts';
import { purgeShipment, removeForGood } from '#shared/core/removal/remove-shipments.ts';
import { settleShipments } from '#shared/core/settling/settle-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { openStore } from '#shared/store/open-store.ts';
import { removeShipments } from '#shared/store/removal/remove-shipments.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import { tracePart, traceSpan } from '#test/support/api/trace-parts.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';
import { findMarker } from '#test/support/stores/find-marker.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';
import { plantDelivery } from '#test/support/webhooks/plant-delivery.ts';

let core: TestCore;
let owner: pg.Client;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await core.close();
});

const system = <Row extends object>(text: string, values: unknown[]) =>
  withSystem(core.store, async (tx) => (await tx.query<Row>(text, values)).rows);

/** As the owner of the database. */
const plainly = async <Row extends object>(text: string, values: unknown[]) =>
  (await owner.query<Row>(text, values)).rows;

const markerOf = () => `M${randomUUID().replaceAll('-', '')}`;

type Planted = { caller: Caller; shipmentId: string; marker: string; mbl: string };

/** A shipment whose marker is in all that a client and a carrier send about it. */
async function plant(account: Caller, { closedDays }: { closedDays: number | null }): Promise<Planted> {
  const marker = markerOf();
  const mbl = uniqueNumber();
  const caller = {
    ...account,
    idempotency: { key: `key-${marker.length}-${mbl}`, bodyHash: 'h', route: 'POST /v1/shipments' },
  };
  const registration = oceanRegistration({
    identifiers: { mbl, hbl: marker },
    reference: `PO-${marker}`,
    references: [`PO-${marker}`, `ORDER-${marker}`],
    tags: [`tag-${marker}`.slice(0, 40)],
    metadata: { note: marker },
  });
  const { shipment } = await registerShipment(core.ctx, caller, registration);
  const subject = { accountId: account.accountId, shipmentId: shipment.id };
  const reading = found(
    { code: 'gate_in_full', local: '2026-03-01T08:00', raw: { said: marker } },
    { code: 'departed', local: '2026-03-03T08:00', raw: { said: `${marker} again` }, description: marker },
  ) as Extract<FetchResult, { outcome: 'found' }>;
  reading.reading.unreadable.push({ raw: { unread: marker }, reason: 'eventDateTime is missing' });
  await refresh(core.ctx, subject, reading);
  await plainly(
    `with made as (
       insert into landfall.imports (account_id, test, format, options, dry_run, state, completed_at)
       values ($1, false, 'csv', '{}', false, 'completed', now())
       returning id
     )
     insert into landfall.import_errors (account_id, import_id, row_number, raw, code, detail, severity)
     select $1, id, 1, $2::text, 'x', 'x', 'warning' from made`,
    [account.accountId, `{"mbl":"${mbl}","note":"${marker}"}`],
  );
  await plainly(
    `insert into landfall.carrier_deliveries (account_id, subscription_id, body, body_hash, state)
     select $1, id, $2::bytea, sha256($2::bytea), 'processed' from landfall.carrier_subscriptions where account_id = $1`,
    [account.accountId, Buffer.from(JSON.stringify({ transportDocumentReference: mbl, text: `${marker} \u00fc` }))],
  );
  const [endpoint] = await plainly<{ id: string }>('select id from landfall.webhook_endpoints where account_id = $1', [
    account.accountId,
  ]);
  await plantDelivery(core.store, toEndpointId(endpoint?.id ?? ''), {
    shipmentId: shipment.id,
    answer: `got ${marker}`,
  });
  await keepProof(core.ctx, account.accountId, {
    shipmentId: shipment.id,
    proofId: 'signature',
    piece: null,
    mediaType: 'image/png',
    content: Buffer.from(`a drawing of ${marker}`),
  });
  const span = traceSpan(randomUUID().replaceAll('-', ''), { attributes: { note: marker } });
  await insertSpans({ pool: core.store.system } as Parameters<typeof insertSpans>[0], [
    tracePart({ ...subject, traceId: span.traceId, spans: [span] }),
  ]);
  if (closedDays !== null) {
    await plainly(
      `with paused as (update landfall.polling set next_refresh_at = null, lease_until = null, state = 'completed' where shipment_id = $1)
       update landfall.shipments set closed_at = now() - make_interval(days => $2) where id = $1`,
      [shipment.id, closedDays],
    );
  }
  await sequenceChanges(core.ctx);
  return { caller: account, shipmentId: shipment.id, marker, mbl };
}

async function newAccount(): Promise<Caller> {
  const caller = await core.newCaller();
  await plainly(
    `insert into landfall.carrier_subscriptions (account_id, token, connector, carrier, all_carriers, credential_id, callback_url, key_version, secret_sealed)
     values ($1, $2, 'maersk', 'MAEU', true, 'c', 'https://example.com', 'v1', '\\x00')`,
    [caller.accountId, randomUUID().replaceAll('-', '')],
  );
  await plainly(
    `with made as (
       insert into landfall.webhook_endpoints (account_id, test, url, key_version, secret_sealed)
       values ($1, false, 'https://example.com/hooks', 'v1', '\\x00')
       returning account_id, id
     )
     insert into landfall.webhook_cursors (account_id, endpoint_id, sequence) select account_id, id, 0 from made`,
    [caller.accountId],
  );
  return caller;
}

async function bundle({ caller, shipmentId }: Planted): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const page of readBundle(core.ctx, caller, shipmentId)) parts.push(...page);
  return parts;
}

const auditOf = (accountId: string) =>
  plainly<{ action: string; actor: string; subject_id: string | null; detail: unknown }>(
    'select action, actor, subject_id, detail from landfall.audit where account_id = $1 order by id',
    [accountId],
  );

const everywhere = [
  'landfall.changes.data',
  'landfall.idempotency.response',
  'landfall.import_errors.raw',
  'landfall.proofs.content',
  'landfall.carrier_deliveries.body',
  'landfall.unreadable_events.raw',
  'landfall.shipment_identifiers.value',
  'landfall.shipment_references.reference',
  'landfall.shipment_search.text',
  'landfall.shipment_tags.tag',
  'landfall.shipments.metadata',
  'landfall.shipments.reference',
  'landfall.webhook_deliveries.answer',
];

it('removes a shipment from every table, and keeps all others', async () => {
  const account = await newAccount();
  const gone = await plant(account, { closedDays: null });
  const settled = await plant(account, { closedDays: 40 });
  const kept = await plant(account, { closedDays: 40 });
  await settleShipments(core.ctx);
  for (const { marker } of [gone, settled]) {
    expect(await findMarker(core.databaseUrl, marker)).toEqual(expect.arrayContaining(everywhere));
  }
  expect(await findMarker(core.databaseUrl, settled.marker)).toContain('landfall.settled_shipments.packed');
  const before = { where: await findMarker(core.databaseUrl, kept.marker), bundle: JSON.stringify(await bundle(kept)) };

  await purgeShipment(core.ctx, account, gone.shipmentId);
  await purgeShipment(core.ctx, account, settled.shipmentId);

  expect(await findMarker(core.databaseUrl, gone.marker)).toEqual([]);
  expect(await findMarker(core.databaseUrl, settled.marker)).toEqual([]);
  expect(await findMarker(core.databaseUrl, kept.marker)).toEqual(before.where);
  expect(JSON.stringify(await bundle(kept))).toBe(before.bundle);
  await expect(purgeShipment(core.ctx, account, gone.shipmentId)).rejects.toMatchObject({ code: 'shipment_not_found' });
  expect(await auditOf(account.accountId)).toEqual(
    [gone, settled].map(({ shipmentId }) => ({
      action: 'shipment.removed',
      actor: 'system',
      subject_id: shipmentId,
      detail: {},
    })),
  );
  expect((await countShipments(core.ctx, account, { filter: {} })).total).toBe(1);
});

it('removes shipments that an account or the installation has kept long enough', async () => {
  const [strict, lenient] = [await newAccount(), await newAccount()];
  const old = await plant(strict, { closedDays: 11 });
  const young = await plant(strict, { closedDays: 9 });
  const open = await plant(strict, { closedDays: null });
  const other = await plant(lenient, { closedDays: 11 });
  await removeExpired(core.ctx);
  expect(await findMarker(core.databaseUrl, old.marker)).not.toEqual([]);

  await setRetention(core.ctx, strict, 10);
  expect(await removeExpired(core.ctx)).toBe(1);
  expect(await findMarker(core.databaseUrl, old.marker)).toEqual([]);
  for (const { marker } of [young, open, other]) expect(await findMarker(core.databaseUrl, marker)).not.toEqual([]);
  expect((await auditOf(strict.accountId)).at(-1)).toMatchObject({
    action: 'shipment.removed',
    subject_id: old.shipmentId,
    detail: { rule: 'retention', retention_days: 10 },
  });

  // The installation's setting binds every account, and an account can't extend it.
  const ctx = { ...core.ctx, settings: { ...core.ctx.settings, retentionDays: 8 } };
  expect((await getAccount(ctx, strict)).effectiveRetentionDays).toBe(8);
  await removeExpired(ctx);
  for (const { marker } of [young, other]) expect(await findMarker(core.databaseUrl, marker)).toEqual([]);
  expect(await findMarker(core.databaseUrl, open.marker)).not.toEqual([]);
});

it('removes a whole account with its keys, people and copies, and keeps only the audit of the removal', async () => {
  const account = await newAccount();
  const other = await newAccount();
  const marker = markerOf();
  await owner.query('update landfall.accounts set name = $2 where id = $1', [account.accountId, `Account ${marker}`]);
  const userId = randomUUID();
  await owner.query(`insert into auth.users (id, name, email) values ($1, $2, $3)`, [
    userId,
    marker,
    `${marker.toLowerCase()}@example.com`,
  ]);
  await owner.query(`insert into auth.organizations (id, name, slug) values ($1, $2, $2)`, [account.accountId, marker]);
  await owner.query(`insert into auth.members (organization_id, user_id, role) values ($1, $2, 'owner')`, [
    account.accountId,
    userId,
  ]);
  await owner.query(
    `insert into landfall.audit (account_id, actor, action, subject_type, detail) values ($1, 'system', 'x', 'user', $2)`,
    [account.accountId, JSON.stringify({ email: marker })],
  );
  await createApiKey(core.ctx, account.accountId, { name: marker, test: false, expiresAt: null, requestId: 'r' });
  const planted = [await plant(account, { closedDays: 40 }), await plant(account, { closedDays: null })];
  const kept = await plant(other, { closedDays: null });
  await settleShipments(core.ctx);
  const keptAt = await findMarker(core.databaseUrl, kept.marker);
  expect(await findMarker(core.databaseUrl, marker)).toEqual(
    expect.arrayContaining([
      'auth.organizations.name',
      'auth.users.name',
      'landfall.accounts.name',
      'landfall.api_keys.name',
      'landfall.audit.detail',
    ]),
  );

  await removeAccount(core.ctx, { ...account, keyId: null }, `Account ${marker}`);
  // Workers have no connection for sign-in.
  const store = await openStore({
    databaseUrl: core.serviceUrl,
    apiPoolSize: 2,
    systemPoolSize: 2,
    authPoolSize: 0,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  await removeExpired({ ...core.ctx, store });
  await store.close();

  for (const text of [marker, ...planted.map((one) => one.marker)])
    expect(await findMarker(core.databaseUrl, text)).toEqual([]);
  expect(await findMarker(core.databaseUrl, `${marker.toLowerCase()}@`)).toEqual([]);
  // The ids in the log are all that is left.
  const left = await findMarker(core.databaseUrl, account.accountId);
  expect(left).toEqual(['landfall.audit.account_id', 'landfall.audit.subject_id']);
  expect((await auditOf(account.accountId)).map(({ action }) => action)).toEqual(['account.removed']);
  expect(await findMarker(core.databaseUrl, kept.marker)).toEqual(keptAt);
});

it('deletes a change that gets its position while its shipment is removed', async () => {
  const account = await newAccount();
  const { shipmentId } = await plant(account, { closedDays: null });
  await plainly('update landfall.changes set sequence = null where shipment_id = $1', [shipmentId]);
  await withSystem(core.store, async (tx) => {
    const query = async (...statement: Parameters<Tx['query']>) => {
      const answer = await tx.query(...statement);
      // The sequencer would wait for the end of this transaction because of the rows that it has deleted.
      const waiting = await tx.query('select from landfall.changes where shipment_id = $1 and sequence is null', [
        shipmentId,
      ]);
      if (JSON.stringify(statement).includes('changes-of-shipments') && waiting.rowCount !== 0)
        await sequenceChanges(core.ctx);
      return answer;
    };
    const positioned = new Proxy(tx, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
    await removeShipments(positioned, account.accountId, { shipmentIds: [shipmentId] });
  });
  expect(await plainly('select id from landfall.changes where shipment_id = $1', [shipmentId])).toEqual([]);
});

it('registers a shipment anew when the one with its number is removed at the same time', async () => {
  const account = await newAccount();
  const { shipmentId, mbl } = await plant(account, { closedDays: null });
  const registration = oceanRegistration({ identifiers: { mbl, booking: uniqueNumber() } });
  const { registering } = await withSystem(core.store, async (tx) => {
    await removeShipments(tx, account.accountId, { shipmentIds: [shipmentId] });
    const registering = registerShipment(core.ctx, account, registration);
    await vi.waitUntil(
      async () =>
        (
          await plainly(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            [],
          )
        ).length > 0,
      { timeout: patienceMs },
    );
    return { registering };
  });
  expect(await registering).toMatchObject({ outcome: 'created' });
});

it('keeps a shipment that was opened again after its retention period was found to be over', async () => {
  const account = await newAccount();
  const { shipmentId } = await plant(account, { closedDays: 11 });
  const removal = {
    ...account,
    shipmentIds: [shipmentId],
    closedDays: 10,
    audit: () => ({ actor: 'system', subjectType: 'shipments', subjectId: null, requestId: null, detail: {} }),
  };
  await plainly('update landfall.shipments set closed_at = null where id = $1', [shipmentId]);
  expect(await removeForGood(core.ctx, removal)).toBe(0);
  await plainly(`update landfall.shipments set closed_at = now() - interval '11 days' where id = $1`, [shipmentId]);
  expect(await removeForGood(core.ctx, removal)).toBe(1);
});

it('does not remove the account that runs the installation', async () => {
  await expect(removeAccount(core.ctx, await core.newCaller(), 'default')).rejects.toMatchObject({
    code: 'invalid_state',
  });
  await expect(removeAccount(core.ctx, await core.newCaller(), 'nobody')).rejects.toMatchObject({
    code: 'account_not_found',
  });
});

it('gives no key to an account that is being removed', async () => {
  const name = markerOf();
  await system('insert into landfall.accounts (name, removed_at) values ($1, now())', [name]);
  await expect(withSystem(core.store, (tx) => ensureAccount(tx, name))).rejects.toThrow('is being removed');
});

it('keeps the audit log append-only while its account exists', async () => {
  const account = await newAccount();
  await owner.query(
    `insert into landfall.audit (account_id, actor, action, subject_type) values ($1, 'system', 'x', 'y')`,
    [account.accountId],
  );
  await system('delete from landfall.audit where account_id = $1', [account.accountId]);
  expect(await auditOf(account.accountId)).toHaveLength(1);
});
