/**
 * The host part of a URL for a listening address. A wildcard address is reachable as localhost, and IPv6 needs
 * brackets.
 */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
