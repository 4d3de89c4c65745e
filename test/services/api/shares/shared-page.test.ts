import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '#services/api/shared-pages/markup.ts';
import { passwordPage } from '#services/api/shared-pages/notice-pages.ts';
import { framePage, noBrand } from '#services/api/shared-pages/page-frame.ts';
import { pageMapOf } from '#services/api/shared-pages/page-map.ts';
import { formatsOf } from '#services/api/shared-pages/page-times.ts';
import { shipmentPage } from '#services/api/shared-pages/shipment-page.ts';
import { wordsOf } from '#services/api/shared-pages/words/words-of.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { toWireShipment } from '#shared/contract/record/shipment-wire.ts';
import { milestoneCodes, sharedViewOf } from '#shared/contract/shares/shared-view.ts';
import { type PageLanguage, pageLanguages, type SharePart, shareParts } from '#shared/domain/shares/share.ts';
import { fullShipment } from '#test/support/full-shipment.ts';

const record = toWireShipment({
  ...fullShipment,
  tags: ['acme'],
  metadata: { buyer: 'acme' },
  manualFreeDays: [],
  assignee: { userId: '01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7e', name: 'Anna Berg' },
  notesCount: 7,
});

const frameOf = (language: PageLanguage) => ({
  language,
  brand: noBrand,
  path: '/t/token',
  picture: null,
  isEmbedded: false,
  frameAncestors: [],
});

const render = (shown: WireShipment, shows: readonly SharePart[], language: PageLanguage = 'en') =>
  shipmentPage(sharedViewOf(shown, shows), pageMapOf(shown, { width: 680, height: 340 }), frameOf(language)).text;

/** Every text of a record in turn becomes a marker. Returns the paths of those that reach the page. */
function shownPaths(shows: readonly SharePart[]): string[] {
  const paths: string[] = [];
  const walk = (value: unknown, path: string[]): void => {
    if (typeof value === 'string') {
      if (render(replaced(record, path, 'mArKeR77'), shows).includes('mArKeR77')) paths.push(patternOf(path));
    } else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
  };
  // Codes and times are no texts of the account's, and a page cannot be made of a time that is none.
  const { transport_mode: _mode, status: _status, ...texts } = record;
  walk(withoutTimes(texts), []);
  return [...new Set(paths)].sort();
}

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value === 'string') return /^\d{4}-\d{2}-\d{2}/.test(value) ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === 'precision' ? null : withoutTimes(inner)]),
  );
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: string): WireShipment {
  if (name === undefined) return by as unknown as WireShipment;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = replaced(copy[name], rest, by);
  return copy as unknown as WireShipment;
}

const patternOf = (path: readonly string[]) => path.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.');

const ofJourney = [
  'destination.name',
  'events.*.location.name',
  'origin.name',
  // Of places alone, whose names come from the carrier or from UN/LOCODE.
];
const byPart: Readonly<Record<SharePart, readonly string[]>> = {
  identifiers: ['identifiers.tracking_number', 'pieces.*.tracking_number'],
  carrier: ['carrier_name'],
  reference: ['references.*'],
  tags: ['tags.*'],
  metadata: ['metadata.buyer'],
};

