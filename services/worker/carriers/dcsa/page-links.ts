/**
 * The address of the next page, or null after the last. Supports `Next-Page-Cursor`, `Next-Page` as an absolute or
 * relative link or a bare cursor, and `Link; rel=next`. A link to another origin is not followed. Parameters of `first`
 * that a link omits are added.
 */
export function nextPageOf(headers: Headers, current: URL, first: URL): URL | null {
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

function followed(link: string, current: URL, first: URL): URL | null {
  if (!URL.canParse(link, current.href)) return null;
  const next = new URL(link, current);
  if (next.origin !== first.origin || next.username !== '' || next.password !== '') return null;
  for (const [name, value] of first.searchParams) if (!next.searchParams.has(name)) next.searchParams.set(name, value);
  return next;
}

function nextLink(header: string | null): string | null {
  for (const [, target, parameters] of header?.matchAll(/<([^>]*)>([^<]*)/g) ?? []) {
    if (target && /;\s*rel\s*=\s*"?[^";]*\bnext\b/i.test(parameters ?? '')) return target;
  }
  return null;
}
