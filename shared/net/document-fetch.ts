import { fetch } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { openGuardedPools } from './guarded-pools.ts';

export type DocumentFetch = {
  /** Fetches a document over HTTPS from public addresses only, without following redirects. The caller limits its size. */
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
  close: () => Promise<void>;
};

/** Fetches what clients name. The guard checks the URL, and again the very address that is connected to. */
export function openDocumentFetch(
  guard: AddressGuard,
  { proxyUrl, version }: { proxyUrl: string | null; version: string },
): DocumentFetch {
  const pools = openGuardedPools(guard, proxyUrl);
  const use = { test: false };
  return {
    fetch: async (target, init = {}) => {
      const checked = guard.checkUrl(target instanceof Request ? target.url : String(target), use);
      if (!(checked instanceof URL)) throw new Error(checked.detail);
      const headers = new Headers(init.headers);
      headers.set('user-agent', `Landfall/${version}`);
      const response = await fetch(checked, {
        ...(init.signal ? { signal: init.signal } : {}),
        headers: [...headers],
        redirect: 'error',
        dispatcher: pools.of(checked.origin, use),
      });
      return response as unknown as Response;
    },
    close: pools.close,
  };
}
