import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxShares, type Share, type SharePart } from '#shared/domain/shares/share.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { readShareSettings } from '#shared/store/shares/share-settings.ts';
import { countActiveShares, insertShare, lockShared, readShare } from '#shared/store/shares/shares.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { hashSharePassword } from './share-password.ts';
import { newShareToken } from './share-token.ts';

/** Absent fields come from the account's settings. At most one of the expiries is set. */
export type WantedShare = {
  shipmentId: string;
  label: string | null;
  shows: SharePart[] | null;
  password: string | null;
  expiresAt: string | null;
  daysAfterClose: number | null;
};

/**
 * Creates a link to a public page of the shipment. `token` isn't stored and can't be shown again. Throws LandfallError
 * `shipment_not_found`, `validation_failed` for an expiry in the past, or `invalid_state` when shared pages are off or
 * the shipment has as many active links as it may have.
 */
export async function createShare(
  ctx: CoreContext,
  caller: Caller,
  wanted: WantedShare,
): Promise<{ share: Share; token: string }> {
  if (!ctx.settings.sharedPages) {
    throw new LandfallError('invalid_state', 'Shared pages are off. The operator can turn them on with SHARED_PAGES.');
  }
  const { accountId, test } = caller;
  const { shipmentId, label, password } = wanted;
  const now = ctx.now();
  refusePastExpiry(wanted.expiresAt, now);
  const id = uuidv7(now.getTime(), globalThis.crypto.getRandomValues(new Uint8Array(10)));
  const { token, tokenHash } = newShareToken();
  const passwordHash = password === null ? null : await hashSharePassword(password, accountId);
  const share = await withAccount(ctx.store, accountId, async (tx) => {
    if (!(await lockShared(tx, accountId, { shipmentId, test }))) throw noSuchShipment();
    refuseOneTooMany(await countActiveShares(tx, accountId, { shipmentId, test }));
    const settings = await readShareSettings(tx, accountId);
    if (!settings.publicPages)
      throw new LandfallError('invalid_state', 'Shared pages of this account are off. An owner can turn them on.');
    const shows = wanted.shows ?? settings.shows;
    const daysAfterClose = wanted.expiresAt === null ? (wanted.daysAfterClose ?? settings.daysAfterClose) : null;
    const ends = { fixedExpiry: wanted.expiresAt, daysAfterClose };
    const createdBy = actorOf(caller);
    await insertShare(tx, accountId, {
      id,
      shipmentId,
      test,
      label,
      shows,
      tokenHash,
      passwordHash,
      createdBy,
      ...ends,
    });
    await appendAudit(tx, accountId, {
      actor: createdBy,
      action: 'share.created',
      subjectType: 'share',
      subjectId: id,
      requestId: caller.requestId,
      detail: { shipment_id: shipmentId, shows, has_password: passwordHash !== null },
    });
    return readShare(tx, accountId, { id, test });
  });
  if (share === null) throw new Error('a share is missing right after its insertion');
  return { share, token };
}

function refusePastExpiry(expiresAt: string | null, now: Date): void {
  if (expiresAt === null || Date.parse(expiresAt) > now.getTime()) return;
  const detail = 'expires_at is in the past. Send a later time, or leave it out.';
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/expires_at', code: 'too_small', detail }],
  });
}

function refuseOneTooMany(active: number): void {
  if (active < maxShares) return;
  throw new LandfallError(
    'invalid_state',
    `The shipment has ${active} active links, and ${maxShares} is the maximum. Revoke one that is not needed.`,
  );
}

export function noSuchShipment(): LandfallError {
  return new LandfallError('shipment_not_found', 'Shipment not found.');
}
