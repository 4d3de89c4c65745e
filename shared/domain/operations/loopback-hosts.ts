/** Host names of this machine, as in a `Host` header or an origin. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
