import type { Share } from '#shared/domain/shares/share.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

const endsAt = 'coalesce(h.expires_at, s.closed_at + make_interval(days => h.days_after_close))';
const hasExpired = `coalesce(${endsAt} <= now(), false)`;
const columns = `
  h.id, h.shipment_id, h.test, h.label, h.shows, h.password_hash is not null as has_password,
  h.expires_at as fixed_expiry, h.days_after_close,
  ${endsAt} as expires_at, ${hasExpired} as has_expired,
  h.created_by, h.created_at, h.revoked_at`;
const source =
  'landfall.shares as h join landfall.shipments as s on s.account_id = h.account_id and s.id = h.shipment_id';

export type NewShare = Pick<
  Share,
  'id' | 'shipmentId' | 'test' | 'label' | 'shows' | 'fixedExpiry' | 'daysAfterClose' | 'createdBy'
> & {
  /** Hex SHA-256. */
  tokenHash: string;
  passwordHash: string | null;
};

/**
 * Locks the shipment: until the transaction ends, no other one adds a share to it. Returns whether the account has it.
 */
export async function lockShared(
  tx: Tx,
  accountId: string,
  { shipmentId, test }: { shipmentId: string; test: boolean },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock-shared-shipment',
    text: 'select from landfall.shipments where account_id = $1 and id = $2 and test = $3 for no key update',
    values: [accountId, shipmentId, test],
  });
  return rowCount === 1;
}

export async function insertShare(tx: Tx, accountId: string, added: NewShare): Promise<void> {
  await tx.query({
    name: 'insert-share',
    text: `
      insert into landfall.shares (
        account_id, id, shipment_id, test, token_hash, label, shows, password_hash, expires_at, days_after_close,
        created_by
      )
      values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8, $9, $10, $11)`,
    values: [
      accountId,
      added.id,
      added.shipmentId,
      added.test,
      added.tokenHash,
      added.label,
      added.shows,
      added.passwordHash,
      added.fixedExpiry,
      added.daysAfterClose,
      added.createdBy,
    ],
  });
}

/** The shares of a shipment that still open its page. */
export async function countActiveShares(
  tx: Tx,
  accountId: string,
  { shipmentId, test }: { shipmentId: string; test: boolean },
): Promise<number> {
  const rows = await readRows<{ active: number }>(tx, {
    name: 'count-active-shares',
    text: `
      select count(*)::int as active
      from ${source}
      where h.account_id = $1 and h.shipment_id = $2 and h.test = $3 and h.revoked_at is null and not ${hasExpired}`,
    values: [accountId, shipmentId, test],
  });
  return rows[0]?.active ?? 0;
}

/** The shares of a shipment, newest first, at most `limit`. */
export async function readShares(
  tx: Tx,
  accountId: string,
  { shipmentId, test, limit }: { shipmentId: string; test: boolean; limit: number },
): Promise<Share[]> {
  return readRows<Share>(tx, {
    name: 'read-shares',
    text: `
      select ${columns}
      from ${source}
      where h.account_id = $1 and h.shipment_id = $2 and h.test = $3
      order by h.id desc
      limit $4`,
    values: [accountId, shipmentId, test, limit],
  });
}

export async function readShare(
  tx: Tx,
  accountId: string,
  { id, test }: { id: string; test: boolean },
): Promise<Share | null> {
  const rows = await readRows<Share>(tx, {
    name: 'read-share',
    text: `select ${columns} from ${source} where h.account_id = $1 and h.id = $2 and h.test = $3`,
    values: [accountId, id, test],
  });
  return rows[0] ?? null;
}

/** Returns true when it was revoked now, and false when it was before. */
export async function markRevoked(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'revoke-share',
    text: 'update landfall.shares set revoked_at = now() where account_id = $1 and id = $2 and revoked_at is null',
    values: [accountId, id],
  });
  return rowCount === 1;
}
