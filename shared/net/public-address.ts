import { BlockList, isIP } from 'node:net';

/**
 * IPv4 ranges that are not on the public internet, from IANA's special-purpose registry. Those of AS112 and multicast
 * relays are left out of it, because they are public.
 */
const localRangesV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // A public address, at which Azure serves metadata to its own machines.
  '168.63.129.16/32',
];

/** Everything that is public in IPv6. It excludes mapped IPv4, NAT64, unique local, link-local and multicast. */
const publicRangeV6 = '2000::/3';

/** The ranges inside it that are not: protocol assignments with Teredo, documentation and 6to4. */
const localRangesV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const localV4 = rangesOf(localRangesV4);
const publicV6 = rangesOf([publicRangeV6]);
const localV6 = rangesOf(localRangesV6);
const loopbackV4 = rangesOf(['127.0.0.0/8']);

/** True for an IP address on the public internet. False for any other text, also for an address with a zone. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  if (family === null) return false;
  if (family === 'ipv4') return !localV4.check(address, family);
  return publicV6.check(address, family) && !localV6.check(address, family);
}

/** True for an IPv4 or IPv6 address of the machine itself, in their own forms. */
export function isLoopbackAddress(address: string): boolean {
  return familyOf(address) === 'ipv4' ? loopbackV4.check(address, 'ipv4') : address === '::1';
}

/** The ranges of `10.0.0.0/8`, `fd00::/8` or single addresses. Throws if one is neither. */
export function rangesOf(networks: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    if (family === null) throw new Error(`${network} is no network`);
    if (prefix === undefined) ranges.addAddress(address, family);
    else ranges.addSubnet(address, Number(prefix), family);
  }
  return ranges;
}

/** False for what is no IP address. Ranges of IPv4 contain the IPv6 addresses that are mapped to them. */
export function isInRanges(ranges: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== null && ranges.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}
