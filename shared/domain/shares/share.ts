/** Parts that the owner of a share may add to the journey. Each is hidden unless it is chosen. */
export const shareParts = ['identifiers', 'carrier', 'reference', 'tags', 'metadata'] as const;
export type SharePart = (typeof shareParts)[number];

/** Languages of shared pages (BCP 47). */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'zh', 'ja'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

export const shareStates = ['active', 'expired', 'revoked'] as const;
export type ShareState = (typeof shareStates)[number];

/** Active shares of one shipment. */
export const maxShares = 20;
/** Days after the shipment has closed: it is delivered, returned, cancelled or failed. */
export const shareDays = { min: 1, max: 365, default: 30 } as const;
export const sharePasswordLength = { min: 6, max: 128 } as const;

/** A link to the public page of one shipment. `id` is a uuid, times are ISO UTC. The token of its link isn't stored. */
export type Share = {
  id: string;
  shipmentId: string;
  test: boolean;
  label: string | null;
  shows: SharePart[];
  hasPassword: boolean;
  /** Set by the client. Null: `daysAfterClose` decides. */
  fixedExpiry: string | null;
  daysAfterClose: number | null;
  /** Null: the shipment hasn't closed. */
  expiresAt: string | null;
  createdBy: string;
  createdAt: string;
  revokedAt: string | null;
  /** True when `expiresAt` has passed, by the database's clock. */
  hasExpired: boolean;
};

/** Appearance of an account's shared pages, and the default parts of a new share. */
export type ShareSettings = {
  /** False: no page of the account opens, and no link can be created. */
  publicPages: boolean;
  /** Shown at the top of the page. Null: no name. */
  name: string | null;
  /** `#rrggbb`. */
  accentColor: string | null;
  supportUrl: string | null;
  /** Of a reader whose browser prefers none of the languages. */
  language: PageLanguage;
  /** Origins of the sites that may embed a page. */
  embedOrigins: string[];
  shows: SharePart[];
  daysAfterClose: number;
  /** Hex SHA-256 of the logo, a PNG. Null: no logo. */
  logoHash: string | null;
};

export const defaultShareSettings: ShareSettings = {
  publicPages: true,
  name: null,
  accentColor: null,
  supportUrl: null,
  language: 'en',
  embedOrigins: [],
  shows: [],
  daysAfterClose: shareDays.default,
  logoHash: null,
};

/** A revoked share stays revoked, also past its expiry. */
export function shareStateOf({ revokedAt, hasExpired }: Pick<Share, 'revokedAt' | 'hasExpired'>): ShareState {
  if (revokedAt !== null) return 'revoked';
  return hasExpired ? 'expired' : 'active';
}

/** The first supported language of an `Accept-Language` header, by its weights (RFC 9110, 12.5.4). Null: none. */
export function preferredLanguage(header: string): PageLanguage | null {
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map((part, place) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { language: range.split('-', 1)[0] ?? '', weight: weight === undefined ? 1 : Number(weight) || 0, place };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.place - other.place);
  for (const { language } of wanted) {
    const known = pageLanguages.find((one) => one === language);
    if (known !== undefined) return known;
  }
  return null;
}
