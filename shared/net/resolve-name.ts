import { lookup, Resolver } from 'node:dns/promises';

/** Returns every IPv4 and IPv6 address of a host name. Rejects if it has none or can't be resolved in time. */
export type ResolveName = (name: string) => Promise<string[]>;

const timeoutMs = 2000;

/**
 * Asks the DNS servers without the threads that file access shares, because a name whose servers never respond would
 * hold one of them for many seconds. The operating system is asked only for names that DNS doesn't know, such as those
 * in `/etc/hosts`.
 */
export const resolveName: ResolveName = async (name) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length > 0) return addresses;
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (!failures.every(isUnknownName)) throw failures[0];
  return (await lookup(name, { all: true })).map(({ address }) => address);
};

/** No such name, or none with such an address. Refused: no DNS server is configured at all. */
function isUnknownName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ENOTFOUND|ENODATA|ECONNREFUSED)$/.test(String(error.code));
}
