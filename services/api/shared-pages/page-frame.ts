import { hash } from 'node:crypto';
import { type PageLanguage, pageLanguages, type ShareSettings } from '#shared/domain/shares/share.ts';
import { visibleOn } from './brand-color.ts';
import { html, isolated, Markup } from './markup.ts';
import { darkBackground, lightBackground, pageStyle } from './page-style.ts';
import type { PageWords } from './words/page-words.ts';
import { wordsOf } from './words/words-of.ts';

/** A page and the policy under which a browser shows it. */
export type RenderedPage = { text: string; contentSecurityPolicy: string };

export type Brand = Pick<ShareSettings, 'name' | 'accentColor' | 'supportUrl'> & {
  /** Address of the logo. Null: none. */
  logo: string | null;
};

export const noBrand: Brand = { name: null, accentColor: null, supportUrl: null, logo: null };

export type PageFrame = {
  language: PageLanguage;
  title: string;
  description: string;
  brand: Brand;
  /** Path of the page, for its links. Null: there is no page, so it has none. */
  path: string | null;
  /** Absolute address of the page's picture. Null: none. */
  picture: string | null;
  /** In a frame of another site: without the head and the list of languages. */
  isEmbedded: boolean;
  /** Sites that may show the page in a frame. */
  frameAncestors: readonly string[];
  /** Rules for this page alone. */
  style?: string;
};

/** The account's color, so that it is seen on a light and on a dark page. */
function brandStyle(color: string | null): string {
  if (color === null) return ':root{--brand:var(--accent)}';
  const [onLight, onDark] = [visibleOn(lightBackground, color), visibleOn(darkBackground, color)];
  return `:root{--brand:${onLight}}@media(prefers-color-scheme:dark){:root{--brand:${onDark}}}`;
}

/** A page around its main part. Nothing in it runs, and it loads nothing but the account's logo. */
export function framePage(frame: PageFrame, main: Markup): RenderedPage {
  const { language, brand, path, picture } = frame;
  const words = wordsOf[language];
  const style = `${pageStyle}${brandStyle(brand.accentColor)}${frame.style ?? ''}`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${frame.title}</title>
<meta name="description" content="${frame.description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${frame.title}">
<meta property="og:description" content="${frame.description}">
${picture === null ? null : html`<meta property="og:image" content="${picture}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta name="twitter:card" content="summary_large_image">`}
<link rel="icon" href="${brand.logo ?? '/landfall.svg'}">
<style>${new Markup(style)}</style>
</head>
<body>
${frame.isEmbedded ? null : headOf(brand)}
<main>${main}</main>
${frame.isEmbedded ? openPage(path, words) : footOf(frame, words)}
</body>
</html>
`;
  return { text: page.text, contentSecurityPolicy: policyOf(style, frame) };
}

function headOf({ name, logo }: Brand): Markup {
  const nameOfBrand = name === null ? null : html`<p>${isolated(name)}</p>`;
  const picture = logo === null ? null : html`<img src="${logo}" alt="${name ?? ''}">`;
  const isBare = picture === null && nameOfBrand === null;
  return html`<div class="bar"></div>${isBare ? null : html`<header>${picture ?? nameOfBrand}</header>`}`;
}

function footOf({ brand, path, language }: PageFrame, words: PageWords): Markup {
  const support =
    brand.supportUrl === null
      ? null
      : html`<p><a href="${brand.supportUrl}" rel="noopener noreferrer">${words.support}</a></p>`;
  const links = pageLanguages.map((one) =>
    one === language
      ? html`<li><a href="${path ?? ''}?lang=${one}" lang="${one}" aria-current="true">${wordsOf[one].language}</a></li>`
      : html`<li><a href="${path ?? ''}?lang=${one}" lang="${one}" hreflang="${one}">${wordsOf[one].language}</a></li>`,
  );
  const languages = html`<nav aria-label="${words.languages}"><ul>${links}</ul></nav>`;
  return html`<footer>${support}${path === null ? null : languages}</footer>`;
}

function openPage(path: string | null, words: PageWords): Markup | null {
  return path === null
    ? null
    : html`<footer><a href="${path}" target="_blank" rel="noopener">${words.openPage}</a></footer>`;
}

function policyOf(style: string, { frameAncestors }: PageFrame): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "img-src 'self'",
    // The page makes no connections itself. Auditors such as Lighthouse read /robots.txt in its name.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ');
}
