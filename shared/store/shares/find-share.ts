import { defaultShareSettings, type SharePart, type ShareSettings } from '#shared/domain/shares/share.ts';
import type { Store } from '../open-store.ts';
import { type SettingsRow, toSettings } from './share-settings.ts';

/** A valid share, with what its page needs. */
export type FoundShare = {
  accountId: string;
  shareId: string;
  shipmentId: string;
  test: boolean;
  shows: SharePart[];
  passwordHash: string | null;
  settings: ShareSettings;
};

type FoundRow = {
  account_id: string;
  id: string;
  shipment_id: string;
  test: boolean;
  share_shows: SharePart[];
  password_hash: string | null;
} & { [Name in keyof SettingsRow]: SettingsRow[Name] | null };

/**
 * The share whose token has this hex SHA-256. Null: there is none, or it has expired, was revoked, or belongs to an
 * account that is being removed. One statement for each view, so that a revoked link ends at once.
 */
export async function findShare(store: Store, tokenHash: string): Promise<FoundShare | null> {
  const { rows } = await store.system.query<FoundRow>({
    name: 'find-share',
    text: `
      select h.account_id, h.id, h.shipment_id, h.test, h.shows as share_shows, h.password_hash,
        t.name, t.accent_color, t.support_url, t.language, t.embed_origins, t.shows, t.days_after_close, t.logo_hash
      from landfall.shares as h
      join landfall.accounts as a on a.id = h.account_id and a.removed_at is null
      join landfall.shipments as s on s.account_id = h.account_id and s.id = h.shipment_id
      left join landfall.share_settings as t on t.account_id = h.account_id
      where h.token_hash = decode($1, 'hex') and h.revoked_at is null
        and coalesce(coalesce(h.expires_at, s.closed_at + make_interval(days => h.days_after_close)) > now(), true)`,
    values: [tokenHash],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    accountId: row.account_id,
    shareId: row.id,
    shipmentId: row.shipment_id,
    test: row.test,
    shows: row.share_shows,
    passwordHash: row.password_hash,
    settings: row.language === null ? defaultShareSettings : toSettings(row as SettingsRow),
  };
}
