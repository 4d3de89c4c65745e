import { isIP, type LookupFunction } from 'node:net';
import { isInRanges, isLoopbackAddress, isPublicAddress, rangesOf } from './public-address.ts';
import { type ResolveName, resolveName } from './resolve-name.ts';

export type AddressGuardOptions = {
  /** `WEBHOOK_ALLOW_HTTP`. */
  allowHttp: boolean;
  /** `WEBHOOK_ALLOWED_NETWORKS`. */
  allowedNetworks: readonly string[];
  /**
   * Endpoints of test mode may lead to the machine itself. Only where nobody else reaches the installation: its clients
   * could otherwise reach what else runs there.
   */
  loopbackInTests: boolean;
  /** `WEBHOOK_PROXY` is set: the proxy resolves the names, and the guard checks only what the URL states. */
  proxied: boolean;
  /** Only tests set it. */
  resolve?: ResolveName;
};

/** `test`: the URL is one of test mode, which may have a receiver on the machine itself. */
export type AddressUse = { test: boolean };

export type AddressRefusal = {
  code: 'invalid_url' | 'address_forbidden' | 'dns_failed';
  /** For the client, in sentences. */
  detail: string;
};

/** Refuses URLs of clients that lead into private networks, when they are set and again at each connection. */
export type AddressGuard = {
  /** Checks what the URL itself states, in any spelling. Returns the canonical URL, to which requests must go. */
  checkUrl: (text: string, use: AddressUse) => URL | AddressRefusal;
  /** Checks the URL and all addresses of its host. Null: it is accepted. */
  check: (text: string, use: AddressUse) => Promise<AddressRefusal | null>;
  /** Resolves for `net.connect`: it connects to no other address than those that are checked here. */
  lookup: (use: AddressUse) => LookupFunction;
  /** Checks a host that is an IP address, for which `net.connect` asks no lookup. */
  checkAddress: (address: string, use: AddressUse) => AddressRefusal | null;
};

/** The refusal of a connection. */
export class AddressRefused extends Error {
  readonly code: AddressRefusal['code'];

  constructor(refusal: AddressRefusal) {
    super(refusal.detail);
    this.name = 'AddressRefused';
    this.code = refusal.code;
  }
}

const localName = /^(localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)$|\.localhost$/;
/** Names that are never in the public DNS (RFC 6762, RFC 8375, ICANN's reserved `internal`), or have one label. */
const privateName = /^[^.]+$|\.(local|internal|localdomain|home\.arpa|lan|intranet|corp|home)$/;

export function openAddressGuard(options: AddressGuardOptions): AddressGuard {
  const { allowHttp, loopbackInTests, proxied, resolve = resolveName } = options;
  const allowed = rangesOf(options.allowedNetworks);

  const isAllowed = (address: string, { test }: AddressUse): boolean =>
    isPublicAddress(address) || isInRanges(allowed, address) || (test && loopbackInTests && isLoopbackAddress(address));

  const checkAddress = (address: string, use: AddressUse): AddressRefusal | null =>
    isAllowed(address, use) ? null : forbidden(`${address} is not a public address.`);

  const checkHost = (host: string, use: AddressUse): AddressRefusal | null => {
    if (isIP(host) !== 0) return checkAddress(host, use);
    const isLocal = localName.test(host);
    if (isLocal && !isAllowed('127.0.0.1', use)) return forbidden(`${host} is the machine itself.`);
    if (proxied && !isLocal && privateName.test(host)) return forbidden(`${host} is not a public name.`);
    return null;
  };

  const checkUrl = (text: string, use: AddressUse): URL | AddressRefusal => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null) return invalid('The URL is not valid. Use an absolute URL that begins with https://.');
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalid('The URL must begin with https://.');
    if (url.username !== '' || url.password !== '')
      return invalid('The URL must not contain a user name or a password. Send them in a header.');
    url.hash = '';
    const host = hostOf(url);
    const isOnMachine = isIP(host) === 0 ? localName.test(host) : isLoopbackAddress(host);
    const mayBeOnMachine = use.test && loopbackInTests;
    if (url.protocol === 'http:' && !allowHttp && !(mayBeOnMachine && isOnMachine))
      return invalid(
        mayBeOnMachine
          ? 'The URL must begin with https://. Plain HTTP is accepted only for a receiver on the machine itself.'
          : 'The URL must begin with https://.',
      );
    return checkHost(host, use) ?? url;
  };

  /** All addresses of a name. Throws the refusal if one of them is forbidden: none of them is trusted then. */
  const resolveChecked = async (name: string, use: AddressUse): Promise<string[]> => {
    const addresses = await resolve(name).catch(() => []);
    if (addresses.length === 0)
      throw new AddressRefused({ code: 'dns_failed', detail: `${name} could not be resolved.` });
    if (addresses.every((address) => isAllowed(address, use))) return addresses;
    // The address stays unsent: it would show clients the inner network.
    throw new AddressRefused(forbidden(`${name} resolves to an address that is not public.`));
  };

  return {
    checkUrl,
    checkAddress,
    check: async (text, use) => {
      const url = checkUrl(text, use);
      if (!(url instanceof URL)) return url;
      const host = hostOf(url);
      if (proxied || isIP(host) !== 0) return null;
      try {
        await resolveChecked(host, use);
        return null;
      } catch (error) {
        if (!(error instanceof AddressRefused)) throw error;
        return { code: error.code, detail: error.message };
      }
    },
    lookup:
      (use) =>
      (name, { all, family }, callback) => {
        resolveChecked(withoutDot(name), use).then(
          (checked) => {
            const wanted = checked.filter((address) => !family || isIP(address) === familyOf(family));
            const found = (wanted.length > 0 ? wanted : checked).map((address) => ({ address, family: isIP(address) }));
            const [first] = found;
            if (all) callback(null, found);
            else callback(null, first?.address ?? '', first?.family);
          },
          (error: NodeJS.ErrnoException) => callback(error, []),
        );
      },
  };
}

function forbidden(why: string): AddressRefusal {
  return { code: 'address_forbidden', detail: `${why} Webhooks are sent only to public addresses.` };
}

function invalid(detail: string): AddressRefusal {
  return { code: 'invalid_url', detail };
}

/** The parser has resolved every spelling of an IPv4 address, full-width digits and letters by then. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : withoutDot(hostname);
}

function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function familyOf(family: number | string): number {
  return family === 'IPv6' || family === 6 ? 6 : 4;
}
