import { LRUCache } from 'lru-cache';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';

/** Terms of accounts as this process read them last. */
export type TermsCache = LRUCache<string, { version: number; terms: FreeTimeTerm[] }>;

/** Rows that a process keeps of all accounts together. A row has some hundred bytes. */
const maxCachedTerms = 50_000;

export function openTermsCache(): TermsCache {
  return new LRUCache({ maxSize: maxCachedTerms, sizeCalculation: ({ terms }) => terms.length + 1 });
}
