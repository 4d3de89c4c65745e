import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreBackup } from '#infra/backup/restore-backup.ts';
import {
  accessLines,
  readAccessOfBackup,
  readAccessOfDatabase,
  returnedAccess,
} from '#infra/backup/returned-access.ts';
import { writeBackup } from '#infra/backup/write-backup.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { readValidAccess } from '#shared/store/backup/restored-access.ts';
import { withAuth } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { runScript } from '#test/support/processes.ts';
import { emptyDatabase, ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let accountId: string;
let target: Awaited<ReturnType<typeof emptyDatabase>>;
let folder: string;
type Planted = 'kept' | 'revoked' | 'rotated' | 'removed' | 'demoted' | 'owner' | 'invite' | 'share' | 'openShare';
type Receiver = 'openEndpoint' | 'deletedEndpoint' | 'movedEndpoint' | 'subscription';
let ids: Record<Planted | Receiver, string>;
/** Written after the accesses were ended. */
let newer: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-access-'));
  core = await openTestCore({}, ownDatabase);
  const caller = await core.newCaller();
  ({ accountId } = caller);
  const { id: kept } = await createApiKey(core.ctx, accountId, { name: 'kept', test: false });
  const { id: revoked } = await createApiKey(core.ctx, accountId, { name: 'stolen', test: false });
  const { id: rotated } = await createApiKey(core.ctx, accountId, { name: 'rotated', test: false });
  await withAuth(core.store, (tx) => ensureOrganization(tx, { accountId, name: 'Acme' }));
  const [owner, removed, demoted] = await Promise.all(
    (['owner', 'member', 'owner'] as const).map((role, place) => addMember(`person${place}@example.com`, role)),
  );
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  const [share = '', openShare = ''] = await Promise.all([addShare(shipment.id), addShare(shipment.id)]);
  const [invited] = await query<{ id: string }>(
    core.databaseUrl,
    `insert into auth.invitations (organization_id, email, role, token_hash, expires_at, inviter_id)
     values ('${accountId}', 'new@example.com', 'member', sha256('x'), now() + interval '7 days', '${owner}') returning id`,
  );
  ids = {
    ...{ kept, revoked, rotated, share, openShare, invite: invited?.id ?? '' },
    openEndpoint: await addEndpoint('open'),
    deletedEndpoint: await addEndpoint('deleted'),
    movedEndpoint: await addEndpoint('moved'),
    subscription: await addSubscription(),
    ...{ owner: owner ?? '', removed: removed ?? '', demoted: demoted ?? '' },
  };
  const older = await backUp();
  await query(
    core.databaseUrl,
    `update landfall.api_keys set revoked_at = now() where id = '${revoked}';
     update landfall.api_keys set expires_at = '2099-05-01T00:00:00Z' where id = '${rotated}';
     update landfall.shares set revoked_at = now() where id = '${share}';
     delete from landfall.webhook_endpoints where id = '${ids.deletedEndpoint}';
     update landfall.webhook_endpoints set url = 'https://moved.example/new' where id = '${ids.movedEndpoint}';
     update landfall.carrier_subscriptions set state = 'ended', ended_at = now();
     delete from auth.members where user_id = '${removed}';
     update auth.members set role = 'viewer' where user_id = '${demoted}';
     update auth.invitations set status = 'canceled'`,
  );
  newer = await backUp();
  target = await emptyDatabase();
  await restoreBackup(Readable.from([older]), target.databaseUrl);
});

