import { callCarrier, unexpectedStatus } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, CarrierSettings } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import type { OauthRequest } from '../oauth-sign-in.ts';
import { clientAssertion } from './client-assertion.ts';
import type { DcsaAuth, DcsaDialect } from './dialect.ts';

const maxPages = 20;

/** One query to the carrier: parameters and their values. */
export type Query = Readonly<Record<string, string>>;

/**
 * `holdsMs`: how long the carrier allows the response to be reused. Null when it doesn't state it. `partial`: why pages
 * are missing. Null when none is.
 */
export type Pages = {
  responses: CarrierResponse[];
  httpStatus: number;
  holdsMs: number | null;
  partial: string | null;
};

export async function fetchPages(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  ask: { query: Query; signal: AbortSignal },
): Promise<Pages> {
  const first = new URL(`${ctx.settings.baseUrl}${dialect.eventsPath}`);
  for (const [name, value] of Object.entries({ ...ask.query, ...dialect.parameters })) {
    const values = typeof value === 'string' ? [value] : dialect.listStyle === 'exploded' ? value : [value.join(',')];
    for (const each of values) first.searchParams.append(name, each);
  }
  const { headers, oauth } = signInOf(ctx, dialect);
  const responses: CarrierResponse[] = [];
  const visited = new Set<string>();
  let url: URL | null = first;
  let httpStatus = 200;
  let holds: number | null = null;
  let partial: string | null = null;
  while (url !== null) {
    if (visited.size >= maxPages) partial = `the list has more than ${maxPages} pages`;
    // A last page may link to itself. Otherwise a repeated address means that the cursors loop.
    else if (visited.has(url.href) && isRepeated(responses)) partial = 'the pages of the list repeat themselves';
    if (partial !== null || visited.has(url.href)) break;
    const response: CarrierResponse = await callCarrier(ctx, {
      url: url.href,
      headers: () => ({ 'API-Version': '2', ...headers }),
      oauth,
      owed: visited.size > 0,
      signal: ask.signal,
    });
    visited.add(url.href);
    httpStatus = response.status;
    holds ??= holdsMs(response.headers);
    if (response.status === 404 && responses.length > 0) partial = `page ${visited.size} of the list is missing (404)`;
    if (response.status === 404 || response.status === 204) break;
    if (response.status !== 200 && response.status !== 206) throw unexpectedStatus(ctx, response);
    responses.push(response);
    const next: URL | 'refused' | null = dialect.paging === 'cursor' ? nextPageOf(response.headers, url, first) : null;
    if (next === 'refused') partial = "the next page of the list is not at the carrier's own address";
    url = next === 'refused' ? null : next;
  }
  return { responses, httpStatus, holdsMs: holds, partial };
}

/** True when the last page has been read before. */
function isRepeated(responses: readonly CarrierResponse[]): boolean {
  const last = responses.at(-1);
  return responses.slice(0, -1).some(({ text }) => text === last?.text);
}

/**
 * The address of the next page, or null after the last. Supports `Next-Page-Cursor`, `Next-Page` as an absolute or
 * relative link or a bare cursor, and `Link; rel=next`. A link to another origin is refused. Parameters of `first` that
 * a link omits are added.
 */
function nextPageOf(headers: Headers, current: URL, first: URL): URL | 'refused' | null {
  const cursor = headers.get('next-page-cursor')?.trim();
  if (cursor) return withCursor(first, cursor);
  const nextPage = headers.get('next-page')?.trim();
  if (nextPage) return isLink(nextPage) ? followed(nextPage, current, first) : withCursor(first, nextPage);
  const link = nextLink(headers.get('link'));
  return link === null ? null : followed(link, current, first);
}

function withCursor(first: URL, cursor: string): URL {
  const next = new URL(first);
  next.searchParams.set('cursor', cursor);
  return next;
}

/** Base64 cursors may contain `/`, but never `?` or `://`. */
function isLink(text: string): boolean {
  return text.includes('?') || text.includes('://');
}

function followed(link: string, current: URL, first: URL): URL | 'refused' {
  if (!URL.canParse(link, current.href)) return 'refused';
  const next = new URL(link, current);
  if (next.origin !== first.origin || next.username !== '' || next.password !== '') return 'refused';
  for (const [name, value] of first.searchParams) if (!next.searchParams.has(name)) next.searchParams.set(name, value);
  return next;
}

function nextLink(header: string | null): string | null {
  for (const [, target, parameters] of header?.matchAll(/<([^>]*)>([^<]*)/g) ?? []) {
    if (target && /;\s*rel\s*=\s*"?[^";]*\bnext\b/i.test(parameters ?? '')) return target;
  }
  return null;
}

/**
 * Returns the time in milliseconds for which `Cache-Control` allows the response to be reused. Null when the header
 * doesn't state it.
 */
function holdsMs(headers: Headers): number | null {
  const control = headers.get('cache-control')?.toLowerCase() ?? '';
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds) * 1000, 86_400_000);
}

/**
 * Returns the authentication of a call to the line: its headers and its source of bearer tokens. Throws `FetchFailure`
 * when the credentials are incomplete.
 */
export function signInOf(
  ctx: CarrierContext,
  dialect: DcsaDialect,
): { headers: Record<string, string>; oauth: OauthRequest | null } {
  const { settings } = ctx;
  const auth = chooseAuth(dialect, settings);
  const headers = auth.headers?.(settings) ?? {};
  return { headers, oauth: oauthOf(ctx, auth, headers) };
}

function oauthOf(ctx: CarrierContext, auth: DcsaAuth, headers: Record<string, string>): OauthRequest | null {
  if (auth.kind === 'oauth2') {
    const scope = ctx.settings.scope ?? auth.scope;
    const { credentialsIn, grantIn = 'body' } = auth;
    return { credentialsIn, grantIn, headers, form: scope ? { scope } : {} };
  }
  return auth.kind === 'headers'
    ? null
    : { credentialsIn: 'none', headers, form: () => clientAssertion(ctx.settings, ctx.now()) };
}

function chooseAuth({ auth: ways }: DcsaDialect, settings: CarrierSettings): DcsaAuth {
  const missingOf = ({ needs }: DcsaAuth) => needs.filter((name) => settings[name] === null);
  const chosen = ways.find((way) => missingOf(way).length === 0);
  if (chosen) return chosen;
  const missing = ways.map((way) => missingOf(way).join(', ')).join(', or else ');
  throw new FetchFailure(
    'credentials_missing',
    `the credentials for this carrier are incomplete: ${missing} is not set`,
  );
}
