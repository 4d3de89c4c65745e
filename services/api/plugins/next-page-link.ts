/** The `Link` header with the address of the next page: the request's own URL with `cursor`. Undefined on the last page. */
export function nextPageLink(url: string, cursor: string | null): { link: string } | undefined {
  if (cursor === null) return undefined;
  // Only the first question mark separates; a query may contain more.
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return { link: `<${path}?${parameters}>; rel="next"` };
}
