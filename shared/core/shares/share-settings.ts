import type { Caller } from '#shared/domain/caller.ts';
import type { ShareSettings } from '#shared/domain/shares/share.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { readShareSettings, writeShareLogo, writeShareSettings } from '#shared/store/shares/share-settings.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';

export function getShareSettings(ctx: CoreContext, { accountId }: Caller): Promise<ShareSettings> {
  return withAccount(ctx.store, accountId, (tx) => readShareSettings(tx, accountId));
}

/** Changes the given fields. They apply to pages at once, and to what new links show. */
export function updateShareSettings(
  ctx: CoreContext,
  caller: Caller,
  update: Partial<Omit<ShareSettings, 'logoHash'>>,
): Promise<ShareSettings> {
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const before = await readShareSettings(tx, accountId);
    await writeShareSettings(tx, accountId, { ...before, ...update });
    await audit(tx, caller, { fields: Object.keys(update) });
    return readShareSettings(tx, accountId);
  });
}

/** `png`: an image that this process has drawn itself. Null removes the logo. */
export function setShareLogo(ctx: CoreContext, caller: Caller, png: Uint8Array | null): Promise<ShareSettings> {
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    await writeShareLogo(tx, accountId, png);
    await audit(tx, caller, { fields: ['logo'] });
    return readShareSettings(tx, accountId);
  });
}

async function audit(tx: Tx, caller: Caller, detail: { fields: string[] }): Promise<void> {
  await appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action: 'share_settings.changed',
    subjectType: 'account',
    subjectId: caller.accountId,
    requestId: caller.requestId,
    detail,
  });
}
