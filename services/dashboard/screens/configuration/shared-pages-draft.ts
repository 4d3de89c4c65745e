import type { InputOf } from '#shared/contract/operations.ts';
import type { WireShareSettings } from '#shared/contract/shares/share-settings-wire.ts';
import type { PageLanguage, SharePart } from '#shared/domain/shares/share.ts';

/** The fields of the form as they are typed. */
export type SettingsDraft = {
  publicPages: boolean;
  name: string;
  accentColor: string;
  supportUrl: string;
  language: PageLanguage;
  embedOrigins: string;
  shows: readonly SharePart[];
  expiresAfterDays: number;
};

export function settingsDraft(settings: WireShareSettings): SettingsDraft {
  return {
    publicPages: settings.public_pages,
    name: settings.name ?? '',
    accentColor: settings.accent_color ?? '',
    supportUrl: settings.support_url ?? '',
    language: settings.language,
    embedOrigins: settings.embed_origins.join(', '),
    shows: settings.shows,
    expiresAfterDays: settings.expires_after_days,
  };
}

type SettingsChanges = Partial<Omit<WireShareSettings, 'enabled' | 'has_logo' | 'logo'>>;

/** The fields that differ from what is stored. */
export function settingsChanges(draft: SettingsDraft, stored: WireShareSettings): SettingsChanges {
  const wanted: Required<SettingsChanges> = {
    public_pages: draft.publicPages,
    name: textOrNull(draft.name),
    accent_color: textOrNull(draft.accentColor)?.toLowerCase() ?? null,
    support_url: textOrNull(draft.supportUrl),
    language: draft.language,
    embed_origins: draft.embedOrigins
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
    shows: [...draft.shows],
    expires_after_days: draft.expiresAfterDays,
  };
  const names = Object.keys(wanted) as (keyof SettingsChanges)[];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(stored[name]))
      .map((name) => [name, wanted[name]]),
  );
}

/** A chosen file as the API takes it. A browser names the type by the file's ending; the API looks at the bytes. */
export async function logoOf(file: File): Promise<InputOf<'setShareLogo'>['body']> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { media_type: file.type === 'image/svg+xml' ? 'image/svg+xml' : 'image/png', data: btoa(binary) };
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
