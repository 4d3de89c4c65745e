import { hash } from 'node:crypto';

/** A strong ETag of the content. */
export function entityTag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** The ETag of the same content under a content coding: other bytes need another strong ETag (RFC 9110, 8.8.3). */
export function taggedFor(tag: string, coding: string): string {
  return tag.replace(/"$/, `.${coding}"`);
}

/** No tag of ours contains a dot. */
function withoutCoding(tag: string): string {
  return tag.replace(/\.(?:br|gzip)"$/, '"');
}

/** True when `If-Match` contains the tag, by strong comparison (RFC 9110, 13.1.1). */
export function holdsTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => withoutCoding(candidate.trim()) === tag);
}

/** True when `If-None-Match` contains the tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => withoutCoding(candidate.trim().replace(/^W\//, '')) === tag);
}

/**
 * The `Link` header with the address of the next page: the request's own URL with `cursor`. Undefined on the last page.
 */
export function nextPageLink(url: string, cursor: string | null): { link: string } | undefined {
  if (cursor === null) return undefined;
  // Only the first question mark separates; a query may contain more.
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return { link: `<${path}?${parameters}>; rel="next"` };
}