describe('a page', () => {
  it('shows no field of the record but the names of places, unless the owner chose it', () => {
    expect(shownPaths([])).toEqual(ofJourney);
    for (const part of shareParts) expect(shownPaths([part])).toEqual([...ofJourney, ...byPart[part]].sort());
  });

  it('turns every text of strangers into text', () => {
    const hostile = fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onload='alert(1)",
      '</style><script>',
      '&lt;b&gt;',
      '\u202eevil',
      'نص عربي',
    );
    fc.assert(
      fc.property(hostile, fc.constantFrom(...pageLanguages), (text, language) => {
        const place = { ...record.origin, name: text } as WireShipment['origin'];
        const shown = {
          ...record,
          origin: place,
          destination: place,
          reference: text,
          tags: [text],
          metadata: { [text]: text },
        };
        const page = render(shown, shareParts, language);
        expect(page.match(/<script|<img|<b>&lt;|" on|' on/g)).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it('isolates right-to-left text from the text around it', () => {
    const page = render({ ...record, origin: { ...record.origin, name: 'ميناء جدة' } as WireShipment['origin'] }, []);
    expect(page).toContain('<bdi>ميناء جدة</bdi>');
  });

  it('has at most 30 KB with a map and 40 milestones', () => {
    const [first] = record.events;
    const located = (name: string, lat: number, lng: number) => ({ ...record.origin, name, unlocode: null, lat, lng });
    const long = {
      ...record,
      origin: located('Shanghai', 31.2, 121.5),
      destination: located('Rotterdam', 51.9, 4.1),
      legs: [],
      latest_event: null,
      events: Array.from({ length: 50 }, (_, index) => ({
        ...first,
        code: milestoneCodes[index % milestoneCodes.length],
        location: located(`A place with a long name ${index}`, 1, 1),
      })),
    } as unknown as WireShipment;
    const page = render(long, shareParts);
    expect(page).toContain('class="land"');
    expect(Buffer.byteLength(page)).toBeLessThan(30_000);
  });

  it('forbids all sources that it does not use', () => {
    const { contentSecurityPolicy } = framePage({ ...frameOf('en'), title: 't', description: 'd' }, html`<p>x</p>`);
    expect(contentSecurityPolicy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
  });
});

it('asks for the password in a window of its own when another site embeds it', () => {
  const formOf = (isEmbedded: boolean) =>
    /<form[^>]*>/.exec(passwordPage({ ...frameOf('en'), isEmbedded }, { isWrong: false }).text)?.[0];
  expect(formOf(true)).toBe('<form method="post" action="/t/token?lang=en" target="_blank" rel="noopener">');
  expect(formOf(false)).toBe('<form method="post" action="/t/token?lang=en">');
});

describe('the languages', () => {
  it('have the same texts, and none twice by accident', () => {
    const leaves = (value: object): string[] =>
      Object.entries(value).flatMap(([name, inner]) =>
        typeof inner === 'string' ? [name] : leaves(inner).map((leaf) => `${name}.${leaf}`),
      );
    for (const language of pageLanguages) {
      const words = wordsOf[language];
      expect(leaves(words)).toEqual(leaves(wordsOf.en));
      for (const name of ['later', 'earlier'] as const) expect(words[name]).toContain('{span}');
      expect(words.updated).toContain('{time}');
      expect(words.mapOf).toMatch(/\{from\}.*\{to\}/);
      expect(Object.values(words.milestones).every((text) => text.trim() === text && text !== '')).toBe(true);
    }
  });

  it('write dates and plurals as their readers do', () => {
    const time = { local: '2026-03-04T18:05', precision: 'minute' };
    // French numbers have narrow spaces.
    const spans = (language: PageLanguage) =>
      [24, 48, 120].map((hours) => formatsOf(language).span(hours).replaceAll(/\s/g, ' '));
    expect(formatsOf('en').moment(time)).toBe('4 Mar 2026, 18:05');
    expect(formatsOf('de').moment(time)).toBe('04.03.2026, 18:05');
    expect(formatsOf('ja').moment(time)).toBe('2026/03/04 18:05');
    expect(formatsOf('pt').moment({ local: '2026-03-04', precision: 'date' })).toBe('4 de mar. de 2026');
    expect(spans('en')).toEqual(['24 hours', '2 days', '5 days']);
    expect(spans('de')).toEqual(['24 Stunden', '2 Tage', '5 Tage']);
    expect(spans('fr')).toEqual(['24 heures', '2 jours', '5 jours']);
    expect(formatsOf('en').span(1)).toBe('1 hour');
    expect(formatsOf('de').country('CN')).toBe('China');
    expect(formatsOf('es').country('DE')).toBe('Alemania');
    expect(formatsOf('en').country('??')).toBeNull();
  });
});
