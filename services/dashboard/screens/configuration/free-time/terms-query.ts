import { queryOptions } from '@tanstack/react-query';
import type { FreeTimeTermRow } from '#shared/contract/free-time/terms-body.ts';
import { call, chosen, readJson, send } from '../../../api/call.ts';
import { problemOf } from '../../../api/problem-error.ts';
import { type TermDraft, termOf } from './term-draft.ts';

/** The saved terms, and the ETag that a change of them names. */
export type LoadedTerms = { terms: readonly FreeTimeTermRow[]; etag: string | null; updatedAt: string | null };

/** Live and test shipments have terms of their own. */
export const termsQuery = queryOptions({
  queryKey: ['free-time-terms'],
  queryFn: ({ signal }) => readTerms(signal),
});

async function readTerms(signal: AbortSignal): Promise<LoadedTerms> {
  return loadedOf(await send('getFreeTimeTerms', {}, { signal }));
}

/** Replaces all terms. Throws `precondition_failed` if they are not those of `etag` any more. */
export async function saveTerms(drafts: readonly TermDraft[], etag: string | null): Promise<LoadedTerms> {
  const body = { terms: drafts.map(termOf) };
  return loadedOf(await send('replaceFreeTimeTerms', { body }, etag === null ? {} : { ifMatch: etag }));
}

/** Requests the free-time clocks that these terms would give. Stores nothing. */
export function previewTerms(drafts: readonly TermDraft[]) {
  return call('previewFreeTimeTerms', { body: { terms: drafts.map(termOf) } as never });
}

async function loadedOf(response: Response): Promise<LoadedTerms> {
  const body = readJson(await response.text()) as { terms: FreeTimeTermRow[]; updated_at: string | null };
  if (!response.ok) throw problemOf(response.status, body, response.headers);
  return { terms: body.terms, etag: response.headers.get('etag'), updatedAt: body.updated_at };
}

/** The name of an exported file. */
export function exportName(day: string): string {
  return `free-time-terms-${chosen.mode === 'test' ? 'test-' : ''}${day}.csv`;
}
