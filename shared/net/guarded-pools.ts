import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { type AddressGuard, AddressRefused, type AddressUse } from './address-guard.ts';

export type GuardedPools = {
  /** The connections to one origin. Those of test mode are separate, because they may lead to the machine itself. */
  of: (origin: string, use: AddressUse) => Dispatcher;
  close: () => Promise<void>;
};

/** Origins with open connections. Beyond, those used least recently are closed once their requests are done. */
const maxOrigins = 512;
const connectTimeoutMs = 5000;
/** More than the longest timeout of an endpoint, whose requests have a deadline of their own. */
const silenceMs = 60_000;

const options = { headersTimeout: silenceMs, bodyTimeout: silenceMs, maxHeaderSize: 32_768 };

/** Keep-alive connections over HTTP/1.1 or HTTP/2, only to addresses that the guard accepts, or all through the proxy. */
export function openGuardedPools(guard: AddressGuard, proxyUrl: string | null): GuardedPools {
  if (proxyUrl !== null) {
    const proxy = new ProxyAgent({ uri: proxyUrl, proxyTunnel: true, connectTimeout: connectTimeoutMs, ...options });
    return { of: () => proxy, close: () => proxy.destroy() };
  }
  const connectors = { live: guardedConnector(guard, { test: false }), test: guardedConnector(guard, { test: true }) };
  const closing = new Set<Promise<void>>();
  const pools = new LRUCache<string, Pool>({
    max: maxOrigins,
    dispose: (pool) => {
      const closed = pool.close().finally(() => closing.delete(closed));
      closing.add(closed);
    },
  });
  return {
    of: (origin, { test }) => {
      const mode = test ? 'test' : 'live';
      const key = `${mode} ${origin}`;
      const known = pools.get(key);
      if (known !== undefined) return known;
      const pool = new Pool(origin, { connect: connectors[mode], allowH2: true, ...options });
      pools.set(key, pool);
      return pool;
    },
    close: async () => {
      const open = [...pools.values()];
      await Promise.allSettled(open.map((pool) => pool.destroy()));
      pools.clear();
      await Promise.allSettled(closing);
    },
  };
}

/** The guard checks the very address that is connected to, whatever DNS answered before. */
function guardedConnector(guard: AddressGuard, use: AddressUse): buildConnector.connector {
  const connect = buildConnector({ allowH2: true, timeout: connectTimeoutMs, lookup: guard.lookup(use) });
  return (target, callback) => {
    const refusal = isIP(target.hostname) === 0 ? null : guard.checkAddress(target.hostname, use);
    if (refusal === null) connect(target, callback);
    else callback(new AddressRefused(refusal), null);
  };
}
