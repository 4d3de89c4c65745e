/** A dashboard page that a token opens. The token follows `#`, so browsers don't send it to servers. */
export function linkTo(page: 'claim' | 'reset', baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/$/, '')}/${page}#token=${token}`;
}
