import { createHmac } from 'node:crypto';

/**
 * The login of API and worker on a server that Landfall runs itself, from the address of its owner. The password is
 * derived from the owner's, so that nothing else must be stored, and doesn't reveal it.
 */
export function serviceUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  const password = createHmac('sha256', decodeURIComponent(url.password)).update('landfall_login').digest('base64url');
  url.username = 'landfall_login';
  url.password = password;
  return url.href;
}