afterAll(async () => {
  await target?.drop();
  await core?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a restore', () => {
  it('finds what was ended since by a newer backup, and by the former database', async () => {
    const valid = await readValidAccess(target.databaseUrl);
    const byBackup = await readAccessOfBackup(Readable.from([newer]), new Date());
    const found = returnedAccess(valid, byBackup);
    expect(found.map(({ kind, id, roleSince }) => ({ kind, id, roleSince }))).toEqual([
      { kind: 'key', id: ids.rotated, roleSince: null },
      { kind: 'key', id: ids.revoked, roleSince: null },
      { kind: 'member', id: ids.removed, roleSince: null },
      { kind: 'member', id: ids.demoted, roleSince: 'viewer' },
      { kind: 'invite', id: ids.invite, roleSince: null },
      { kind: 'share', id: ids.share, roleSince: null },
      { kind: 'webhook', id: ids.deletedEndpoint, roleSince: null },
      { kind: 'webhook', id: ids.movedEndpoint, roleSince: null },
      { kind: 'subscription', id: ids.subscription, roleSince: null },
    ]);
    expect(found[0]?.expiresSince).toBe('2099-05-01T00:00:00.000Z');
    expect(accessLines(found)[0]).toContain('which expires at 2099-05-01T00:00:00.000Z since');
    expect(accessLines(found).find((line) => line.includes('person2'))).toContain('as owner, viewer since');
    expect(returnedAccess(valid, await readAccessOfDatabase(core.databaseUrl))).toEqual(found);
  });

  it('lists them, and ends them on request with entries in the audit log', async () => {
    const env = { DATABASE_URL: target.serviceUrl, MIGRATION_DATABASE_URL: target.databaseUrl };
    const file = join(folder, 'newer.backup');
    writeFileSync(file, newer);
    const listed = await runScript('restore', ['--compare-with', file], env);
    expect(listed.stderr).toContain(
      '2 API keys, 2 members, 1 invitation, 1 shared page, 2 webhook endpoints, 1 carrier subscription.',
    );
    expect(listed.stderr).toContain(`${encodeTypeId('key', ids.revoked)}  API key stolen`);
    expect(await readValidAccess(target.databaseUrl)).toHaveLength(13);

    await runScript('restore', ['--compare-with', core.databaseUrl, '--revoke'], env);
    const left = await readValidAccess(target.databaseUrl);
    const present = await readValidAccess(core.databaseUrl);
    expect(left).toEqual(present.filter(({ id }) => id !== ids.movedEndpoint));
    const audited = await query<{ action: string; id: string }>(
      target.databaseUrl,
      `select action, subject_id as id from landfall.audit
       where actor = 'system' and detail @> '{"after_restore": true}' order by action, subject_id`,
    );
    expect(audited).toEqual([
      { action: 'api_key.expiry_set', id: ids.rotated },
      { action: 'api_key.revoked', id: ids.revoked },
      { action: 'carrier_subscription.ended', id: ids.subscription },
      { action: 'invite.withdrawn', id: ids.invite },
      { action: 'member.removed', id: ids.removed },
      { action: 'member.role_changed', id: ids.demoted },
      { action: 'share.revoked', id: ids.share },
      { action: 'webhook_endpoint.disabled', id: ids.deletedEndpoint },
      { action: 'webhook_endpoint.disabled', id: ids.movedEndpoint },
    ]);
    const again = await runScript('restore', ['--revoke', encodeTypeId('shr', ids.openShare)], env);
    expect(again.stderr).toContain('Ended 1 shared page');
    expect((await readValidAccess(target.databaseUrl)).map(({ id }) => id)).not.toContain(ids.openShare);
    await expect(runScript('restore', ['--revoke', encodeTypeId('key', ids.share)], env)).rejects.toThrow(
      'is not valid in this database',
    );
  });
});

async function addMember(email: string, role: 'owner' | 'member'): Promise<string> {
  return withAuth(core.store, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      'insert into auth.users (name, email) values ($1, $1) returning id',
      [email],
    );
    const id = rows[0]?.id ?? '';
    await insertMember(tx, accountId, { userId: id, role });
    return id;
  });
}

async function addShare(shipmentId: string): Promise<string> {
  const [row] = await query<{ id: string }>(
    core.databaseUrl,
    `insert into landfall.shares (account_id, id, shipment_id, test, token_hash, shows, days_after_close, created_by)
     values ('${accountId}', uuidv7(), '${shipmentId}', false, sha256(uuidv7()::text::bytea), '{}', 30, 'system') returning id`,
  );
  return row?.id ?? '';
}

async function addEndpoint(name: string): Promise<string> {
  const [row] = await query<{ id: string }>(
    core.databaseUrl,
    `insert into landfall.webhook_endpoints (account_id, test, url, key_version, secret_sealed)
     values ('${accountId}', false, 'https://${name}.example/hooks', 'v1', 'x') returning id`,
  );
  return row?.id ?? '';
}

async function addSubscription(): Promise<string> {
  const [row] = await query<{ id: string }>(
    core.databaseUrl,
    `insert into landfall.carrier_subscriptions (
       account_id, token, connector, carrier, all_carriers, credential_id, callback_url, key_version, secret_sealed
     )
     values (
       '${accountId}', repeat('t', 32), 'maersk', 'MAEU', false, 'none', 'https://old.example/hooks', 'v1', 'x'
     ) returning id`,
  );
  return row?.id ?? '';
}

async function backUp(): Promise<Buffer> {
  const output = new PassThrough();
  const written = writeBackup(output, { databaseUrl: core.databaseUrl, credentialKeys: null });
  const [chunks] = await Promise.all([output.toArray(), written]);
  return Buffer.concat(chunks);
}

async function query<Row>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}
