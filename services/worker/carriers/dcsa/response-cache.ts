import { LRUCache } from 'lru-cache';
import type { CarrierContext, CarrierSettings } from '../carrier.ts';

const maxResponses = 500;

/**
 * Caches the responses of a line that bills each call while they are valid, apart for each credential. The key is the
 * settings object that a worker opened for the credential, so changed credentials find nothing here.
 */
export function createResponseCache<Response extends object>() {
  const bySettings = new WeakMap<CarrierSettings, LRUCache<string, Response>>();
  return ({ settings, now }: Pick<CarrierContext, 'settings' | 'now'>): LRUCache<string, Response> => {
    const known = bySettings.get(settings);
    if (known !== undefined) return known;
    const responses = new LRUCache<string, Response>({
      max: maxResponses,
      ttlResolution: 0,
      perf: { now: () => now().getTime() },
    });
    bySettings.set(settings, responses);
    return responses;
  };
}

/** How long `Cache-Control` allows the response to be reused, in milliseconds. Null: the header doesn't state it. */
export function reusableMs(headers: Headers): number | null {
  const control = headers.get('cache-control')?.toLowerCase() ?? '';
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds) * 1000, 86_400_000);
}
