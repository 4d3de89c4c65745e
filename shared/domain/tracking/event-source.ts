import type { ReadEvent } from './event.ts';

/** Who reported an event: `carrier`, `test`, `client` for what the client did itself, `client:acme-rail` for a source. */
export function eventSource({ source, details }: Pick<ReadEvent, 'source' | 'details'>): string {
  const sourceName = source === 'client' ? details?.sourceName : undefined;
  return sourceName === undefined ? source : `client:${sourceName}`;
}
