import { z } from 'zod';
import { pageLanguages, type ShareSettings, shareParts } from '#shared/domain/shares/share.ts';
import { parseBody } from '../input/parse-body.ts';
import { plainText } from '../input/plain-text.ts';
import { shareExpiryDays } from './share-input.ts';

const maxOrigins = 20;

const httpsUrl = z
  .string()
  .trim()
  .max(500)
  .refine((text) => /^(https:\/\/|mailto:)./i.test(text) && URL.canParse(text), {
    error: 'must be an https or mailto address.',
    params: { code: 'invalid_url' },
  });
const origin = z
  .string()
  .trim()
  .max(300)
  .refine((text) => isOrigin(text), {
    error: 'must be the origin of a site, such as https://www.example.com.',
    params: { code: 'invalid_origin' },
  });

/** Appearance of shared pages, and default content of new links. */
export const wireShareSettings = z.strictObject({
  /** True when the operator allows shared pages. */
  enabled: z.boolean(),
  /** True: the account has public pages. */
  public_pages: z.boolean(),
  name: z.string().nullable(),
  accent_color: z.string().nullable(),
  support_url: z.string().nullable(),
  language: z.enum(pageLanguages),
  embed_origins: z.array(z.string()),
  shows: z.array(z.enum(shareParts)),
  expires_after_days: z.int(),
  has_logo: z.boolean(),
  /** The logo, a PNG, as a data address. */
  logo: z.string().nullable(),
});
export type WireShareSettings = z.infer<typeof wireShareSettings>;

export const updateShareSettingsBody = z.strictObject({
  public_pages: z.boolean().optional(),
  name: plainText({ max: 100 }).nullable().optional(),
  accent_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color such as #0b5fff.' })
    .nullable()
    .optional(),
  support_url: httpsUrl.nullable().optional(),
  language: z.enum(pageLanguages).optional(),
  embed_origins: z.array(origin).max(maxOrigins).optional(),
  shows: z.array(z.enum(shareParts)).max(shareParts.length).optional(),
  expires_after_days: shareExpiryDays.optional(),
});

type SettingsUpdate = Partial<Omit<ShareSettings, 'logoHash'>>;

/** Parses an untrusted body. Absent fields stay unchanged. Throws one LandfallError that names every mistake. */
export function parseShareSettingsBody(body: unknown): SettingsUpdate {
  const sent = parseBody(updateShareSettingsBody, body);
  return {
    ...(sent.public_pages === undefined ? {} : { publicPages: sent.public_pages }),
    ...(sent.name === undefined ? {} : { name: sent.name }),
    ...(sent.accent_color === undefined ? {} : { accentColor: sent.accent_color?.toLowerCase() ?? null }),
    ...(sent.support_url === undefined ? {} : { supportUrl: sent.support_url }),
    ...(sent.language === undefined ? {} : { language: sent.language }),
    ...(sent.embed_origins === undefined ? {} : { embedOrigins: [...new Set(sent.embed_origins.map(originOf))] }),
    ...(sent.shows === undefined ? {} : { shows: [...new Set(sent.shows)] }),
    ...(sent.expires_after_days === undefined ? {} : { daysAfterClose: sent.expires_after_days }),
  };
}

/** An image of at most 256 KiB, in base64. */
export const shareLogoBody = z.strictObject({
  media_type: z.enum(['image/png', 'image/svg+xml']),
  data: z.base64().min(1).max(349_528),
});

export function toWireShareSettings(
  settings: ShareSettings,
  { enabled, logo }: { enabled: boolean; logo: Uint8Array | null },
): WireShareSettings {
  return {
    enabled,
    public_pages: settings.publicPages,
    name: settings.name,
    accent_color: settings.accentColor,
    support_url: settings.supportUrl,
    language: settings.language,
    embed_origins: settings.embedOrigins,
    shows: settings.shows,
    expires_after_days: settings.daysAfterClose,
    has_logo: logo !== null,
    logo: logo === null ? null : `data:image/png;base64,${Buffer.from(logo).toString('base64')}`,
  };
}

/** Letters, digits, dots and hyphens: `;`, `,` and `*` are legal in a host, and would add to the policy of a page. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:\/\/[a-z0-9._-]+(:\d+)?$/.test(url.origin) &&
    (text === url.origin || text === `${url.origin}/`)
  );
}

/** A policy that allows a site is written without the slash. */
function originOf(text: string): string {
  return new URL(text).origin;
}
