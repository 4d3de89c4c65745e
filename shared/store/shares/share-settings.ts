import { defaultShareSettings, type ShareSettings } from '#shared/domain/shares/share.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** The account's settings, locked until the transaction ends if there is a row. */
export async function readShareSettings(tx: Tx, accountId: string): Promise<ShareSettings> {
  const rows = await readRows<ShareSettings>(tx, {
    name: 'read-share-settings',
    text: `
      select public_pages, name, accent_color, support_url, language, embed_origins, shows, days_after_close, logo_hash
      from landfall.share_settings where account_id = $1 for no key update`,
    values: [accountId],
  });
  return rows[0] ?? defaultShareSettings;
}

/** Writes everything but the logo. */
export async function writeShareSettings(tx: Tx, accountId: string, settings: ShareSettings): Promise<void> {
  await tx.query({
    name: 'write-share-settings',
    text: `
      insert into landfall.share_settings as t (
        account_id, name, accent_color, support_url, language, embed_origins, shows, days_after_close,
        public_pages
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (account_id) do update set
        name = excluded.name, accent_color = excluded.accent_color, support_url = excluded.support_url,
        language = excluded.language, embed_origins = excluded.embed_origins, shows = excluded.shows,
        days_after_close = excluded.days_after_close, public_pages = excluded.public_pages, updated_at = now()`,
    values: [
      accountId,
      settings.name,
      settings.accentColor,
      settings.supportUrl,
      settings.language,
      settings.embedOrigins,
      settings.shows,
      settings.daysAfterClose,
      settings.publicPages,
    ],
  });
}

/** Null removes the logo. */
export async function writeShareLogo(tx: Tx, accountId: string, png: Uint8Array | null): Promise<void> {
  await tx.query({
    name: 'write-share-logo',
    text: `
      insert into landfall.share_settings (account_id, logo) values ($1, $2)
      on conflict (account_id) do update set logo = excluded.logo, updated_at = now()`,
    values: [accountId, png],
  });
}

export async function readShareLogo(tx: Tx, accountId: string): Promise<Buffer | null> {
  const rows = await readRows<{ logo: Buffer | null }>(tx, {
    name: 'read-share-logo',
    text: 'select logo from landfall.share_settings where account_id = $1',
    values: [accountId],
  });
  return rows[0]?.logo ?? null;
}
