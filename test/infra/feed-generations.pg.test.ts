import { PassThrough, Readable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { restoreBackup } from '#infra/backup/restore-backup.ts';
import { writeBackup } from '#infra/backup/write-backup.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { type ChangeList, listChanges } from '#shared/core/feed/list-changes.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { changedShipmentOf } from '#shared/domain/feed/change.ts';
import { openStore } from '#shared/store/open-store.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { emptyDatabase, ownDatabase } from '#test/support/stores/postgres.ts';

type Context = TestCore['ctx'];

const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

it('reports the gap to a reader that is ahead of a restored backup, however far the feed has grown since', async () => {
  const core = await openCore();
  const caller = await core.newCaller();
  await register(core.ctx, caller, 3);
  const backup = await backUp(core.databaseUrl);
  await register(core.ctx, caller, 4);
  const ahead = await read(core.ctx, caller, 0);
  expect(ahead).toMatchObject({ nextAfter: 7, gap: false });

  const restored = await restore(backup);
  const start = await read(restored, caller, ahead.nextAfter);
  expect(start).toMatchObject({ changes: [], gap: true });
  expect(start.nextAfter).toBeGreaterThan(ahead.nextAfter);
  // Nothing is missing at the end of the backup; a reader before that point continues without a gap.
  expect(await read(restored, caller, 3)).toMatchObject({ changes: [], gap: false, nextAfter: start.nextAfter });
  expect(await read(restored, caller, 1)).toMatchObject({ gap: false, changes: [{ sequence: 2 }, { sequence: 3 }] });

  const added = await register(restored, caller, 9);
  const later = await read(restored, caller, ahead.nextAfter);
  expect(later.gap).toBe(true);
  expect(later.changes.map((change) => changedShipmentOf(change)?.id)).toEqual(added);
  expect(await read(restored, caller, later.nextAfter)).toMatchObject({ changes: [], gap: false });
  const across = await read(restored, caller, 2);
  expect([across.gap, across.changes.length]).toEqual([false, 1 + added.length]);
  await expect(read(restored, caller, later.nextAfter + 1)).rejects.toMatchObject({ code: 'validation_failed' });
});

it('reports the gap to readers of each restored database after another restore, of the same backup or a later one', async () => {
  const core = await openCore();
  const caller = await core.newCaller();
  await register(core.ctx, caller, 2);
  const backup = await backUp(core.databaseUrl);

  const first = await restoreInto(backup);
  await register(first.ctx, caller, 5);
  const ofFirst = await read(first.ctx, caller, 2);
  const again = await restore(backup);
  await register(again, caller, 9);
  expect(await read(again, caller, ofFirst.nextAfter)).toMatchObject({ gap: true, changes: { length: 9 } });

  const later = await backUp(first.databaseUrl);
  await register(first.ctx, caller, 1);
  const ahead = await read(first.ctx, caller, ofFirst.nextAfter);
  const second = await restore(later);
  await register(second, caller, 3);
  expect(await read(second, caller, ahead.nextAfter)).toMatchObject({ gap: true, changes: { length: 3 } });
  expect(await read(second, caller, ofFirst.nextAfter)).toMatchObject({ gap: false, changes: { length: 3 } });
  expect(await read(second, caller, 2)).toMatchObject({ gap: false, changes: { length: 8 } });
  expect((await read(second, caller, 3)).gap).toBe(true);
});

it('reports the gap to a reader of an account whose first change came after the backup', async () => {
  const core = await openCore();
  const caller = await core.newCaller();
  const backup = await backUp(core.databaseUrl);
  await register(core.ctx, caller, 2);
  const restored = await restore(backup);
  await register(restored, caller, 3);
  expect((await read(restored, caller, 2)).gap).toBe(true);
  expect((await read(restored, caller, 0)).gap).toBe(false);
});

async function openCore(): Promise<TestCore> {
  const core = await openTestCore({}, ownDatabase);
  closings.push(core.close);
  return core;
}

/** Registers shipments and returns their ids, when all their changes have a sequence. */
async function register(ctx: Context, caller: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await registerShipment(ctx, caller, oceanRegistration())).shipment.id);
  while ((await sequenceChanges(ctx)) !== 0);
  return ids;
}

function read(ctx: CoreContext, caller: Caller, after: number): Promise<ChangeList> {
  const narrowedBy = { codes: [], legRoles: [], classifiers: [] };
  return listChanges(ctx, caller, { after, types: null, shipmentId: null, narrowedBy, limit: 100 });
}

async function backUp(databaseUrl: string): Promise<Buffer> {
  const output = new PassThrough();
  const [chunks] = await Promise.all([output.toArray(), writeBackup(output, { databaseUrl, credentialKeys: null })]);
  return Buffer.concat(chunks);
}

async function restore(backup: Buffer): Promise<Context> {
  return (await restoreInto(backup)).ctx;
}

async function restoreInto(backup: Buffer): Promise<{ ctx: Context; databaseUrl: string }> {
  const { databaseUrl, drop } = await emptyDatabase();
  closings.push(drop);
  await restoreBackup(Readable.from([backup]), databaseUrl);
  const { ctx } = await openCore();
  const store = await openStore({
    databaseUrl: serviceUrlOf(databaseUrl),
    apiPoolSize: 2,
    systemPoolSize: 1,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  closings.push(store.close);
  return { ctx: { ...ctx, store }, databaseUrl };
}
