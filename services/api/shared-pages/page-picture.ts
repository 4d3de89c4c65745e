import type { SharedView } from '#shared/contract/shares/shared-view.ts';
import type { PageLanguage } from '#shared/domain/shares/share.ts';
import type { Fit } from './draw.ts';
import { html, type Markup } from './markup.ts';
import type { PageMap } from './page-map.ts';
import { formatsOf } from './page-times.ts';
import { wordsOf } from './words/words-of.ts';

/** Size of the picture that chats and social networks show for a link (Open Graph). */
export const pictureSize = { width: 1200, height: 630 } as const;
export const pictureMapSize = { width: 1200, height: 396 } as const;

const maxChars = 44;

/** Inter has no Chinese and Japanese letters. */
function pictureLanguage(language: PageLanguage): PageLanguage {
  return language === 'zh' || language === 'ja' ? 'en' : language;
}

export const pictureFit: Fit = { mode: 'width', value: pictureSize.width };

/** The status, the ends of the route and the expected arrival, over the map. Null: a page with a password. */
export function pictureOf(
  shown: { view: SharedView; map: PageMap | null } | null,
  { language, accentColor, name }: { language: PageLanguage; accentColor: string | null; name: string | null },
): string {
  const accent = accentColor ?? '#2456d3';
  const words = wordsOf[pictureLanguage(language)];
  const title = shown === null ? words.title : words.statuses[shown.view.status];
  const { width, height } = pictureSize;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Inter">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${shown?.map == null ? null : mapOf(shown.map, accent)}
<rect width="${width}" height="12" fill="${accent}"/>
<text x="64" y="104" font-size="56" font-weight="600" fill="#15181c">${title}</text>
${shown === null ? null : linesOf(shown.view, pictureLanguage(language))}
${name === null ? null : html`<text x="${width - 64}" y="104" font-size="30" fill="#4f565f" text-anchor="end">${drawable(name, 28)}</text>`}
</svg>`;
  return svg.text;
}

function linesOf(view: SharedView, language: PageLanguage): Markup {
  const formats = formatsOf(language);
  const words = wordsOf[language];
  const ends = [view.origin, view.destination].flatMap((place) => {
    const name = place === null ? '' : drawable(place.name, maxChars / 2) || (place.code ?? '');
    return name === '' ? [] : [name];
  });
  const end = view.end === null ? words.noEstimate : `${endWords(view.end, words)}: ${formats.moment(view.end.time)}`;
  return html`<text x="64" y="156" font-size="32" fill="#15181c">${ends.join(' → ')}</text><text x="64" y="200" font-size="28" fill="#4f565f">${end}</text>`;
}

function endWords({ kind, isActual }: NonNullable<SharedView['end']>, words: (typeof wordsOf)[PageLanguage]): string {
  if (isActual) return kind === 'delivery' ? words.delivered : words.arrived;
  return kind === 'delivery' ? words.expectedDelivery : words.expectedArrival;
}

function mapOf(map: PageMap, accent: string): Markup {
  const way = (d: string, dash: string) =>
    html`<path d="${d}" fill="none" stroke="${accent}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray="${dash}"/>`;
  return html`<clipPath id="map"><rect width="${map.width}" height="${map.height}"/></clipPath><g transform="translate(0 ${pictureSize.height - map.height})" clip-path="url(#map)"><rect width="${map.width}" height="${map.height}" fill="#f4f6f8"/><path d="${map.land}" fill="#dfe3e8"/>
${map.done.map((d) => way(d, 'none'))}${map.ahead.map((d) => way(d, '2 10'))}
${map.ports.map(({ x, y, isAhead }) => html`<circle cx="${x}" cy="${y}" r="9" fill="${isAhead ? '#ffffff' : accent}" stroke="${isAhead ? accent : '#ffffff'}" stroke-width="3"/>`)}
${map.position === null ? null : html`<circle cx="${map.position.x}" cy="${map.position.y}" r="14" fill="#ffffff" stroke="${accent}" stroke-width="4"/>`}</g>`;
}

/** Without letters that Inter lacks, cut to fit. */
function drawable(text: string, max: number): string {
  const letters = [
    ...text.replace(/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{Zs}+]/gu, '').trim(),
  ];
  return letters.length <= max ? letters.join('') : `${letters.slice(0, max - 1).join('')}…`;
}
