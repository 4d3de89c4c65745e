/** Host names of this machine, as in a `Host` header or an origin. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Checks a `Host` header against names without port, in lower case. An IP address is always right: a website that
 * rebinds its own name to this server's address (DNS rebinding) sends its name, and probes of orchestrators send the
 * address.
 */
export function hostCheck(names: readonly string[]): (header: string | undefined) => boolean {
  const allowed = new Set([...loopbackHosts, ...names.map((name) => name.toLowerCase())]);
  return (header) => {
    const name = hostNameOf(header ?? '');
    return name !== null && (allowed.has(name) || /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(name));
  };
}

/** The name in a `Host` header; null for anything else, such as a name with a user before it. */
export function hostNameOf(header: string): string | null {
  const address = `http://${header}`;
  return !/[@/?#\\]/.test(header) && URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null;
}
