/** The secret of a link, from the fragment of its address (`#token=…`), which is in no request for the page and so in no log of one; null without one. */
export function linkTokenOf(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token');
  return token === null || token === '' ? null : token;
}
