import type { SharedPlace, SharedTime } from '#shared/contract/shares/shared-view.ts';
import type { PageLanguage } from '#shared/domain/shares/share.ts';

/** Regions whose order of day and month a reader of the language expects. */
const locales: Readonly<Record<PageLanguage, string>> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  pt: 'pt-BR',
  nl: 'nl-NL',
  zh: 'zh-CN',
  ja: 'ja-JP',
};

/** Formats of one language. */
export type PageFormats = {
  /** With the time of day where the carrier gave one. The place's own clock, so that no zone shifts it. */
  moment: (time: SharedTime) => string;
  /** Of an ISO day. */
  day: (day: string) => string;
  /** An instant in UTC. */
  instant: (iso: string) => string;
  /** Whole days from two days on, else hours: `3 days`, `1 hour`. Positive. */
  span: (hours: number) => string;
  country: (code: string) => string | null;
};

/** Cached: an `Intl` format takes a millisecond to make. */
const formats = new Map<PageLanguage, PageFormats>();

export function formatsOf(language: PageLanguage): PageFormats {
  const known = formats.get(language) ?? makeFormats(locales[language]);
  formats.set(language, known);
  return known;
}

function makeFormats(locale: string): PageFormats {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  const unit = (name: 'day' | 'hour') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long', maximumFractionDigits: 0 });
  const [days, hours] = [unit('day'), unit('hour')];
  const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  return {
    moment: ({ local, precision }) =>
      precision === 'date' ? day.format(readLocal(local.slice(0, 10))) : minute.format(readLocal(local)),
    day: (text) => day.format(readLocal(text)),
    instant: (iso) => instant.format(new Date(iso)),
    span: (count) => (count >= 48 ? days.format(Math.round(count / 24)) : hours.format(Math.max(1, Math.round(count)))),
    country: (code) => {
      try {
        return regions.of(code) ?? null;
      } catch {
        return null;
      }
    },
  };
}

/** A local time without an offset as if it were UTC, where the formats read it. */
function readLocal(local: string): Date {
  return new Date(`${local.length === 10 ? `${local}T00:00` : local}Z`);
}

/** `Rotterdam, Netherlands`; the country alone is left out where the place's name is its name. */
export function placeWords(place: SharedPlace, { country }: PageFormats): { name: string; country: string | null } {
  const of = place.country === null ? null : country(place.country);
  return { name: place.name, country: of === place.name ? null : of };
}
