import { defaultShareSettings, type SharePart, type ShareSettings } from '#shared/domain/shares/share.ts';
import type { Store } from '../open-store.ts';
import { maxSilenceMs, readRows } from '../read-rows.ts';

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
  accountId: string;
  shareId: string;
  shipmentId: string;
  test: boolean;
  shareShows: SharePart[];
  passwordHash: string | null;
} & { [Name in keyof ShareSettings]: ShareSettings[Name] | null };

/**
 * The share whose token has this hex SHA-256. Null: there is none, or it has expired, was revoked, or belongs to an
 * account that is being removed or has turned its pages off. One statement for each view, so that a revoked link ends at once.
 */
export async function findShare(store: Store, tokenHash: string): Promise<FoundShare | null> {
  const rows = await readRows<FoundRow>(store.system, {
    name: 'find-share',
    maxSilenceMs,
    text: `
      select h.account_id, h.id as share_id, h.shipment_id, h.test, h.shows as share_shows, h.password_hash,
        t.public_pages, t.name, t.accent_color, t.support_url, t.language, t.embed_origins, t.shows, t.days_after_close, t.logo_hash
      from landfall.shares as h
      join landfall.accounts as a on a.id = h.account_id and a.removed_at is null
      join landfall.shipments as s on s.account_id = h.account_id and s.id = h.shipment_id
      left join landfall.share_settings as t on t.account_id = h.account_id
      where h.token_hash = decode($1, 'hex') and h.revoked_at is null and coalesce(t.public_pages, true)
        and coalesce(coalesce(h.expires_at, s.closed_at + make_interval(days => h.days_after_close)) > now(), true)`,
    values: [tokenHash],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { accountId, shareId, shipmentId, test, shareShows, passwordHash, ...stored } = row;
  const settings = stored.language === null ? defaultShareSettings : (stored as ShareSettings);
  return { accountId, shareId, shipmentId, test, shows: shareShows, passwordHash, settings };
}
