/** The rate limit that a request counts against. */
export const limitClasses = ['read', 'write', 'batch', 'mcp'] as const;
export type LimitClass = (typeof limitClasses)[number];

/** Requests per minute and key. */
export type Limits = Record<LimitClass, number>;

/** The limits of accounts without limits of their own. */
export const defaultLimits: Limits = { read: 6000, write: 3000, batch: 120, mcp: 600 };

/** Failed sign-ins per minute from one address before further ones are refused unchecked. */
export const failedSignInsPerMinute = 20;

/** The account's own limits, with defaults for the rest. */
export function limitsOf(own: Partial<Limits>): Limits {
  return { ...defaultLimits, ...own };
}

/**
 * The address whose failed sign-ins are counted together: an IPv4 address, or the /64 network of an IPv6 one, since a
 * single line has all of it.
 */
export function signInNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}
