import {
  defaultShareSettings,
  type PageLanguage,
  type SharePart,
  type ShareSettings,
} from '#shared/domain/shares/share.ts';
import type { Tx } from '../with-account.ts';

export type SettingsRow = {
  name: string | null;
  accent_color: string | null;
  support_url: string | null;
  language: PageLanguage;
  embed_origins: string[];
  shows: SharePart[];
  days_after_close: number;
  logo_hash: string | null;
};

/** The account's settings, locked until the transaction ends if there is a row. */
export async function readShareSettings(tx: Tx, accountId: string): Promise<ShareSettings> {
  const { rows } = await tx.query<SettingsRow>({
    name: 'read-share-settings',
    text: `
      select name, accent_color, support_url, language, embed_origins, shows, days_after_close, logo_hash
      from landfall.share_settings where account_id = $1 for no key update`,
    values: [accountId],
  });
  return rows[0] === undefined ? defaultShareSettings : toSettings(rows[0]);
}

/** Writes everything but the logo. */
export async function writeShareSettings(tx: Tx, accountId: string, settings: ShareSettings): Promise<void> {
  await tx.query({
    name: 'write-share-settings',
    text: `
      insert into landfall.share_settings as t (
        account_id, name, accent_color, support_url, language, embed_origins, shows, days_after_close
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (account_id) do update set
        name = excluded.name, accent_color = excluded.accent_color, support_url = excluded.support_url,
        language = excluded.language, embed_origins = excluded.embed_origins, shows = excluded.shows,
        days_after_close = excluded.days_after_close, updated_at = now()`,
    values: [
      accountId,
      settings.name,
      settings.accentColor,
      settings.supportUrl,
      settings.language,
      settings.embedOrigins,
      settings.shows,
      settings.daysAfterClose,
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
  const { rows } = await tx.query<{ logo: Buffer | null }>({
    name: 'read-share-logo',
    text: 'select logo from landfall.share_settings where account_id = $1',
    values: [accountId],
  });
  return rows[0]?.logo ?? null;
}

export function toSettings(row: SettingsRow): ShareSettings {
  return {
    name: row.name,
    accentColor: row.accent_color,
    supportUrl: row.support_url,
    language: row.language,
    embedOrigins: row.embed_origins,
    shows: row.shows,
    daysAfterClose: row.days_after_close,
    logoHash: row.logo_hash,
  };
}
