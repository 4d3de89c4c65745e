import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { restoreBackup } from '#infra/backup/restore-backup.ts';
import { writeBackup } from '#infra/backup/write-backup.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { migrate, migrationNames } from '#infra/migrate.ts';
import { setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { authenticateKey } from '#shared/core/keys/authenticate-key.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { claimInstallation, makeClaimToken } from '#shared/core/members/claim-installation.ts';
import { listMemberships } from '#shared/core/members/members.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { scopes } from '#shared/domain/caller.ts';
import { listAlerts } from '#shared/store/alerts/alerts.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { resumeRestoredAlerts } from '#shared/store/backup/restored-alerts.ts';
import { enableRestoredWebhooks } from '#shared/store/backup/restored-webhooks.ts';
import { openStore } from '#shared/store/open-store.ts';
import { withAuth } from '#shared/store/with-account.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { plantMigrations } from '#test/support/stores/plant-migrations.ts';
import { emptyDatabase, ownDatabase } from '#test/support/stores/postgres.ts';

const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

it('sends no webhook from a restored copy until an operator confirms that it replaces the other installation', async () => {
  const core = await openCore();
  const { accountId } = await core.newCaller();
  const insert = (states: string, values: string) =>
    core.store.system.query(
      `with added as (
         insert into landfall.webhook_endpoints (account_id, test, url, key_version, secret_sealed, ${states})
         values ($1, false, 'https://receiver.example', 'v1', '\\x00', ${values}) returning account_id, id
       )
       insert into landfall.webhook_cursors (account_id, endpoint_id, sequence) select account_id, id, 0 from added`,
      [accountId],
    );
  await insert('enabled', 'true');
  await insert('enabled, disabled_at, disabled_reason', `false, now(), 'requested'`);
  const backup = await backUp(core.databaseUrl);
  const reasons = async (target: string): Promise<(string | null)[]> =>
    (
      await query<{ reason: string | null }>(
        target,
        `select disabled_reason as reason from landfall.webhook_endpoints order by id`,
      )
    ).map(({ reason }) => reason);

  const copy = await emptyTarget();
  expect(await restore(backup, copy)).toMatchObject({ disabledWebhooks: 1 });
  expect(await reasons(copy)).toEqual(['restored', 'requested']);
  expect(await enableRestoredWebhooks(copy)).toBe(1);
  expect(await reasons(copy)).toEqual([null, 'requested']);
  expect(await enableRestoredWebhooks(copy)).toBe(0);

  const successor = await emptyTarget();
  const kept = await restoreBackup(Readable.from([backup]), successor, { keepWebhooks: true });
  expect(kept.disabledWebhooks).toBe(0);
  expect(await reasons(successor)).toEqual([null, 'requested']);
});

it('notifies nobody from a restored copy until an operator confirms that it replaces the other installation', async () => {
  const core = await openCore();
  const { accountId } = await core.newCaller();
  const userId = await withAuth(core.store, async (tx) => {
    await ensureOrganization(tx, { accountId, name: 'Acme' });
    const { rows } = await tx.query<{ id: string }>(
      `insert into auth.users (name, email) values ('Ada', 'ada@example.com') returning id`,
    );
    const id = rows[0]?.id ?? '';
    await insertMember(tx, accountId, { userId: id, role: 'owner' });
    return id;
  });
  for (const text of [
    `insert into landfall.alert_preferences (account_id, user_id, mail_token) values ($1, $2, decode(repeat('00', 16), 'hex'))`,
    `with v as (
       insert into landfall.saved_views (account_id, test, owner_id, name, search, filter, sort)
       values ($1, false, $2, 'Late', '{}', '{}', 'eta') returning id
     )
     insert into landfall.alerts (account_id, test, user_id, view_id, rules, channels, timing, from_sequence, paused_at)
     select $1, false, $2, v.id, '{"enters":true}', '{email}', 'at_once', 0, p.at
     from v, (values (null), (now())) as p (at)`,
    `insert into landfall.alert_messages (account_id, id, user_id, channel, test, timing, entries, next_try_at)
     values ($1, uuidv7(), $2, 'email', false, 'at_once', 1, now())`,
    `insert into landfall.alert_notices (account_id, key, kind, test, facts)
     select $1, 'k', 'import_finished', false, '{}' where $2::uuid is not null`,
  ])
    await core.store.system.query(text, [accountId, userId]);
  const backup = await backUp(core.databaseUrl);
  const active = async (target: string) => {
    const pool = new pg.Pool({ connectionString: target, max: 1 });
    const tx = await pool.connect();
    try {
      const alerts = await listAlerts(tx, accountId, { userId, test: false });
      return alerts.toReversed().map(({ paused }) => !paused);
    } finally {
      tx.release();
      await pool.end();
    }
  };

  const copy = await emptyTarget();
  expect(await restore(backup, copy)).toMatchObject({ pausedAlerts: 1 });
  expect(await active(copy)).toEqual([false, false]);
  expect(await query(copy, 'select state, error from landfall.alert_messages')).toEqual([
    { state: 'dropped', error: 'restored' },
  ]);
  expect(await query(copy, 'select from landfall.alert_notices where notified_at is null')).toEqual([]);
  expect(await resumeRestoredAlerts(copy)).toBe(1);
  expect(await active(copy)).toEqual([true, false]);
  expect(await resumeRestoredAlerts(copy)).toBe(0);
});

it('includes every acknowledged shipment, complete, in a backup taken while clients write', async () => {
  const core = await openCore();
  const caller = await core.newCaller();
  const acknowledged: string[] = [];
  const writing = new AbortController();
  const writers = Array.from({ length: 4 }, async () => {
    while (!writing.signal.aborted) {
      const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
      acknowledged.push(shipment.id);
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
  const before = [...acknowledged];
  const backup = await backUp(core.databaseUrl);
  writing.abort();
  await Promise.all(writers);
  expect(acknowledged.length).toBeGreaterThan(before.length);

  const target = await emptyTarget();
  await restore(backup, target);
  const rows = await query<{ id: string; parts: string }>(
    target,
    `select s.id, concat_ws(',',
        (select count(*) from landfall.polling as p where p.shipment_id = s.id),
        (select count(*) from landfall.shipment_identifiers as i where i.shipment_id = s.id),
        (select count(*) from landfall.shipment_search as w where w.shipment_id = s.id),
        (select count(*) from landfall.changes as c where c.shipment_id = s.id and c.type = 'shipment.created')) as parts
      from landfall.shipments as s`,
  );
  const restored = new Set(rows.map(({ id }) => id));
  expect(before.filter((id) => !restored.has(id))).toEqual([]);
  expect([...new Set(rows.map(({ parts }) => parts))]).toEqual(['1,1,1,1']);
  const strays = await query(
    target,
    `select from landfall.changes as c where c.shipment_id is not null and not exists (select from landfall.shipments as s where s.id = c.shipment_id)`,
  );
  expect(strays).toEqual([]);
});

it('restores row for row under an owner without superuser rights: keys valid, credentials encrypted, sequences continued', async () => {
  const core = await openCore();
  const caller = await core.newCaller({ scopes });
  const key = await createApiKey(core.ctx, caller.accountId, { name: 'kept', test: false });
  await setCarrierCredentials(core.ctx, caller, {
    carrier: 'MAEU',
    values: { client_id: 'id', client_secret: 'secret' },
  });
  const awkward = { reference: 'tab\tand \\. and \n line', tags: ['a"b', '{}'], metadata: { note: '\\N' } };
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration(awkward));
  const token = (await makeClaimToken(core.ctx)) ?? '';
  const input = {
    token,
    name: 'Olga Owner',
    email: 'olga@example.test',
    requestId: 'req_test',
    hashPassword: async () => 'hash',
  };
  const { id: userId } = await claimInstallation(core.ctx, input);
  await query(
    core.databaseUrl,
    `insert into auth.sessions (user_id, token, expires_at) values ('${userId}', repeat('0', 64), now() + interval '1 day')`,
  );
  // More than one block of the file and more than a stream buffers.
  await query(
    core.databaseUrl,
    `insert into landfall.changes (account_id, type, data)
      select '${caller.accountId}', 'shipment.created', jsonb_build_object('text', i || repeat(md5(i::text), 40)) from generate_series(1, 2000) as i`,
  );

  const owner = await plainOwner();
  await restore(await backUp(core.databaseUrl), owner.databaseUrl);
  expect(await fingerprints(owner.adminUrl)).toEqual(await fingerprints(core.databaseUrl));

  const store = await openStore({
    databaseUrl: serviceUrlOf(owner.adminUrl),
    apiPoolSize: 2,
    systemPoolSize: 1,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  closings.push(store.close);
  const ctx = { ...core.ctx, store };
  expect(await listMemberships(ctx, userId)).toMatchObject([{ name: 'default', role: 'owner' }]);
  expect(await query(owner.adminUrl, 'select from auth.sessions')).toEqual([]);
  expect((await authenticateKey(ctx, key.secret)).accountId).toBe(caller.accountId);
  expect((await getShipment(ctx, caller, shipment.id)).reference).toBe(awkward.reference);
  expect((await registerShipment(ctx, caller, oceanRegistration())).outcome).toBe('created');
  const [forced] = await query<{ count: string }>(
    owner.adminUrl,
    `select count(*) from pg_class as c join pg_trigger as t on t.tgrelid = c.oid
      where c.relnamespace = 'landfall'::regnamespace and (not c.relforcerowsecurity or t.tgenabled <> 'O')`,
  );
  expect(forced?.count).toBe('0');
});

it('refuses a truncated, corrupted, extended or unrelated file with a reason and loads nothing', async () => {
  const core = await openCore();
  const caller = await core.newCaller();
  for (let number = 0; number < 30; number += 1) await registerShipment(core.ctx, caller, oceanRegistration());
  const whole = await backUp(core.databaseUrl);
  const target = await emptyTarget();
  const damaged = (at: number): Buffer => {
    const copy = Buffer.from(whole);
    copy[at] = (copy[at] ?? 0) ^ 0x55;
    return copy;
  };
  const files: [string, Buffer][] = [
    ...[0, 10, 0.2, 0.5, 0.9].map((cut): [string, Buffer] => [
      `cut at ${cut}`,
      whole.subarray(0, cut < 1 ? Math.floor(whole.length * cut) : cut),
    ]),
    ['without its last byte', whole.subarray(0, -1)],
    ...[0.3, 0.6, 0.95].map((at): [string, Buffer] => [`damaged at ${at}`, damaged(Math.floor(whole.length * at))]),
    ['twice', Buffer.concat([whole, whole])],
    ['a text', Buffer.from('select 1;\n'.repeat(100))],
  ];
  for (const [name, file] of files) {
    await expect(restore(file, target), name).rejects.toThrow(
      /^The backup can't be used: |^invalid input syntax|violates|missing data|extra data/,
    );
    const [state] = await query<{ tables: string | null }>(
      target,
      `select to_regclass('landfall.accounts')::text as tables`,
    );
    if (state?.tables) expect(await query(target, 'select from landfall.accounts'), name).toEqual([]);
  }
  await restore(whole, target);
  expect(await query(target, 'select from landfall.shipments')).toHaveLength(30);
});

it('refuses to restore into a database that contains an account', async () => {
  const core = await openCore();
  await core.newCaller();
  const backup = await backUp(core.databaseUrl);
  const other = await openCore();
  await other.newCaller();
  const before = await fingerprints(other.databaseUrl);
  await expect(restore(backup, other.databaseUrl)).rejects.toThrow("The database isn't empty");
  expect(await fingerprints(other.databaseUrl)).toEqual(before);
});

it('loads a backup of an older version into its own schema and applies the migrations since', async () => {
  const names = await migrationNames();
  const old = await emptyTarget();
  await migrate(old);
  await query(old, `insert into landfall.accounts (name) values ('from before')`);
  const { folder, remove } = plantMigrations({
    '9001_planted': 'alter table landfall.accounts add column planted text',
  });
  closings.push(async () => remove());
  const target = await emptyTarget();
  const restored = await restore(await backUp(old), target, folder);
  expect(restored.migrationsSince).toBe(1);
  expect(await query(target, 'select name, planted from landfall.accounts')).toEqual([
    { name: 'from before', planted: null },
  ]);
  expect((await query(target, 'select name from landfall.migrations order by id')).map(({ name }) => name)).toEqual([
    ...names,
    '9001_planted',
  ]);
  const migrated = await emptyTarget();
  await migrate(migrated, { folder });
  await expect(restore(await backUp(old), migrated, folder)).rejects.toThrow(
    /has the schema of .*, and the backup an older one/,
  );
});

it('refuses a backup of an older build before changing anything', async () => {
  const header = { format: 'landfall-backup', version: 1, migrations: ['0001_schema', '0002_right_data'], tables: [] };
  const target = await emptyTarget();
  await expect(restore(gzipSync(`${JSON.stringify(header)}\n`), target)).rejects.toThrow(
    "The backup can't be used: an older build of Landfall wrote it, and this build can't restore it.",
  );
  expect(await query(target, `select from pg_namespace where nspname = 'landfall'`)).toEqual([]);
});

it('refuses a backup of a newer version before changing anything', async () => {
  const newer = await openCore();
  await newer.newCaller();
  await query(
    newer.databaseUrl,
    `insert into landfall.migrations (name, run_on) values ('9999_from_the_future', now())`,
  );
  const target = await emptyTarget();
  await expect(restore(await backUp(newer.databaseUrl), target)).rejects.toThrow(
    'the migration 9999_from_the_future is unknown',
  );
  expect(await query(target, `select from pg_namespace where nspname = 'landfall'`)).toEqual([]);
});

it('leaves out connected apps with their tokens, so that a disconnected one stays disconnected', async () => {
  const core = await openCore();
  const { accountId } = await core.newCaller();
  const key = await createApiKey(core.ctx, accountId, { name: 'assistant', test: false });
  const reference = `${accountId}:${key.id}`;
  await query(
    core.databaseUrl,
    `with person as (insert into auth.users (name, email) values ('Olga', 'olga@example.test') returning id),
      client as (insert into auth.oauth_clients (client_id, redirect_uris) values ('app', '[]') returning client_id),
      consent as (
        insert into auth.oauth_consents (client_id, user_id, reference_id, scopes)
        select 'app', id, '${reference}', '[]' from person
      ),
      token as (
        insert into auth.oauth_access_tokens (token, client_id, user_id, reference_id, scopes, expires_at)
        select repeat('a', 64), 'app', id, '${reference}', '[]', now() + interval '1 hour' from person returning id, expires_at
      )
      insert into landfall.api_keys (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at, parent_id,
        app_token_id)
      select '${accountId}', 'app', 'svc_live_0000', '0000', decode(repeat('a', 64), 'hex'), '{shipments:read}', false,
        expires_at, '${key.id}', id from token`,
  );
  const target = await emptyTarget();
  await restore(await backUp(core.databaseUrl), target);
  expect(await query(target, 'select name from landfall.api_keys')).toEqual([{ name: 'assistant' }]);
  expect(await query(target, 'select from auth.oauth_clients')).toEqual([]);
  expect(await query(target, 'select from auth.oauth_consents')).toEqual([]);
});

async function openCore(): Promise<TestCore> {
  const core = await openTestCore({}, ownDatabase);
  closings.push(core.close);
  return core;
}

async function emptyTarget(): Promise<string> {
  const database = await emptyDatabase();
  closings.push(database.drop);
  return database.databaseUrl;
}

/** A database whose owner is subject to row-level security, as on most hosted servers. */
async function plainOwner(): Promise<{ databaseUrl: string; adminUrl: string }> {
  const adminUrl = await emptyTarget();
  const name = `owner_${new URL(adminUrl).pathname.slice(-16)}`;
  await query(adminUrl, `create role ${name} login password 'another' nosuperuser`);
  await query(
    adminUrl,
    `grant landfall_app, landfall_system, landfall_auth, landfall_queue to ${name} with inherit false, set true`,
  );
  await query(adminUrl, `alter database ${new URL(adminUrl).pathname.slice(1)} owner to ${name}`);
  closings.push(async () => {
    await query(adminUrl, `reassign owned by ${name} to current_user`);
    await query(adminUrl, `drop owned by ${name}`);
    await query(adminUrl, `drop role ${name}`);
  });
  const url = new URL(adminUrl);
  url.username = name;
  url.password = 'another';
  return { databaseUrl: url.href, adminUrl };
}

async function backUp(databaseUrl: string): Promise<Buffer> {
  const output = new PassThrough();
  const [chunks] = await Promise.all([output.toArray(), writeBackup(output, { databaseUrl, credentialKeys: null })]);
  return Buffer.concat(chunks);
}

function restore(backup: Buffer, databaseUrl: string, folder?: string) {
  return restoreBackup(Readable.from([backup]), databaseUrl, folder === undefined ? {} : { folder });
}

/** A hash of all rows of every logged table but the feeds' ends, which a restore moves, and the state of the sequences. */
async function fingerprints(databaseUrl: string): Promise<Record<string, unknown>> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `select concat(relnamespace::regnamespace, '.', relname) as name from pg_class
      where relnamespace in ('landfall'::regnamespace, 'auth'::regnamespace) and relkind in ('r', 'p') and relpersistence = 'p'
        and relname not in ('migrations', 'account_feeds', 'sessions', 'verifications', 'claim', 'signing_secret')`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await query<{ rows: string; hash: string }>(
      databaseUrl,
      `select count(*) as rows, md5(string_agg(t::text, '|' order by t::text)) as hash from ${name} as t`,
    );
    found[name] = row;
  }
  found.sequences = await query(databaseUrl, 'select last_value, is_called from landfall.change_seq');
  return found;
}

async function query<T extends pg.QueryResultRow>(databaseUrl: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
